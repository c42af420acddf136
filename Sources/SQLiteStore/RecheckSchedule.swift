/// When to check for a commit after a write to the log.
///
/// A commit becomes readable only when it is on the disk, some time after the last event. So the
/// watch checks again and again, each time after twice the delay, and stops after about a minute:
/// while nothing is written, nothing wakes up.
package struct RecheckSchedule: Sendable {
    private static let first = Duration.milliseconds(2)
    private static let last = Duration.seconds(32)

    /// The delay until the next check; nil if none is due.
    package private(set) var delay: Duration?

    /// Whether a check was made since the last event.
    package private(set) var hasLooked = false

    /// A schedule without checks.
    package init() {}

    /// Restarts the schedule after an event.
    package mutating func restart() {
        delay = Self.first
        hasLooked = false
    }

    /// Moves on to the next check.
    package mutating func advance() {
        guard let passed = delay else { return }
        hasLooked = true
        delay = passed < Self.last ? passed * 2 : nil
    }
}
