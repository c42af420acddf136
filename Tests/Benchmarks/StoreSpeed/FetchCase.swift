internal import Foundation
internal import GRDB
internal import ObjectStore

/// What it costs to read every bag on record.
enum FetchCase {
    static func run(_ turns: Turns, bags count: Int = 63_000) throws {
        let folder = try ScratchFolder.inMemory()
        let pair = try StorePair(in: folder, bags: count)
        let queue = try DatabaseQueue(path: pair.path)
        var weights: [Double] = [0, 0, 0]
        let times = try turns.medians(units: count) { _ in
            // A context of its own, so that nothing is known yet.
            let bags = try pair.container.makeContext().fetch(FetchRequest(Bag.self))
            weights[0] = bags.reduce(0) { $0 + Double($1.readAll()) }
        } _: { _ in
            let records = try queue.read { try BagRecord.fetchAll($0) }
            weights[1] = records.reduce(0) { $0 + Double($1.weight) }
        } _: { _ in
            weights[2] = try pair.raw.read()
        } _: { _ in
            _ = try pair.container.makeContext().fetch(FetchRequest(Bag.self))
        } _: { _ in
            // The objects without their handles: what a report needs.
            _ = try pair.container.makeContext().fetchIDs(FetchRequest(Bag.self))
        }
        guard weights[0] == weights[1], weights[1] == weights[2] else {
            throw BenchmarkError.differentRows
        }
        Line.printHead("\(count) bags, a bag", other: "GRDB")
        for (name, time, goal) in [
            ("fetch, read every attribute", times[0], Line.Goal.atLeast(1.3)),
            ("fetch, read nothing", times[3], .none),
            ("fetch identities only", times[4], .none),
        ] {
            Line(name: name, ours: time, other: times[1], ratio: times[1] / time, goal: goal)
                .print()
        }
        Line(
            name: "(C: step through the rows)",
            ours: times[2],
            other: times[1],
            ratio: times[1] / times[2]
        ).print()
    }
}

extension Bag {
    /// Reads every attribute, as a program does that shows the bag.
    fileprivate func readAll() -> Float {
        let isOnTheWay = departedAt != nil && arrivedAt == nil
        return isOnTheWay && identifier != .absent ? weight : 0
    }
}
