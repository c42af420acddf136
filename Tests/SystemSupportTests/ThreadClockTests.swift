import Testing

@testable import SystemSupport

@Suite("The clock of the threads", .timeLimit(.minutes(30)))
struct ThreadClockTests {
    private let clock = TaskThreads(count: 2).clock

    @Test("wakes nobody before the time", arguments: [0, 1, 20] as [Int64])
    func time(milliseconds: Int64) async throws {
        let start = SuspendingClock.now
        try await clock.sleep(for: .milliseconds(milliseconds))
        #expect(start.duration(to: .now) >= .milliseconds(milliseconds))
    }

    @Test("does not let anybody sleep whose time is over")
    func over() async throws {
        try await clock.sleep(until: clock.now.advanced(by: .seconds(-1)), tolerance: nil)
    }

    @Test("wakes who comes later and wants to be woken sooner")
    func sooner() async {
        await withTaskGroup(of: Int.self) { group in
            group.addTask {
                // Until it is cancelled.
                try? await clock.sleep(for: .seconds(100_000))
                return 1
            }
            group.addTask {
                try? await clock.sleep(for: .milliseconds(1))
                return 2
            }
            #expect(await group.next() == 2)
            group.cancelAll()
            #expect(await group.next() == 1)
        }
    }

    @Test("lets go whoever is cancelled, before the sleep and in it", arguments: [false, true])
    func cancellation(isAsleep: Bool) async throws {
        let clock = ThreadClock()
        let task = Task {
            if !isAsleep { while !Task.isCancelled { await Task.yield() } }
            try await clock.sleep(for: .seconds(100_000))
        }
        while isAsleep && clock.planned == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.planned == 0)
    }

    @Test("wakes each of many once, whatever is cancelled meanwhile")
    func many() async {
        let (onTime, cancelled) = (Tally(), Tally())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let task = Task { try await clock.sleep(for: .microseconds(number % 300)) }
                    if number % 3 == 0 { task.cancel() }
                    if case .success = await task.result { onTime.add() } else { cancelled.add() }
                }
            }
        }
        #expect(onTime.count + cancelled.count == 2000)
        #expect(onTime.count >= 1333)
    }
}
