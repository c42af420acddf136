internal import ArgumentParser
internal import Foundation

/// Measures the board as people meet it.
///
/// Run with `BENCHMARK=1 swift build -c release` and then
/// `.build/release/board-speed news`, `pages --store FILE` or `rest --store FILE`.
@main
struct BoardSpeed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "board-speed",
        abstract: "Measure how fast the board shows news and pages, and what it costs at rest.",
        subcommands: [NewsCase.self, PagesCase.self, RestCase.self]
    )
}

/// The middle, and the values that 95 of 100 and all do not exceed.
func figures(_ milliseconds: [Double]) -> String {
    let sorted = milliseconds.sorted()
    guard let last = sorted.last else { return "nothing" }
    let high = sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    return String(
        format: "median %.1f ms, 95th percentile %.1f ms, at most %.1f ms",
        sorted[sorted.count / 2],
        high,
        last
    )
}

/// How many milliseconds have passed since a moment.
func milliseconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .milliseconds(1)
}
