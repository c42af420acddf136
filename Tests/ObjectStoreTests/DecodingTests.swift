import Foundation
import ObjectStore
import StoreTesting
import Testing

/// A bag as JSON, whose owner is inserted before its weight is read.
private struct Payload: Decodable {
    let luggage: Luggage

    private enum CodingKeys: String, CodingKey {
        case tag, owner, weight
    }

    private struct Owner: Decodable {
        let passenger: Passenger

        init(from decoder: any Decoder) throws {
            var names = try decoder.unkeyedContainer()
            passenger = Passenger(context: try decoder.managedObjectContext())
            passenger.givenName = try names.decode(String.self)
            passenger.familyName = try names.decode(String.self)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        luggage = Luggage(context: try decoder.managedObjectContext())
        luggage.tag = try container.decode(String.self, forKey: .tag)
        luggage.owner = try container.decode(Owner.self, forKey: .owner).passenger
        luggage.weight = try container.decode(Double.self, forKey: .weight)
    }
}

@Suite("Decoding into a context")
struct DecodingTests {
    private let json = #"{"tag": "A1", "owner": ["D", "ZMU"], "weight": 20}"#

    @Test(
        "objects are decoded into the context that the decoder carries",
        arguments: TestStore.allCases
    )
    func decoding(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let decoder = JSONDecoder()
            decoder.userInfo[.context] = context
            for _ in 0..<2 {
                _ = try decoder.decode(Payload.self, from: Data(json.utf8))
                try context.save()
            }
            let luggage = try #require(try container.makeContext().luggage("A1"))
            #expect(luggage.owner?.familyName == "ZMU")
            #expect(try context.count(Passenger.self) == 1)
        }
    }

    @Test("a missing context is a decoding error that says what to do")
    func missingContext() throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Payload.self, from: Data(json.utf8))
        }
        guard case .valueNotFound(let type, let context) = error else {
            Issue.record("not a value that was not found: \(String(describing: error))")
            return
        }
        #expect(ObjectIdentifier(type) == ObjectIdentifier(ManagedObjectContext.self))
        #expect(context.debugDescription.contains("userInfo[.context]"))
    }

    @Test(
        "a payload that fails leaves nothing behind and tells the place",
        arguments: [
            (#"{"tag": "A1", "owner": ["D"], "weight": 1}"#, ["owner", "Index 1"]),
            (#"{"tag": "A1", "owner": ["D", 1], "weight": 1}"#, ["owner", "Index 1"]),
            (#"{"tag": "A1", "owner": ["D", "ZMU"], "weight": "1"}"#, ["weight"]),
            (#"{"tag": "A1", "owner": ["D", "ZMU"]}"#, []), (#"{"tag": "A1"}"#, []),
        ]
    )
    func failure(json: String, path: [String]) throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let decoder = JSONDecoder()
            decoder.userInfo[.context] = context
            let error = #expect(throws: DecodingError.self) {
                try context.transaction {
                    try decoder.decode(Payload.self, from: Data(json.utf8))
                }
            }
            #expect(error?.path == path)
            #expect(!context.hasChanges)
            let count = try context.count(Passenger.self)
            #expect(count == 0)
        }
    }
}

extension DecodingError {
    fileprivate var path: [String] {
        switch self {
        case .dataCorrupted(let context), .keyNotFound(_, let context),
            .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.map(\.stringValue)
        @unknown default: []
        }
    }
}
