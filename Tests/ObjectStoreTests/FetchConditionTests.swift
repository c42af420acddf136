import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("A request with bounds, alternatives and members")
struct FetchConditionTests {
    /// Bags A to E with the weights 1 to 5; C and E have not departed, B and D have no note.
    private func fill(_ container: PersistentContainer) throws {
        let context = container.makeContext()
        let owner = Passenger(context, "D", "ZMU")
        for (number, tag) in ["A", "B", "C", "D", "E"].enumerated() {
            let bag = Luggage(
                context,
                tag,
                weight: Double(number + 1),
                note: number % 2 == 0 ? "x" : nil
            )
            if tag != "C" && tag != "E" {
                bag.departedAt = Date(timeIntervalSince1970: Double(number))
            }
            if number < 2 { bag.owner = owner }
            if tag != "A" { _ = Seal(context, number, on: bag) }
        }
        _ = Seal(context, 9, on: nil)
        try context.save()
    }

    typealias Request = FetchRequest<Luggage>

    /// What is asked, and the tags that are found.
    static let cases: [(ask: @Sendable (Request) -> Request, found: String)] = [
        ({ $0.where(\.weight, isGreaterThan: 3) }, "DE"),
        ({ $0.where(\.weight, isAtLeast: 3) }, "CDE"),
        ({ $0.where(\.weight, isLessThan: 3) }, "AB"),
        ({ $0.where(\.weight, isLessThan: .nan) }, ""),
        ({ $0.where(\.weight, isGreaterThan: -.infinity) }, "ABCDE"),
        ({ $0.where(\.departedAt, isAtLeast: Date(timeIntervalSince1970: 1)) }, "BD"),
        ({ $0.where(\.departedAt, isLessThan: Date(timeIntervalSince1970: 1)) }, "A"),
        ({ $0.where(\.departedAt, isLessThan: .distantFuture) }, "ABD"),
        ({ $0.where(\.departedAt, isGreaterThan: nil) }, ""),
        ({ $0.where(\.departedAt, isMissing: false) }, "ABD"),
        ({ $0.where(\.departedAt, isMissing: true) }, "CE"),
        ({ $0.where(\.note, isMissing: false) }, "ACE"),
        ({ $0.where(\.tag, isGreaterThan: "C") }, "DE"),
        ({ $0.where(\.tag, isOneOf: ["A", "E", "a", ""]) }, "AE"),
        ({ $0.where(\.tag, isOneOf: []) }, ""),
        ({ $0.whereObject(isOneOf: []) }, ""),
        ({ $0.whereEither() }, ""),
        ({ $0.whereEither({ $0 }) }, "ABCDE"),
        (
            {
                $0.whereEither(
                    { $0.where(\.weight, isLessThan: 2) },
                    { $0.where(\.note, is: "x").where(\.weight, isGreaterThan: 4) }
                )
            }, "AE"
        ),
        (
            {
                $0.where(\.weight, isGreaterThan: 1)
                    .whereEither({ $0.where(\.tag, is: "A") }, { $0.where(\.tag, is: "B") })
            }, "B"
        ),
        ({ $0.where(\.seals, contains: FetchRequest(Seal.self)) }, "BCDE"),
        ({ $0.where(\.seals, contains: FetchRequest(Seal.self).where(\.number, is: 9)) }, ""),
        (
            { $0.where(\.seals, contains: FetchRequest(Seal.self).where(\.number, isLessThan: 3)) },
            "BC"
        ),
    ]

    @Test(
        "finds the same in every store, saved or not",
        arguments: TestStore.allCases,
        Array(cases.indices)
    )
    func conditions(store: TestStore, number: Int) throws {
        let (ask, expected) = Self.cases[number]
        try store.withContainer { container in
            try fill(container)
            let context = container.makeContext()
            let request = ask(Request()).sorted(by: \.tag)
            #expect(try context.fetch(request).map(\.tag).joined() == expected)
            #expect(try context.count(request) == expected.count)
            // With a change that is not saved, the context answers and not the store.
            _ = Luggage(context, "0", weight: .nan)
            #expect(
                try context.fetch(request.where(\.tag, isGreaterThan: "0")).map(\.tag).joined()
                    == expected
            )
        }
    }

    @Test(
        "gives snapshots in batches, in order, and lets more be read",
        arguments: TestStore.allCases
    )
    func snapshots(store: TestStore) throws {
        try store.withContainer { container in
            try fill(container)
            try container.read { context in
                let tag = context.model.property(\Luggage.tag)
                let owner = context.model.property(\Luggage.owner)
                let family = context.model.property(\Passenger.familyName)
                let request = Request().sorted(by: \.weight, .descending)
                var tags: [[String]] = []
                var names: [String] = []
                try context.forEachBatch(ofSnapshots: request, size: 2) { bags in
                    tags.append(bags.map { $0[tag] })
                    names += try context.snapshots(
                        of: Passenger.self,
                        bags.compactMap { $0[owner] }
                    )
                    .map { $0[family] }
                    // The same again, while the first is under way.
                    var inner = 0
                    try context.forEachBatch(ofSnapshots: request, size: 3) { inner += $0.count }
                    #expect(inner == 5)
                }
                #expect(tags == [["E", "D"], ["C", "B"], ["A"]])
                #expect(names == ["ZMU", "ZMU"])
                // Of another entity, everything is missing.
                let seal = try #require(try context.fetch(FetchRequest(Seal.self)).first)
                let snapshot = try #require(
                    try context.snapshots(of: Seal.self, [seal.objectID]).first
                )
                #expect(snapshot[owner] == nil)
            }
        }
    }

    @Test(
        "gives batches without what is left out, and in the same order",
        arguments: TestStore.allCases
    )
    func omission(store: TestStore) throws {
        try store.withContainer { container in
            try fill(container)
            let model = container.model
            let (tag, weight) = (model.property(\Luggage.tag), model.property(\Luggage.weight))
            let owner = model.property(\Luggage.owner)
            try container.read { context in
                let request = Request().sorted(by: \.weight, .descending)
                var (whole, rest): ([Snapshot], [Snapshot]) = ([], [])
                try context.forEachBatch(ofSnapshots: request) { whole += $0 }
                try context.forEachBatch(ofSnapshots: request, omitting: [\.weight, \.owner]) {
                    rest += $0
                }
                #expect(whole.contains { $0[weight] != 0 && $0[owner] != nil })
                #expect(rest.allSatisfy { $0[weight] == 0 && $0[owner] == nil })
                #expect(rest.map { $0[tag] } == whole.map { $0[tag] })
                #expect(rest.map(\.id) == whole.map(\.id))
            }
        }
    }

    @Test(
        "counts by several properties, and by where a relationship leads",
        arguments: TestStore.allCases
    )
    func counts(store: TestStore) throws {
        try store.withContainer { container in
            try fill(container)
            let context = container.makeContext()
            let counts = try context.counts(of: Request(), by: \.note, \.departedAt)
            #expect(counts.map(\.count) == [1, 1, 2, 1])
            #expect(counts.map(\.key.0) == [nil, nil, "x", "x"])
            #expect(counts.last?.key.1 == Date(timeIntervalSince1970: 0))
            let owner = try context.fetch(FetchRequest(Passenger.self)).first?.objectID
            #expect(try context.counts(by: \Luggage.owner) == [owner: 2, nil: 3])
        }
    }
}
