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

    func run() async throws {
        let source = try Pictures(tags: 100, module: module)
        let executable = try ReaderPool.locateExecutable()
        var ratios: [Double] = []
        for _ in 0..<rounds {
            let inbox = try Inbox()
            for number in 0..<pictures {
                try inbox.stage("\(number).png", source[number])
                inbox.drop("\(number).png")
            }
            let reading = try await time {
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
            let filing = await time {
                Service(inbox, ["--once"]).wait()
            }
            ratios.append(reading / filing)
            print(
                String(
                    format: "read %.2f s, filed %.2f s, rate %.2f",
                    reading,
                    filing,
                    reading / filing
                )
            )
        }
        print(
            String(
                format: "median rate of the readers' that filing has: %.2f",
                figures(ratios).median
            )
        )
    }

    private func time(_ work: () async throws -> Void) async rethrows -> Double {
        let start = ContinuousClock.now
        try await work()
        return (ContinuousClock.now - start) / .seconds(1)
    }
}

extension Inbox: @unchecked Sendable {
    // Nothing in it changes after it was made.
}
