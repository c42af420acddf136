internal import ArgumentParser
internal import Foundation
internal import TagReading

/// How fast a backlog is filed, beside how fast its pictures are only read.
struct BacklogCase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backlog",
        abstract: "A backlog filed by the service, and the same pictures only read, in turn."
    )

    @Option(help: "How many pictures.")
    var pictures = 1000

    @Option(help: "The size of a module in pixels; 20 makes pictures of about a megapixel.")
    var module = 20

    @Option(help: "How often.")
    var rounds = 5

    @Flag(help: "Have the pictures belong to another user, as a group drops them.")
    var others = false

    func run() async throws {
        let source = try Pictures(tags: 100, module: module)
        let executable = try ReaderPool.locateExecutable()
        var ratios: [Double] = []
        var costs: [Double] = []
        for _ in 0..<rounds {
            let inbox = try Inbox(isOthers: others)
            for number in 0..<pictures {
                try inbox.stage("\(number).png", source[number])
                inbox.drop("\(number).png")
            }
            let reading = try await measure {
                let pool = ReaderPool(executable: executable)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<2 * pool.workers {
                        group.addTask { [pictures] in
                            for number in stride(from: worker, to: pictures, by: 2 * pool.workers) {
                                let path = inbox.path("inbox/origin/\(number).png")
                                _ = try await pool.read(TagImage(path: path))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                await pool.shutdown()
            }
            let filing = await measure {
                Service(inbox, ["--once"]).wait()
            }
            ratios.append(reading.time / filing.time)
            costs.append(reading.work / filing.work)
            print("read \(reading), filed \(filing)")
        }
        print(
            String(
                format: "median rate of the readers' that filing has: %.2f by time, %.2f by work",
                figures(ratios).median,
                figures(costs).median
            )
        )
    }

    /// What something has cost: seconds by the clock, and seconds of processors, which tell more where
    /// others use them too.
    private struct Cost: CustomStringConvertible {
        let time: Double
        let work: Double

        var description: String { String(format: "in %.2f s (work %.2f s)", time, work) }
    }

    private func measure(_ body: () async throws -> Void) async rethrows -> Cost {
        let start = (ContinuousClock.now, processorTime())
        try await body()
        return Cost(
            time: (ContinuousClock.now - start.0) / .seconds(1),
            work: processorTime() - start.1
        )
    }
}

extension Inbox: @unchecked Sendable {
    // Nothing in it changes after it was made.
}
