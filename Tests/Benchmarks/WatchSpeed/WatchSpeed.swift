internal import ArgumentParser

/// Measures the watch service, and filing without it, from outside, as the program that people run.
///
/// `BENCHMARK=1 swift build -c release --product watch-speed`, then
/// `.build/release/watch-speed latency`, `backlog`, `scan` or `soak`.
@main
struct WatchSpeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-speed",
        abstract: "Measure the watch service, and filing without it.",
        subcommands: [LatencyCase.self, BacklogCase.self, ScanCase.self, SoakCase.self]
    )
}
