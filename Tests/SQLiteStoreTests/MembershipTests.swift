import Foundation
import StoreTesting
import TestFolders
import Testing

@testable import ObjectStore
@testable import SQLiteStore

@Suite("A predicate that asks for one of many values")
struct MembershipTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let container: PersistentContainer

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore(path: folder.path("store.sqlite"))
        container = try PersistentContainer(model: TestModel.make(), store: store)
        let context = container.makeContext()
        for (number, text) in Self.texts.enumerated() {
            let sample = Sample(context: context)
            (sample.int, sample.text) = (Self.wholes[number], text)
            (sample.double, sample.data) = (Self.reals[number], Data(text.utf8))
        }
        try context.save()
    }

    private static let texts = [
        "", "\"", "\\", "\\u0041", "a\u{1}\u{1F}\n\t", "\u{7F}\u{2028}", "\u{1F9F3}", "'; --",
        "\u{FFFF}", "e\u{301}",
    ]
    private static let wholes: [Int64] = [0, 1, -1, .max, .min, 1 << 53 + 1, .min + 1, 7, 8, 9]
    private static let reals: [Double] = [
        0, 0.1, -0.1, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        1 / 3, 0x1p63, 1e23,
    ]

    /// The statements that a fetch runs.
    private func statements(_ requests: [ObjectStore.FetchRequest<Sample>]) throws -> Set<String> {
        let context = container.makeContext()
        let queries = try requests.map { try context.query(for: $0) }
        return try store.pool.read { db in
            let before = Set(db.statements.keys.map(\.text))
            for query in queries {
                _ = try SQLiteTransaction(db, path: store.path, sql: nil).rows(matching: query)
            }
            return Set(db.statements.keys.map(\.text)).subtracting(before)
        }
    }

    @Test("finds each exactly, whatever it is")
    func exact() throws {
        let context = container.makeContext()
        for (number, text) in Self.texts.enumerated() {
            let (some, whole) = ([text, "other"], [Self.wholes[number]])
            let (real, bytes) = ([Self.reals[number], 5], [Data(text.utf8), Data([0xFF, 0])])
            let predicates = [
                #Predicate<Sample> { $0.text.flatMap { some.contains($0) } == true },
                #Predicate<Sample> { whole.contains($0.int) },
                #Predicate<Sample> { $0.double.flatMap { real.contains($0) } == true },
                #Predicate<Sample> { $0.data.flatMap { bytes.contains($0) } == true },
            ]
            for (kind, predicate) in predicates.enumerated() {
                let found = try context.fetch(
                    ObjectStore.FetchRequest<Sample>(predicate: predicate)
                )
                #expect(
                    found.map(\.int) == [Self.wholes[number]],
                    "\(text.debugDescription) \(kind)"
                )
            }
        }
    }

    @Test("needs one statement, however many they are")
    func oneStatement() throws {
        let wholes = try statements(
            (0..<40).map { count in
                let some = (0..<count).map { Int64($0) }
                return ObjectStore.FetchRequest<Sample>(
                    predicate: #Predicate { some.contains($0.int) }
                )
            }
        )
        #expect(wholes.count == 1)
        let reals = try statements(
            (1..<40).map { count in
                let some = (0..<count).map { Double?.some(Double($0)) }
                return ObjectStore.FetchRequest<Sample>(
                    predicate: #Predicate { some.contains($0.double) }
                )
            }
        )
        #expect(reals.count == 1)
    }

    @Test("may ask for more than a statement has arguments")
    func many() throws {
        let context = container.makeContext()
        let wholes = (0..<300_000).map { Int64($0) }
        let some = ObjectStore.FetchRequest(
            Sample.self,
            predicate: #Predicate { wholes.contains($0.int) }
        )
        #expect(try context.count(some) == 5)
        let reals = (0..<300_000).map { Double?.some(Double($0)) }
        let none = ObjectStore.FetchRequest(
            Sample.self,
            predicate: #Predicate { reals.contains($0.double) }
        )
        #expect(try context.count(none) == 1)
    }
}
