import Foundation
import MessagePack
import Testing

/// A message that is wrong for ``ErrorTests/Bag``, and what its error says.
struct WrongBag: CustomTestStringConvertible, Sendable {
    enum Kind { case keyNotFound, valueNotFound, typeMismatch, dataCorrupted }

    let message: MessagePackValue
    let kind: Kind
    let path: [String]
    let words: String

    init(_ message: MessagePackValue, _ kind: Kind, _ path: [String], _ words: String) {
        self.message = message
        self.kind = kind
        self.path = path
        self.words = words
    }

    var testDescription: String { words }
}

@Suite struct ErrorTests {
    struct Bag: Decodable {
        var id: UUID?
        var owner: Owner?
        var weight: Float?
        var stops: [Stop]?
        var names: [String]?
        var at: Date?
        var photo: Data?
        var link: URL?
        var price: Decimal?
        var mark: MessagePackExtension?
        var counts: [Int: UInt8]?
        var flag: Bool?
        var deep: [[Int8]]?
        struct Owner: Decodable { var name: String }
        struct Stop: Decodable { var code: String, hour: Int }
    }

    @Test(
        "every error tells its kind, the way to it, and what is wrong",
        arguments: [
            WrongBag(5, .typeMismatch, [], "Expected a map but found an integer instead."),
            WrongBag(nil, .valueNotFound, [], "Expected a map but found nil instead."),
            WrongBag([[]], .typeMismatch, [], "Expected a map but found an array instead."),
            WrongBag(["owner": [:]], .keyNotFound, ["owner"], "The map has no key \"name\"."),
            WrongBag(
                ["owner": ["name": nil]],
                .valueNotFound,
                ["owner", "name"],
                "Expected String but found nil instead."
            ),
            WrongBag(
                ["owner": ["name": 5]],
                .typeMismatch,
                ["owner", "name"],
                "Expected String but found an integer instead."
            ),
            WrongBag(
                ["weight": "heavy"],
                .typeMismatch,
                ["weight"],
                "Expected Float but found text instead."
            ),
            WrongBag(
                ["weight": 0.1],
                .dataCorrupted,
                ["weight"],
                "The number 0.1 is not exactly representable as Float."
            ),
            WrongBag(
                ["stops": [["code": "A", "hour": 1], ["code": "B"]]],
                .keyNotFound,
                ["stops", "Index 1"],
                "The map has no key \"hour\"."
            ),
            WrongBag(
                ["stops": [["code": "A", "hour": 0.5]]],
                .dataCorrupted,
                ["stops", "Index 0", "hour"],
                "The number 0.5 is not exactly representable as Int."
            ),
            WrongBag(
                ["stops": ["a": 1]],
                .typeMismatch,
                ["stops"],
                "Expected an array but found a map instead."
            ),
            WrongBag(
                ["names": ["a", true]],
                .typeMismatch,
                ["names", "Index 1"],
                "Expected String but found a boolean instead."
            ),
            WrongBag(
                ["names": ["a", nil]],
                .valueNotFound,
                ["names", "Index 1"],
                "Expected String but found nil instead."
            ),
            WrongBag(
                ["names": "a"],
                .typeMismatch,
                ["names"],
                "Expected an array but found text instead."
            ),
            WrongBag(
                ["at": 5],
                .typeMismatch,
                ["at"],
                "Expected Date but found an integer instead."
            ),
            WrongBag(
                ["at": .extension(.init(type: 1, data: Data(count: 4)))],
                .typeMismatch,
                ["at"],
                "Expected Date but found an extension instead."
            ),
            WrongBag(
                ["at": .extension(.init(type: -1, data: Data(count: 5)))],
                .dataCorrupted,
                ["at"],
                "A timestamp needs 4, 8 or 12 bytes and less than a second of nanoseconds (byte 4)"
            ),
            WrongBag(
                ["photo": "text"],
                .typeMismatch,
                ["photo"],
                "Expected Data but found text instead."
            ),
            WrongBag(["link": ""], .dataCorrupted, ["link"], "\"\" is no URL."),
            WrongBag(
                ["link": .binary(Data())],
                .typeMismatch,
                ["link"],
                "Expected String but found binary data instead."
            ),
            WrongBag(["price": "1,5"], .dataCorrupted, ["price"], "\"1,5\" is no decimal number."),
            WrongBag(
                ["price": true],
                .typeMismatch,
                ["price"],
                "Expected Decimal but found a boolean instead."
            ),
            WrongBag(["id": "x"], .dataCorrupted, ["id"], "\"x\" is no UUID."),
            WrongBag(
                ["id": .binary(Data(count: 15))],
                .dataCorrupted,
                ["id"],
                "A UUID has 16 bytes, not 15."
            ),
            WrongBag(["id": [:]], .typeMismatch, ["id"], "Expected UUID but found a map instead."),
            WrongBag(
                ["mark": .binary(Data())],
                .typeMismatch,
                ["mark"],
                "Expected MessagePackExtension but found binary data instead."
            ),
            WrongBag(
                ["counts": [1: 2, 3: 256]],
                .dataCorrupted,
                ["counts", "3"],
                "The number 256 is not exactly representable as UInt8."
            ),
            WrongBag(
                ["counts": [nil: 2]],
                .dataCorrupted,
                ["counts"],
                "A key is nil, which a dictionary cannot have."
            ),
            WrongBag(
                ["flag": 1],
                .typeMismatch,
                ["flag"],
                "Expected Bool but found an integer instead."
            ),
            WrongBag(
                ["deep": [[1], [2, 200]]],
                .dataCorrupted,
                ["deep", "Index 1", "Index 1"],
                "The number 200 is not exactly representable as Int8."
            ),
        ]
    )
    func table(_ wrong: WrongBag) throws {
        let message = try MessagePackEncoder().encode(wrong.message)
        let error = #expect(throws: DecodingError.self) {
            try MessagePackDecoder().decode(Bag.self, from: message)
        }
        let (kind, context) = try Self.parts(error)
        #expect(kind == wrong.kind)
        #expect(context.codingPath.map(\.stringValue) == wrong.path)
        #expect(context.debugDescription == wrong.words)
    }

    static func parts(_ error: DecodingError?) throws -> (WrongBag.Kind, DecodingError.Context) {
        let error = try #require(error)
        return switch error {
        case .keyNotFound(_, let context): (.keyNotFound, context)
        case .valueNotFound(_, let context): (.valueNotFound, context)
        case .typeMismatch(_, let context): (.typeMismatch, context)
        case .dataCorrupted(let context): (.dataCorrupted, context)
        @unknown default: throw error
        }
    }

    @Test("an array that has ended tells where")
    func pastTheEnd() throws {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                _ = try container.decode(Int.self)
                _ = try container.decode(Int.self)
            }
        }
        let error = #expect(throws: DecodingError.self) {
            try MessagePackDecoder().decode([Pair].self, from: bytes("92 92 01 02 91 03"))
        }
        let (kind, context) = try Self.parts(error)
        #expect(kind == .valueNotFound)
        #expect(context.codingPath.map(\.stringValue) == ["Index 1", "Index 1"])
        #expect(context.debugDescription == "The array ends before index 1.")
    }

    @Test("coding keys on a path are those of the type")
    func ownKeys() {
        #expect {
            try MessagePackDecoder().decode([Numbered].self, from: bytes("91 81 01 a161"))
        } throws: { error in
            guard case DecodingError.typeMismatch(_, let context) = error else { return false }
            return context.codingPath.last as? Numbered.CodingKeys == .name
                && context.codingPath.map(\.intValue) == [0, 1]
        }
    }

    struct Numbered: Decodable {
        var name: Int
        enum CodingKeys: Int, CodingKey { case name = 1 }
    }
}
