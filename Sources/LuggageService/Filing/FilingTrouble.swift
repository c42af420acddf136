internal import ObjectStore

/// Why filing has paused.
package struct FilingTrouble: Sendable {
    /// What happened and what to do about it, for a person.
    package let message: String
    /// The stable code of the error, if it is the store's.
    package let code: String?
    /// The wait before the next try.
    package let wait: Duration

    init(_ error: any Error, wait: Duration) {
        message = (error as? StoreError)?.message ?? "\(error)"
        code = (error as? StoreError)?.code.description
        self.wait = wait
    }

    /// Whether someone changed the files of the record, and may not have finished.
    var isToSettle: Bool { code == StoreError.Code.incomplete.description }
}

/// Decides when to repeat a lasting trouble, and how long to wait before the next try.
struct TroubleTelling {
    /// How long to wait, and so to report the pause, after someone changed files of the record.
    private static let settlingTime = Duration.seconds(10)
    /// The shortest wait: while the record is locked, the try itself already waits.
    private static let shortest = Duration.milliseconds(200)

    private let backoff: Backoff
    private var message: String?
    private var count = 0
    private var next = ContinuousClock.now
    /// Whether to report the failure that was taken last.
    private(set) var isDue = false

    init(backoff: Backoff) {
        self.backoff = backoff
    }

    /// Takes a failure.
    ///
    /// - Parameter error: The failure.
    /// - Returns: What to report, and how long to wait.
    mutating func take(_ error: any Error) -> FilingTrouble {
        let trouble = FilingTrouble(error, wait: .zero)
        // The caller waits by another clock, so it may come a little early.
        isDue = trouble.message != message || .now + Self.shortest / 10 >= next
        if isDue {
            count += 1
            next = .now + backoff.delay(after: count)
            message = trouble.message
        }
        let wait =
            trouble.isToSettle
            ? Self.settlingTime
            : trouble.code == StoreError.Code.locked.description
                ? Self.shortest : max(Self.shortest, next - .now)
        return FilingTrouble(error, wait: wait)
    }
}
