internal import ObjectStore

/// Why filing has paused.
package struct FilingTrouble: Sendable {
    /// What happened and what to do about it, for a person.
    package let message: String
    /// The stable code of the store's error, where it is one.
    package let code: String?
    /// How often it has happened in a row.
    package let failures: Int
    /// After how long the record is tried again.
    package let wait: Duration

    init(_ error: any Error, failures: Int, wait: Duration) {
        message = (error as? StoreError)?.message ?? "\(error)"
        code = (error as? StoreError)?.code.description
        self.failures = failures
        self.wait = wait
    }

    /// Whether the files of the record were changed by somebody who may not have done yet.
    var isToSettle: Bool { code == StoreError.Code.incomplete.description }
}

/// Decides when a trouble that lasts is told again, and how long to wait before the next try.
struct TroubleTelling {
    /// How long what somebody has done to files of the record is told at least.
    private static let settlingTime = Duration.seconds(10)
    /// How long to wait where trying is waiting.
    private static let shortest = Duration.milliseconds(200)

    private let backoff: Backoff
    private var message: String?
    private var count = 0
    private var next = ContinuousClock.now
    /// Whether the last one that was taken is to be told.
    private(set) var isDue = false

    init(backoff: Backoff) {
        self.backoff = backoff
    }

    /// Takes a failure.
    ///
    /// - Parameters:
    ///   - error: The failure.
    ///   - failures: How many there were in a row.
    /// - Returns: What there is to tell, and how long to wait.
    mutating func take(_ error: any Error, _ failures: Int) -> FilingTrouble {
        let trouble = FilingTrouble(error, failures: failures, wait: .zero)
        // Whoever has waited until then may be a little early by another clock.
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
        return FilingTrouble(error, failures: failures, wait: wait)
    }
}
