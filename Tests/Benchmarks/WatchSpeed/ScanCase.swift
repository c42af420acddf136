internal import ArgumentParser
internal import Foundation

/// What it costs to file many pictures by hand, beside what reading them costs.
struct ScanCase: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Pictures only read, filed, and filed in a rehearsal, in turn."
    )

    @Option(help: "How many pictures.")
    var pictures = 2000

    @Option(help: "The size of a module in pixels; 3 makes the smallest pictures that are read.")
    var module = 3

    @Option(help: "How often.")
    var rounds = 5

    func run() throws {
        let source = try Pictures(tags: pictures, module: module)
        let inbox = try Inbox()
        for number in 0..<pictures { try inbox.stage("\(number).png", source[number]) }
        let scan = ["scan", "--at", "origin", "--store", inbox.store, inbox.path("staging")]
        var ratios: [Double] = []
        var rehearsals: [Double] = []
        for _ in 0..<rounds {
            let reading = work { Service.run(["read", inbox.path("staging")]) }
            let rehearsing = work { Service.run(scan + ["--dry-run"]) }
            let filing = work { Service.run(scan) }
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: inbox.store + suffix)
            }
            ratios.append(filing / reading)
            rehearsals.append(rehearsing / filing)
            print(
                String(
                    format: "processor time: read %.2f s, filed %.2f s, rehearsed %.2f s",
                    reading,
                    filing,
                    rehearsing
                )
            )
        }
        print(
            String(
                format: "medians: filing costs %.2f of reading, a rehearsal %.2f of filing",
                figures(ratios).median,
                figures(rehearsals).median
            )
        )
    }

    private func work(_ body: () -> Void) -> Double {
        let start = processorTime()
        body()
        return processorTime() - start
    }
}
