import Foundation
import ObjectStore
import SeededRandom
import StoreTesting
import TestThreads
import Testing

@Suite("Any history of saves, on each store", .serialized)
@LongTests
struct SetModelTests {
    /// How many histories are tried; more of them if the environment says so.
    nonisolated static let count =
        ProcessInfo.processInfo.environment["STORE_HISTORIES"].flatMap { Int($0) } ?? 200

    /// Whether a save has a context of its own, or all have the same, which keeps what it has read of them.
    enum Contexts: CaseIterable {
        case new, kept
    }

    @Test(
        "leaves what a model says that knows only sets",
        arguments: TestStore.allCases,
        Contexts.allCases
    )
    func histories(store: TestStore, contexts: Contexts) throws {
        for seed in 0..<Self.count {
            let history = SetHistory(seed: seed)
            guard let wrong = Self.failure(of: history, on: store, in: contexts) else { continue }
            let (least, why) = shrunk(history, by: \.steps, wrong) {
                Self.failure(of: $0, on: store, in: contexts)
            }
            Issue.record("seed \(seed): \(why)\nafter\n\(least)")
            return
        }
    }

    /// What is wrong after a history; nil for nothing.
    private static func failure(
        of history: SetHistory,
        on store: TestStore,
        in contexts: Contexts
    ) -> String? {
        do {
            return try store.withContainer { container in
                let stations = Stations(container, areKept: contexts == .kept)
                var model = SetModel()
                for (place, step) in history.steps.enumerated() {
                    let isExpected = try succeeds { try model.perform(step.deed, step.policy) }
                    var bags: [Luggage] = []
                    let isDone = try succeeds {
                        bags = try stations.perform(step.deed, step.policy)
                    }
                    for bag in bags where !bag.isDeleted {
                        let tag = Int(bag.tag.dropFirst())
                        if tag.flatMap({ model.bags[$0] }) != bag.values {
                            return "step \(place) left, and its context shows\n\(bag.values)"
                        }
                    }
                    let stored = try container.makeContext().sets
                    if isDone != isExpected || stored != model {
                        return """
                            step \(place) \(isDone ? "was saved" : "was refused") and left
                            \(stored)
                            by the model it \(isExpected ? "is saved" : "is refused") and leaves
                            \(model)
                            """
                    }
                }
                for context in stations.kept {
                    let shown = try context.sets
                    if shown != model { return "a context shows\n\(shown)\nand not\n\(model)" }
                }
                return nil
            }
        } catch {
            return "\(error)"
        }
    }

    /// Whether nothing refuses a save.
    private static func succeeds(_ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch is MergeConflictError {
            return false
        } catch is ValidationError {
            return false
        } catch is SetModel.Refusal {
            return false
        }
    }
}

/// The contexts of who does a deed, and of who does something meanwhile.
private struct Stations {
    private let container: PersistentContainer
    /// None, or both.
    let kept: [ManagedObjectContext]

    init(_ container: PersistentContainer, areKept: Bool) {
        self.container = container
        kept = areKept ? [container.makeContext(), container.makeContext()] : []
    }

    /// Does what a deed does, or nothing if it is refused.
    ///
    /// - Returns: The bags that were saved.
    func perform(_ deed: SetHistory.Deed, _ policy: MergePolicy) throws -> [Luggage] {
        let mine = kept.first ?? container.makeContext()
        let theirs = kept.last ?? container.makeContext()
        mine.mergePolicy = policy
        theirs.mergePolicy = .error
        do {
            return try perform(deed, in: mine) { _ = try perform($0, in: theirs) { _ in } }
        } catch {
            mine.rollback()
            theirs.rollback()
            throw error
        }
    }

    /// Does what a deed does, and saves it.
    ///
    /// - Parameters:
    ///   - deed: The deed.
    ///   - context: Where it is done.
    ///   - doMeanwhile: Does a deed in another context.
    /// - Returns: The bags that were saved.
    /// - Throws: Why it is refused.
    private func perform(
        _ deed: SetHistory.Deed,
        in context: ManagedObjectContext,
        meanwhile doMeanwhile: (SetHistory.Deed) throws -> Void
    ) throws -> [Luggage] {
        var bags: [Luggage?] = []
        switch deed {
        case .insert(let tag, let values):
            bags = [context.insert(tag, values)]
        case .insertTwice(let tag, let first, let second):
            bags = [context.insert(tag, first), context.insert(tag, second)]
        case .edit(let tag, let values):
            bags = [try context.bag(tag)]
            try bags[0]?.assign(values, in: context)
        case .editMeanwhile(let tag, let theirs, let mine):
            bags = [try context.bag(tag)]
            try bags[0]?.assign(mine, in: context)
            try doMeanwhile(.edit(tag: tag, theirs))
        case .rename(let tag, let other):
            bags = [try context.bag(tag)]
            bags[0]?.tag = "T\(other)"
        case .swap(let tag, let other):
            bags = [try context.bag(tag), try context.bag(other)]
            guard let bag = bags[0], let second = bags[1] else { return [] }
            (bag.tag, second.tag) = (second.tag, bag.tag)
        case .seal(let tag, let number):
            if let bag = try context.bag(tag) { _ = Seal(context, number, on: bag) }
        case .delete(let tag):
            if let bag = try context.bag(tag) { try context.delete(bag) }
        case .deleteMeanwhile(let tag, let mine):
            bags = [try context.bag(tag)]
            try bags[0]?.assign(mine, in: context)
            try doMeanwhile(.delete(tag: tag))
        case .deleteWhatTheyEdit(let tag, let theirs):
            if let bag = try context.bag(tag) { try context.delete(bag) }
            try doMeanwhile(.edit(tag: tag, theirs))
        case .deleteAndInsert(let tag, let values):
            guard let bag = try context.bag(tag) else { return [] }
            try context.delete(bag)
            bags = [context.insert(tag, values)]
        case .deletePassenger(let name):
            if let passenger = try context.passenger(name) { try context.delete(passenger) }
        }
        try context.save()
        return bags.compactMap(\.self)
    }
}

extension ManagedObjectContext {
    /// What it shows.
    fileprivate var sets: SetModel {
        get throws {
            var bags: [Int: SetHistory.Values] = [:]
            var seals: [Int: Set<Int>] = [:]
            for bag in try fetch(FetchRequest(Luggage.self)) {
                let tag = try #require(Int(bag.tag.dropFirst()))
                try #require(bags[tag] == nil, "two bags have a tag")
                bags[tag] = bag.values
                let numbers = bag.seals.compactMap(\.number)
                try #require(Set(numbers).count == bag.seals.count, "two seals have a number")
                if !numbers.isEmpty { seals[tag] = Set(numbers) }
            }
            #expect(try count(Seal.self) == seals.values.map(\.count).reduce(0, +))
            let names = try fetch(FetchRequest(Passenger.self)).map(\.familyName)
            try #require(Set(names).count == names.count, "two passengers have a name")
            return SetModel(bags: bags, passengers: Set(names.compactMap { Int($0) }), seals: seals)
        }
    }

    fileprivate func bag(_ tag: Int) throws -> Luggage? { try luggage("T\(tag)") }

    fileprivate func passenger(_ name: Int) throws -> Passenger? {
        try first(FetchRequest(Passenger.self).where(\.familyName, is: "\(name)"))
    }

    /// Inserts a bag, with an owner who may be on record already.
    fileprivate func insert(_ tag: Int, _ values: SetHistory.Values) -> Luggage {
        let bag = Luggage(self, "T\(tag)")
        bag.assign(values) { Passenger(self, "P", "\($0)") }
        return bag
    }
}

extension Luggage {
    /// Assigns values, with an owner who is on record, or none.
    fileprivate func assign(_ values: SetHistory.Values, in context: ManagedObjectContext) throws {
        let owner = try (values[.owner] ?? nil).flatMap { try context.passenger($0) }
        assign(values) { _ in owner }
    }

    fileprivate func assign(_ values: SetHistory.Values, owner: (Int) -> Passenger?) {
        // In one order, whatever that of the dictionary is.
        for slot in SetHistory.Slot.allCases {
            guard let value = values[slot] else { continue }
            switch slot {
            case .heaviest: heaviest = value
            case .lightest: lightest = value
            case .note: note = value.map(String.init)
            case .original: original = value
            case .owner: self.owner = value.flatMap(owner)
            case .priority: priority = value ?? 0
            case .weight: weight = Double(value ?? 0)
            }
        }
    }

    fileprivate var values: SetHistory.Values {
        [
            .heaviest: heaviest, .lightest: lightest, .note: note.flatMap { Int($0) },
            .original: original, .owner: owner.flatMap { Int($0.familyName) },
            .priority: priority, .weight: Int(weight),
        ]
    }
}
