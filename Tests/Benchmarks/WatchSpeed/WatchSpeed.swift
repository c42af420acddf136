internal import ArgumentParser

/// Measures the watch service from outside, as the program that people run.
///
/// `BENCHMARK=1 swift build -c release --product watch-speed`, then
/// `.build/release/watch-speed latency`, `backlog` or `soak`.
@main
struct WatchSpeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-speed",
        abstract: "Measure the watch service.",
        subcommands: [LatencyCase.self, BacklogCase.self, SoakCase.self]
    )
}
