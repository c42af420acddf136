import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("Fetching")
struct FetchTests {
    private func fill(_ context: ManagedObjectContext) {
        for (index, tag) in ["A1", "A2", "B1", "a1", "\u{E9}", ""].enumerated() {
            let luggage = Luggage(context, tag, weight: Double(index % 3))
            luggage.note = index.isMultiple(of: 2) ? nil : "n\(index)"
            luggage.heaviest = index
        }
    }

    /// Runs the checks on saved objects, on pending ones, and on a mixture.
    private func withLuggage(
        _ store: TestStore,
        _ body: (ManagedObjectContext) throws -> Void
    ) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            fill(context)
            try body(context)
            try context.save()
            try body(context)
            try body(container.makeContext())
            for luggage in try context.fetch(FetchRequest(Luggage.self)).prefix(3) {
                luggage.priority += 1
            }
            try body(context)
        }
    }

    @Test(
        "text that begins with a text, byte for byte",
        arguments: TestStore.allCases,
        [
            ("A", ["A1", "A2"]), ("a", ["a1"]), ("", ["", "A1", "A2", "B1", "a1", "\u{E9}"]),
            ("e", []), ("\u{E9}", ["\u{E9}"]), ("A%", []), ("A_", []), ("A1\0", []), ("\0", []),
            ("\u{10FFFF}", []), ("\u{D7FF}", []),
        ]
    )
    func prefixes(store: TestStore, row: (prefix: String, tags: [String])) throws {
        try withLuggage(store) { context in
            let request = FetchRequest(Luggage.self).where(\.tag, hasPrefix: row.prefix)
            let found = try context.fetch(request.sorted(by: \.tag))
            #expect(found.map(\.tag) == row.tags)
            #expect(try context.count(request) == row.tags.count)
        }
    }

    @Test(
        "text that ends with a text, byte for byte",
        arguments: TestStore.allCases,
        [
            ("1", ["A1", "B1", "a1"]), ("A1", ["A1"]), ("a1", ["a1"]), ("AA1", []), ("A", []),
            ("", ["", "A1", "A2", "B1", "a1", "\u{E9}"]), ("e\u{301}", []), ("\u{301}", []),
            ("\u{E9}", ["\u{E9}"]), ("%1", []), ("_1", []), ("\0", []), ("1\0", []),
        ]
    )
    func suffixes(store: TestStore, row: (suffix: String, tags: [String])) throws {
        try withLuggage(store) { context in
            let request = FetchRequest(Luggage.self).where(\.tag, hasSuffix: row.suffix)
            let found = try context.fetch(request.sorted(by: \.tag))
            #expect(found.map(\.tag) == row.tags)
            #expect(try context.count(request) == row.tags.count)
        }
    }

    @Test(
        "text that contains a text, byte for byte",
        arguments: TestStore.allCases,
        [
            ("1", ["A1", "B1", "a1"]), ("A", ["A1", "A2"]), ("A1", ["A1"]), ("AA1", []),
            ("", ["", "A1", "A2", "B1", "a1", "\u{E9}"]), ("e\u{301}", []), ("\u{301}", []),
            ("\u{E9}", ["\u{E9}"]), ("%", []), ("_", []), ("\0", []), ("1\0", []),
        ]
    )
    func parts(store: TestStore, row: (part: String, tags: [String])) throws {
        try withLuggage(store) { context in
            let request = FetchRequest(Luggage.self).where(\.tag, contains: row.part)
            let found = try context.fetch(request.sorted(by: \.tag))
            #expect(found.map(\.tag) == row.tags)
            #expect(try context.count(request) == row.tags.count)
        }
    }

    @Test(
        "a number does not begin or end with a text, nor contain it",
        arguments: TestStore.allCases
    )
    func prefixOfNumber(store: TestStore) throws {
        try withLuggage(store) { context in
            for prefix in ["", "1", "x"] {
                let request = FetchRequest(Luggage.self).where(\.heaviest, hasPrefix: prefix)
                let count = try context.count(request)
                #expect(count == 0)
                let other = FetchRequest(Luggage.self).where(\.heaviest, hasSuffix: prefix)
                #expect(try context.count(other) == 0)
                let part = FetchRequest(Luggage.self).where(\.heaviest, contains: prefix)
                #expect(try context.count(part) == 0)
            }
        }
    }

    @Test("equal, missing and present values", arguments: TestStore.allCases)
    func conditions(store: TestStore) throws {
        try withLuggage(store) { context in
            let all = FetchRequest(Luggage.self)
            let present = try context.count(all.where(\.note, isMissing: false))
            #expect(present == 3)
            #expect(try context.count(all.where(\.note, isMissing: true)) == 3)
            #expect(try context.count(all.where(\.note, is: nil)) == 3)
            #expect(try context.count(all.where(\.note, is: "n1")) == 1)
            #expect(try context.count(all.where(\.weight, is: 2).where(\.note, is: "n5")) == 1)
            #expect(try context.count(all.where(\.owner, is: nil)) == 6)
        }
    }

    @Test("a value that no store can keep is found nowhere", arguments: TestStore.allCases)
    func notStorable(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            _ = Sample(context: context)
            Sample(context: context).text = "a"
            try context.save()
            let all = FetchRequest(Sample.self)
            #expect(try context.count(all.where(\.double, is: .nan)) == 0)
            #expect(try context.count(all.where(\.text, is: "a\0b")) == 0)
            #expect(try context.count(all.where(\.text, is: "a")) == 1)
        }
    }

    @Test("sorted by several attributes, missing values first", arguments: TestStore.allCases)
    func order(store: TestStore) throws {
        try withLuggage(store) { context in
            let all = FetchRequest(Luggage.self)
            let byTag = try context.fetch(all.sorted(by: \.tag)).map(\.tag)
            #expect(byTag == ["", "A1", "A2", "B1", "a1", "\u{E9}"])
            let byNote = try context.fetch(all.sorted(by: \.note).sorted(by: \.tag, .descending))
            #expect(byNote.map(\.tag) == ["\u{E9}", "B1", "A1", "A2", "a1", ""])
            let byWeight = try context.fetch(
                all.sorted(by: \.weight, .descending).sorted(by: \.heaviest)
            )
            #expect(byWeight.map(\.heaviest) == [2, 5, 1, 4, 0, 3])
        }
    }

    @Test("limits, of nothing and of too many", arguments: TestStore.allCases)
    func limits(store: TestStore) throws {
        try withLuggage(store) { context in
            for limit in [0, 1, 5, 6, 7, .max] {
                let request = FetchRequest(Luggage.self).sorted(by: \.tag).limited(to: limit)
                let found = try context.fetch(request)
                #expect(found.count == min(limit, 6))
                #expect(try context.count(request) == found.count)
            }
        }
    }

    @Test("changes that are not saved are seen", arguments: TestStore.allCases)
    func pending(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            fill(context)
            try context.save()
            try context.delete(try #require(try context.luggage("A1")))
            try #require(try context.luggage("A2")).tag = "Z9"
            _ = Luggage(context, "A0", weight: 7)
            let tags = try context.fetch(FetchRequest(Luggage.self).sorted(by: \.tag)).map(\.tag)
            #expect(tags == ["", "A0", "B1", "Z9", "a1", "\u{E9}"])
            let first = FetchRequest(Luggage.self).where(\.tag, hasPrefix: "A").limited(to: 1)
            #expect(try context.fetch(first).map(\.tag) == ["A0"])
            #expect(try context.luggage("A2") == nil)
            #expect(try container.makeContext().luggage("A0") == nil)
        }
    }

    @Test(
        "more rows than one statement asks for are read in batches",
        arguments: TestStore.allCases
    )
    func batches(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            for index in 0..<1203 {
                let owner = Passenger(context, "P", String(index, radix: 36))
                Luggage(context, "T\(index)", weight: 1).owner = owner
            }
            try context.save()
            for index in 0..<1203 { _ = Luggage(context, "T\(index)", note: "again") }
            try context.save()
            let check = container.makeContext()
            let bags = try check.fetch(FetchRequest(Luggage.self))
            #expect(bags.count == 1203)
            #expect(Set(bags.compactMap { $0.owner?.familyName }).count == 1203)
            #expect(bags.allSatisfy { $0.note == "again" })
        }
    }
}
