internal import Foundation
internal import ObjectStore

/// How costs grow with what is on record and with what is saved.
enum GrowthCases {
    /// The powers of ten up to the largest number.
    static func sizes(upTo largest: Int) -> [Int] {
        [1000, 10_000, 100_000, 1_000_000].filter { $0 <= largest }
    }

    /// A scan that arrives, saved by itself, with more and more bags on record.
    static func perScan(_ turns: Turns, upTo largest: Int) throws {
        Line.printHead("A scan's save, memory", other: "C")
        var first: (Double, Double)?
        for size in sizes(upTo: largest) {
            let folder = try ScratchFolder.inMemory()
            let pair = try StorePair(in: folder, bags: size)
            let count = 1000
            let scans = (0..<turns.rounds).map { round in
                // Bags from all over the file, each once a round, and later than in the last one.
                Scans(
                    of: (0..<count).map { ($0 * size / count + round) % size },
                    departing: false,
                    delay: round
                )
            }
            let times = try turns.medians(units: count) { round in
                for scan in scans[round].forObjects { try pair.container.save([scan]) }
            } _: { round in
                for scan in scans[round].forC { try pair.raw.save([scan]) }
            }
            try pair.check()
            let base = first ?? (times[0], times[1])
            first = base
            Line(
                name: "\(size) bags on record (ratio: to the first)",
                ours: times[0],
                other: times[1],
                ratio: times[0] / base.0,
                goal: .atMost(1.5)
            ).print()
        }
    }

    /// Inserting, fetching and merging more and more objects with one save.
    static func perObject(_ turns: Turns, upTo largest: Int) throws {
        Line.printHead("One save of all, memory, an object", other: "C")
        for size in sizes(upTo: largest) {
            let departing = Scans(of: 0..<size)
            let arriving = Scans(of: 0..<size, departing: false)
            var times: [[Double]] = [[], []]
            for _ in 0..<turns.rounds {
                let folder = try ScratchFolder.inMemory()
                let pair = try StorePair(in: folder)
                let once = Turns(rounds: 1)
                let round = try once.medians(units: size) { _ in
                    try pair.container.save(departing.forObjects)
                } _: { _ in
                    for bag in try pair.container.makeContext().fetch(FetchRequest(Bag.self)) {
                        precondition(bag.weight > 0)
                    }
                } _: { _ in
                    try pair.container.save(arriving.forObjects)
                }
                let raw = try once.medians(units: size) { _ in
                    try pair.raw.save(departing.forC)
                } _: { _ in
                    _ = try pair.raw.read()
                } _: { _ in
                    try pair.raw.save(arriving.forC)
                }
                try pair.check()
                times[0] += round
                times[1] += raw
            }
            for (index, name) in ["insert", "fetch", "merge"].enumerated() {
                let medians = times.map { times in
                    let own = stride(from: index, to: times.count, by: 3).map { times[$0] }
                    return own.sorted()[own.count / 2]
                }
                Line(
                    name: "\(name) \(size)",
                    ours: medians[0],
                    other: medians[1],
                    ratio: medians[1] / medians[0],
                    goal: name == "merge" && size == 1_000_000 ? .atLeast(0.5) : .none
                ).print()
            }
        }
    }

    /// Undoing a step of one edit, and one of an edit of every object, with more and more objects.
    static func undo(_ turns: Turns, upTo largest: Int) throws {
        Line.printHead("Edit and undo, an edit", ours: "each alone", other: "in one step")
        var first: Double?
        for size in sizes(upTo: largest) {
            let model = try ManagedObjectModel(Passenger.entity, Bag.entity)
            let container = try PersistentContainer(model: model, store: InMemoryStore())
            try container.save(Scans(of: 0..<size).forObjects)
            let context = container.makeContext()
            context.undoLimit = 1000
            let bags = try context.fetch(FetchRequest(Bag.self))
            let alone = bags.prefix(1000)
            let times = try turns.medians(units: 1) { round in
                for bag in alone { bag.weight = Float(round + 1) }
                for _ in alone { context.undo() }
            } _: { round in
                context.undoGroup { for bag in bags { bag.weight = Float(round + 1) } }
                context.undo()
            }
            guard !context.hasChanges else { throw BenchmarkError.differentRows }
            let cost = times[0] / Double(alone.count)
            let base = first ?? cost
            first = base
            Line(
                name: "\(size) objects in the context (ratio: to first)",
                ours: cost,
                other: times[1] / Double(size),
                ratio: cost / base
            ).print()
        }
    }
}
