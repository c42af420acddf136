import Foundation
import LuggageTags
import ObjectStore
import SQLiteStore
import TagReading
import TestFolders
import Testing

/// The stores on which everything is to be the same.
enum TestStore: String, CaseIterable, CustomTestStringConvertible {
    case memory
    case sqlite

    var testDescription: String { rawValue }

    /// Gives an empty store to the body and clears it away afterwards.
    func withStore<Result>(
        _ body: (any PersistentStore) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .memory:
            return try await body(InMemoryStore())
        case .sqlite:
            let folder = try TemporaryFolder()
            return try await body(SQLiteStore(path: folder.path("luggage.sqlite")))
        }
    }

    /// Gives an empty record to the body and clears it away afterwards.
    func withRecord<Result>(
        _ body: (PersistentContainer) async throws -> Result
    ) async throws -> Result {
        try await withStore { store in
            try await body(PersistentContainer(model: LuggageModel.make(), store: store))
        }
    }
}

/// A reader that finds what it was told, whatever the picture.
struct FixedReader: TagReader {
    var result: Result<Reading, ReadError>

    init(_ payloads: String...) {
        result = .success(.of(payloads.map { Array($0.utf8) }))
    }

    init(_ reading: Reading) {
        result = .success(reading)
    }

    init(_ error: ReadError) {
        result = .failure(error)
    }

    func read(_ image: TagImage) async throws(ReadError) -> Reading {
        try result.get()
    }
}

extension Reading {
    static func of(_ payloads: [[UInt8]], unread: [UnreadPlace] = []) -> Reading {
        Reading(
            symbols: payloads.map { Symbol(payload: $0) },
            unread: unread,
            width: 100,
            height: 100,
            duration: .zero
        )
    }
}

/// The canonical payload of a bag.
func payload(
    _ id: String = "F432BDB8-D84F-4461-8362-AFF89F6C493E",
    owner: [String]? = ["D", "ZMU"],
    weight: String? = "42.0"
) -> String {
    let names = owner.map { "[" + $0.map { "\"\($0)\"" }.joined(separator: ", ") + "]" } ?? "null"
    let pounds = weight.map { #", "weight": \#($0)"# } ?? ""
    return #"{ "id": "\#(id)", "owner": \#(names)\#(pounds) }"#
}

let secondID = "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3"

extension ReadPicture {
    /// A picture that gave payloads; its content differs with its name.
    static func of(
        _ payloads: String...,
        name: String = "tag.png",
        at point: Point = .origin,
        station: String? = nil,
        second: Double = 1_000_000
    ) -> ReadPicture {
        ReadPicture(
            name: name,
            digest: "digest of \(name)",
            reading: .success(.of(payloads.map { Array($0.utf8) })),
            point: point,
            station: station,
            date: Date(timeIntervalSince1970: second)
        )
    }
}

/// A bag on record, as plain values.
struct Bag: Hashable {
    var id: String
    var owner: String?
    var weight: Float?
    var departed: Double?
    var arrived: Double?

    static func all(in container: PersistentContainer) throws -> [Bag] {
        try container.makeContext().fetch(FetchRequest(Luggage.self).sorted(by: \.identifier))
            .map { luggage in
                Bag(
                    id: luggage.identifier.uuidString,
                    owner: luggage.owner?.name.description,
                    weight: luggage.weight,
                    departed: luggage.departedAt?.timeIntervalSince1970,
                    arrived: luggage.arrivedAt?.timeIntervalSince1970
                )
            }
    }
}
