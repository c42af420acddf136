/// The waits between retries: each longer than the last, with jitter.
///
/// The jitter keeps callers that failed together from retrying at the same moment.
struct Backoff: Sendable {
    /// The first wait.
    var first = Duration.milliseconds(500)
    /// The longest wait.
    var longest = Duration.seconds(60)
    /// Gives a number between 0 and 1.
    var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }

    /// A random wait after a number of failures in a row, which is at least 1.
    ///
    /// The greatest wait doubles with each failure; the least is half of it.
    func delay(after failures: Int) -> Duration {
        let doublings = min(max(0, failures - 1), 20)
        let whole = min(longest, first * (1 << doublings))
        return whole / 2 + whole / 2 * jitter()
    }
}
