import ObjectStore
import StoreTesting
import Testing

@Suite("A property that was read before")
struct RowPlaceTests {
    /// How its value changes.
    enum Change: CaseIterable {
        case assigning, undoing, rollingBack, failingGroup, deleting, undoingDeletion
        case saving, savingEdit, savingDeletion, merging, refreshing, fetching, resetting
    }

    @Test(
        "has the present value, however it changed",
        arguments: TestStore.allCases,
        Change.allCases
    )
    func present(store: TestStore, change: Change) throws {
        struct Stop: Error {}
        try store.withContainer { container in
            let other = container.makeContext()
            let theirs = Luggage(other, "A", weight: 1, note: "first")
            try other.save()
            let context = container.makeContext()
            context.undoLimit = 10
            let bag = try #require(try context.luggage("A"))
            if [.undoing, .rollingBack, .savingEdit].contains(change) { bag.weight = 2 }
            if change == .undoingDeletion { try context.delete(bag) }
            theirs.weight = 9
            theirs.note = "second"
            let save = try other.save()
            for _ in 0..<2 { (_, _) = (bag.weight, bag.note) }

            var expected: (weight: Double, note: String?) = (9, "second")
            switch change {
            case .assigning:
                bag.weight = 3
                expected = (3, "first")
            case .undoing:
                context.undo()
                expected = (1, "first")
            case .rollingBack:
                context.rollback()
                expected = (1, "first")
            case .failingGroup:
                #expect(throws: Stop.self) {
                    try context.transaction {
                        bag.weight = 4
                        _ = bag.note
                        throw Stop()
                    }
                }
                expected = (1, "first")
            case .deleting:
                try context.delete(bag)
                expected = (0, nil)
            case .undoingDeletion:
                context.undo()
                expected = (1, "first")
            case .saving:
                _ = Luggage(context, "A", weight: 5)
                try context.save()
                expected = (5, "second")
            case .savingEdit:
                try context.save()
                expected = (2, "second")
            case .savingDeletion:
                try context.delete(bag)
                try context.save()
                expected = (0, nil)
            case .merging: try context.mergeChanges(of: save)
            case .refreshing: try context.refresh(bag)
            case .fetching: _ = try context.luggage("A")
            case .resetting: context.reset()
            }
            for _ in 0..<2 {
                #expect(bag.weight == expected.weight)
                #expect(bag.note == expected.note)
            }
        }
    }
}
