/// When to look for a commit after its file was written.
///
/// A commit can be read only when the disk has it, some time after the last sign of it. So one looks
/// again and again, each time after twice as long, and gives up after about a minute: while nothing
/// is written, nobody wakes up.
package struct RecheckSchedule: Sendable {
    private static let first = Duration.milliseconds(2)
    private static let last = Duration.seconds(32)

    /// How long to wait until the next look; nil where there is none to come.
    package private(set) var delay: Duration?

    /// Whether one has looked since the last sign.
    package private(set) var hasLooked = false

    /// A schedule with nothing to look for.
    package init() {}

    /// Begins anew, after a sign of a commit.
    package mutating func restart() {
        delay = Self.first
        hasLooked = false
    }

    /// Goes on to the next look.
    package mutating func advance() {
        guard let passed = delay else { return }
        hasLooked = true
        delay = passed < Self.last ? passed * 2 : nil
    }
}
