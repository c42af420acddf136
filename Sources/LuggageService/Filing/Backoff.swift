/// The waits between retries: each longer than the last, with jitter.
///
/// The jitter keeps callers that failed together from retrying at the same moment.
package struct Backoff: Sendable {
    /// The first wait.
    package var first: Duration
    /// The longest wait.
    package var longest: Duration
    /// Gives a number between 0 and 1.
    package var jitter: @Sendable () -> Double

    /// Describes waits.
    package init(
        first: Duration = .milliseconds(500),
        longest: Duration = .seconds(60),
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        (self.first, self.longest, self.jitter) = (first, longest, jitter)
    }

    /// A random wait after a number of failures in a row, which is at least 1.
    ///
    /// The greatest wait doubles with each failure; the least is half of it.
    package func delay(after failures: Int) -> Duration {
        let doublings = min(max(0, failures - 1), 20)
        return random(upTo: min(longest, first * (1 << doublings)))
    }

    /// A random wait after a failure that lasts until a person has done something: nobody is so quick that
    /// shorter ones would be of use.
    package func longDelay() -> Duration { random(upTo: longest) }

    private func random(upTo whole: Duration) -> Duration { whole / 2 + whole / 2 * jitter() }
}
