internal import Dispatch
internal import Foundation
internal import ObjectStore
internal import Synchronization

/// What durable saves cost.
enum SaveCases {
    /// One scan a save on the disk, and a thousand a save in memory, against the program in C.
    static func run(_ turns: Turns) throws {
        Line.printHead("Durable saves, a scan", other: "C")
        // The times of a disk vary most, and the logs of both grow in the first rounds only.
        let more = Turns(rounds: max(turns.rounds, 25))
        try compare("1 scan a save, disk", .onDisk(), more, saves: 300, scansEach: 1, 0.9)
        try compare("1 scan a save, memory", .inMemory(), turns, saves: 2000, scansEach: 1, 0.6)
        try compare("1,000 a save, memory", .inMemory(), turns, saves: 10, scansEach: 1000, 0.75)
    }

    private static func compare(
        _ name: String,
        _ folder: consuming ScratchFolder,
        _ turns: Turns,
        saves: Int,
        scansEach size: Int,
        _ goal: Double
    ) throws {
        let stored = 3000
        let pair = try StorePair(in: folder, bags: stored)
        let count = saves * size
        let scans = (0..<turns.rounds).map { round in
            Scans(of: (stored + round * count)..<(stored + (round + 1) * count))
        }
        let times = try turns.medians(units: count) { round in
            for start in stride(from: 0, to: count, by: size) {
                try pair.container.save(scans[round].forObjects[start..<start + size])
            }
        } _: { round in
            for start in stride(from: 0, to: count, by: size) {
                try pair.raw.save(Array(scans[round].forC[start..<start + size]))
            }
        }
        try pair.check()
        Line(
            name: name,
            ours: times[0],
            other: times[1],
            ratio: times[1] / times[0],
            goal: .atLeast(goal)
        ).print()
    }

    /// Many savers at a time on the disk against a single one.
    static func concurrent(_ turns: Turns) throws {
        let (savers, each) = (64, 8)
        let folder = try ScratchFolder.onDisk()
        let pair = try StorePair(in: folder, bags: 3000)
        let container = pair.container
        let count = savers * each
        let scans = (0..<2 * turns.rounds).map { part in
            Scans(of: (3000 + part * count)..<(3000 + (part + 1) * count)).forObjects
        }
        let times = try turns.medians(units: count) { round in
            let scans = scans[2 * round]
            try Threads.run(savers) { saver in
                for scan in scans[saver * each..<(saver + 1) * each] { try container.save([scan]) }
            }
        } _: { round in
            for scan in scans[2 * round + 1] { try container.save([scan]) }
        }
        Line.printHead("Savers, on the disk, a scan", ours: "64", other: "single")
        Line(
            name: "64 savers against one",
            ours: times[0],
            other: times[1],
            ratio: times[1] / times[0],
            goal: .atLeast(5)
        ).print()
    }
}

/// Threads that all do the same: savers block while they wait for the disk.
private final class Threads: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    /// Runs a body on as many threads, waits for them, and throws the last error of one.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let threads = Threads()
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            Thread {
                do { try body(index) } catch { threads.failure.withLock { $0 = error } }
                group.leave()
            }.start()
        }
        group.wait()
        if let failure = threads.failure.withLock({ $0 }) { throw failure }
    }
}
