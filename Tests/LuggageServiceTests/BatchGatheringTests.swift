import Testing

@testable import LuggageService

@Suite("A batch of pictures to be filed")
struct BatchGatheringTests {
    private let start = SuspendingClock.now
    private var limit: SuspendingClock.Instant { start + .milliseconds(100) }

    /// A batch for two readers, with so many waiting and so many still to come.
    private func gathering(waiting: Int, coming: Int) -> BatchGathering {
        var gathering = BatchGathering(readers: 2)
        gathering.coming = waiting + coming
        for _ in 0..<waiting { gathering.arrive(at: start) }
        return gathering
    }

    @Test(
        "waits for more only where the readers have enough to do and it is not large",
        arguments: [
            // A picture by itself, and a handful.
            (1, 0, false), (1, 1, false), (1, 4, false), (4, 4, false),
            // A backlog.
            (1, 5, true), (31, 5, true), (1, 66, true),
            // It is large enough.
            (32, 5, false), (64, 66, false), (200, 66, false),
            // Nothing to file.
            (0, 66, false),
        ]
    )
    func waits(waiting: Int, coming: Int, isExpected: Bool) {
        let gathering = gathering(waiting: waiting, coming: coming)
        #expect(gathering.patience(at: start) == (isExpected ? limit : nil))
    }

    @Test("waits no longer than the first picture may, however many come after it")
    func ends() {
        var gathering = gathering(waiting: 1, coming: 66)
        gathering.arrive(at: limit - .nanoseconds(1))
        #expect(gathering.patience(at: limit - .nanoseconds(1)) == limit)
        #expect(gathering.patience(at: limit) == nil)
    }

    @Test("is as large as one transaction may be, and leaves the rest for the next")
    func isLimited() {
        var gathering = gathering(waiting: 70, coming: 9)
        #expect(gathering.begin(at: start) == 64)
        #expect(gathering.waiting == 6)
        #expect(gathering.patience(at: start) == limit)
        #expect(gathering.begin(at: start) == 6)
        #expect(gathering.patience(at: start) == nil)
        #expect(gathering.coming == 9)
    }
}
