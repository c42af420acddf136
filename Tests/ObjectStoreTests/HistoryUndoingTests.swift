import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import Testing

@Suite("Taking saves back by the history")
struct HistoryUndoingTests {
    /// Every row, as text.
    private func rows(_ container: PersistentContainer) throws -> [String] {
        let context = container.makeContext()
        let bags = try context.fetch(FetchRequest(Luggage.self)).map {
            "\($0.objectID) \($0.tag) \($0.weight) \($0.note ?? "-") "
                + "\($0.owner.map { "\($0.objectID)" } ?? "-")"
        }
        let owners = try context.fetch(FetchRequest(Passenger.self)).map {
            "\($0.objectID) \($0.givenName) \($0.familyName)"
        }
        return (bags + owners).sorted()
    }

    private func takeBack(
        _ saves: [HistoryTransaction],
        in container: PersistentContainer,
        rule: (HistoryChange) -> TakeBackRule = { _ in .always }
    ) throws {
        try container.transaction { context in
            try context.takeBack(saves, rule: rule)
            try context.save()
        }
    }

    @Test(
        "insertions, updates and deletions, one after the other and all together",
        arguments: TestStore.allCases
    )
    func kinds(store: TestStore) throws {
        try store.withContainer { container in
            var states = [try rows(container)]
            let context = container.makeContext()
            func keep() throws {
                try context.save()
                states.append(try rows(container))
            }
            let luggage = Luggage(context, "A1", weight: 1, note: "old")
            luggage.owner = Passenger(context, "D", "ZMU")
            try keep()
            luggage.note = nil
            luggage.weight = 2
            luggage.owner = Passenger(context, "E", "ZMU")
            try keep()
            _ = Luggage(context, "A2", weight: 7)
            try keep()
            try context.delete(try #require(luggage.owner))
            try context.delete(luggage)
            try keep()

            let saves = try container.history(after: nil)
            try #require(saves.count == 4)
            for save in saves.reversed() {
                try takeBack([save], in: container)
                states.removeLast()
                #expect(try rows(container) == states.last)
            }
            // What was taken back is taken back in turn, and comes back with its identity.
            let undoing = try container.history(after: saves[3].token)
            #expect(undoing.count == 4)
            try takeBack(undoing, in: container)
            #expect(try container.history(after: nil).count == 9)
            try takeBack(saves, in: container)
            #expect(try rows(container).isEmpty)
            #expect(try container.read { try $0.historyFindings() }.isEmpty)
        }
    }

    /// What somebody does after the save that is to be taken back.
    enum Later: String, CaseIterable {
        case otherValue, deletion, use, again
    }

    @Test(
        "what later saves depend on is refused, and nothing is changed",
        arguments: Later.allCases
    )
    func conflicts(later: Later) throws {
        for store in TestStore.allCases {
            try store.withContainer { container in
                let context = container.makeContext()
                let luggage = Luggage(context, "A1", weight: 1, note: "old")
                let passenger = Passenger(context, "D", "ZMU")
                try context.save()
                switch later {
                case .use: break
                default: luggage.note = "new"
                }
                if later == .again { try context.delete(luggage) }
                try context.save()
                let saves = try container.history(after: nil)
                switch later {
                case .otherValue: luggage.note = "newer"
                case .deletion: try context.delete(luggage)
                case .use: luggage.owner = passenger
                case .again:
                    try takeBack([saves[1]], in: container)
                }
                try context.save()
                let before = try rows(container)
                let target = later == .use ? saves[0] : saves[1]
                let error = #expect(throws: HistoryConflictError.self) {
                    try takeBack([target], in: container) { change in
                        later == .use && change.id == luggage.objectID ? .never : .always
                    }
                }
                switch (later, error?.conflicts.first?.kind) {
                case (.otherValue, .changed("note", .text("new"), .text("newer"))): break
                case (.deletion, .gone), (.again, .present): break
                case (.use, .used("Luggage.owner", 1)): break
                case (_, let kind): Issue.record("\(store): \(String(describing: kind))")
                }
                #expect(try rows(container) == before)
                // Used only by what is deleted with it, or kept where it is used, it is none.
                if later == .use {
                    try takeBack([saves[0]], in: container) { change in
                        change.id == luggage.objectID ? .never : .unlessUsed
                    }
                    #expect(try rows(container) == before)
                }
            }
        }
    }

    @Test("an error leaves the context as it was")
    func untouched() throws {
        try TestStore.memory.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A1", weight: 1, note: "old")
            try context.save()
            luggage.note = "new"
            try context.save()
            luggage.weight = 5
            let saves = try container.history(after: nil)
            #expect(throws: HistoryConflictError.self) {
                try context.takeBack([saves[1], saves[1]])
            }
            #expect(luggage.note == "new" && luggage.weight == 5)
            try context.takeBack([saves[1]])
            #expect(luggage.note == "old" && luggage.weight == 5)
            try context.save()
        }
    }
}
