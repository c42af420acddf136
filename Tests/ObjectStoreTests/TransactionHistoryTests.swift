import ObjectStore
import StoreTesting
import Testing

@Suite("A transaction is one save for the history")
struct TransactionHistoryTests {
    /// What the saves of a transaction do to a bag, one letter each.
    struct Case: Sendable, CustomTestStringConvertible {
        /// Whether the bag was there before.
        var wasThere = true
        /// A number gives it a note, `0` the one that it had, `x` deletes it, `n` makes it.
        let steps: String
        let kind: HistoryChange.Kind?
        /// Its note before and after, where the history says so.
        var notes: [AttributeValue] = []

        var testDescription: String { (wasThere ? "there, " : "new, ") + steps }
    }

    @Test(
        "in which each object is as before the first save and after the last",
        arguments: TestStore.allCases,
        [
            Case(steps: "1", kind: .updated, notes: [.text("0"), .text("1")]),
            Case(steps: "12", kind: .updated, notes: [.text("0"), .text("2")]),
            Case(steps: "11", kind: .updated, notes: [.text("0"), .text("1")]),
            Case(steps: "10", kind: nil),
            Case(steps: "101", kind: .updated, notes: [.text("0"), .text("1")]),
            Case(steps: "1x", kind: .deleted, notes: [.text("0"), .null]),
            Case(steps: "x", kind: .deleted, notes: [.text("0"), .null]),
            Case(wasThere: false, steps: "n", kind: .inserted),
            Case(wasThere: false, steps: "n12", kind: .inserted),
            Case(wasThere: false, steps: "nx", kind: nil),
            Case(wasThere: false, steps: "n1x", kind: nil),
        ]
    )
    func merging(store: TestStore, step: Case) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            _ = Luggage(context, "other", weight: 1)
            if step.wasThere { _ = Luggage(context, "A", weight: 1, note: "0") }
            try context.save()
            let start = try container.lastHistoryToken()
            try container.transaction { context in
                context.author = "counter 7"
                for letter in step.steps {
                    switch letter {
                    case "n": _ = Luggage(context, "A", weight: 1, note: "0")
                    case "x": try context.delete(try #require(try context.luggage("A")))
                    default: try #require(try context.luggage("A")).note = String(letter)
                    }
                    #expect(try context.save().token == nil)
                }
            }
            let saves = try container.history(after: start)
            #expect(saves.count == (step.kind == nil ? 0 : 1))
            #expect(saves.allSatisfy { $0.author == "counter 7" && $0.changes.count == 1 })
            #expect(saves.first?.changes.first?.kind == step.kind)
            let note = saves.first?.changes.first?.properties.first { $0.name == "note" }
            #expect(note.map { [$0.before, $0.after] } ?? [] == step.notes)
            #expect(try container.read { try $0.historyFindings() }.isEmpty)
        }
    }

    @Test(
        "in which an object that was deleted and put back has only other values",
        arguments: TestStore.allCases
    )
    func puttingBack(store: TestStore) throws {
        try store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1, note: "old")
            try context.save()
            let start = try container.lastHistoryToken()
            try container.transaction { context in
                context.undoLimit = 1
                try context.delete(try #require(try context.luggage("A")))
                try context.save()
                #expect(context.undo())
                try context.save()
                try #require(try context.luggage("A")).note = "new"
                try context.save()
            }
            let saves = try container.history(after: start)
            let note = HistoryChange.Property(
                name: "note",
                before: .text("old"),
                after: .text("new")
            )
            #expect(
                saves.map(\.changes) == [
                    [HistoryChange(id: luggage.objectID, kind: .updated, properties: [note])]
                ]
            )
            #expect(try container.read { try $0.historyFindings() }.isEmpty)
        }
    }

    @Test(
        "of each author who saves, and another where one comes again after others",
        arguments: TestStore.allCases
    )
    func authors(store: TestStore) throws {
        try store.withContainer { container in
            try container.transaction { context in
                for (index, author) in ["a", "a", "b", "b", nil, "a"].enumerated() {
                    context.author = author
                    _ = Luggage(context, "A\(index)", weight: 1)
                    try context.save()
                    // Who saves nothing has no part in it.
                    context.author = "nobody"
                    try context.save()
                }
            }
            let saves = try container.history(after: nil)
            #expect(saves.map(\.author) == ["a", "b", nil, "a"])
            #expect(saves.map(\.changes.count) == [2, 2, 1, 1])
        }
    }

    @Test(
        "that has what was saved where the history is read in it, and what follows is another",
        arguments: TestStore.allCases
    )
    func reading(store: TestStore) throws {
        try store.withContainer { container in
            try container.transaction { context in
                _ = Luggage(context, "A", weight: 1)
                try context.save()
                _ = Luggage(context, "B", weight: 1)
                try context.save()
                #expect(try context.history(after: nil).map(\.changes.count) == [2])
                #expect(try container.history(after: nil).isEmpty)
                let token = try context.lastHistoryToken()
                _ = Luggage(context, "C", weight: 1)
                try context.save()
                #expect(try context.history(after: token).map(\.changes.count) == [1])
                #expect(try context.historyFindings().isEmpty)
            }
            #expect(try container.history(after: nil).map(\.changes.count) == [2, 1])
            // What is deleted in it is all that there is, its own included.
            try container.transaction { context in
                _ = Luggage(context, "D", weight: 1)
                try context.save()
                #expect(try !context.deleteHistory(before: .init(rawValue: .max), limit: 10))
            }
            #expect(try container.history(after: nil).isEmpty)
        }
    }

    @Test("or several where it is larger than memory", arguments: TestStore.allCases)
    func large(store: TestStore) throws {
        try store.withContainer { container in
            try container.transaction { context in
                for save in 0..<25 {
                    for number in 0..<1000 { Part(context: context).name = "\(save)/\(number)" }
                    try context.save()
                    context.reset()
                }
            }
            let saves = try container.history(after: nil)
            #expect(saves.map(\.changes.count) == [10_000, 10_000, 5000])
        }
    }

    @Test(
        "and for whoever hears of it, here as elsewhere",
        .timeLimit(.minutes(30)),
        arguments: TestStore.allCases
    )
    func telling(store: TestStore) async throws {
        try await store.withContainer { container in
            let neighbour = try PersistentContainer(model: container.model, store: container.store)
            var own = container.changes.makeAsyncIterator()
            var foreign = neighbour.changes.makeAsyncIterator()
            let context = container.makeContext()
            let luggage = Luggage(context, "A", weight: 1)
            try await context.save()
            try container.transaction { context in
                context.author = "a"
                for weight in [2.0, 3, 4] {
                    try #require(try context.luggage("A")).weight = weight
                    try context.save()
                }
                context.author = "b"
                try context.delete(try #require(try context.luggage("A")))
                try context.save()
            }
            let weight = container.model.property(\Luggage.weight)
            func saves(
                _ iterator: inout some AsyncIteratorProtocol<SaveResult, Never>
            ) async throws -> [String] {
                var told: [String] = []
                for _ in 0..<3 {
                    let save = try #require(await iterator.next(isolation: nil))
                    let change = try #require(save.changes[luggage.objectID])
                    let sides = [change.before, change.after].map { side in
                        side.map { "\($0[weight])" } ?? "-"
                    }
                    told.append(
                        "\(save.token?.rawValue ?? 0) \(save.author ?? "-") "
                            + sides.joined(separator: " > ")
                    )
                }
                return told
            }
            let expected = ["1 - - > 1.0", "2 a 1.0 > 4.0", "3 b 4.0 > -"]
            #expect(try await saves(&own) == expected)
            // A store in memory tells nobody but the container that saves.
            if store == .sqlite { #expect(try await saves(&foreign) == expected) }
        }
    }
}
