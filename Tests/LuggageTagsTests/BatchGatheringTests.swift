import Testing

@testable import LuggageTags

@Suite("A batch of pictures to be filed")
struct BatchGatheringTests {
    private let start = SuspendingClock.now
    private var limit: SuspendingClock.Instant { start + .milliseconds(50) }

    /// Two readers, a batch that was just begun, and so many that wait since or are still to come.
    private func gathering(waiting: Int, coming: Int, after last: Bool = true) -> BatchGathering<
        Int
    > {
        var gathering = BatchGathering<Int>(readers: 2)
        if last { #expect(gathering.begin(at: start) == []) }
        for _ in 0..<waiting + coming { gathering.expect() }
        for number in 0..<waiting { gathering.arrive(number) }
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

    @Test("waits for nothing where none was begun before, or not within a moment")
    func begins() {
        #expect(gathering(waiting: 1, coming: 66, after: false).patience(at: start) == nil)
        let later = gathering(waiting: 1, coming: 66)
        #expect(later.patience(at: limit - .nanoseconds(1)) == limit)
        #expect(later.patience(at: limit) == nil)
    }

    @Test("is as large as one transaction may be, and leaves the rest for the next")
    func isLimited() {
        var gathering = gathering(waiting: 70, coming: 9)
        let second = start + .milliseconds(20)
        #expect(gathering.begin(at: second) == Array(0..<64))
        #expect(gathering.waiting == Array(64..<70))
        #expect(gathering.patience(at: second) == second + .milliseconds(50))
        #expect(gathering.begin(at: second) == Array(64..<70))
        #expect(gathering.patience(at: second) == nil)
        #expect(gathering.coming == 9)
    }

    @Test("does not wait for pictures that were expected and are not to be filed")
    func givesUp() {
        var gathering = gathering(waiting: 3, coming: 5)
        #expect(gathering.patience(at: start) == limit)
        gathering.expectNoMore()
        #expect(gathering.patience(at: start) == nil)
    }
}
