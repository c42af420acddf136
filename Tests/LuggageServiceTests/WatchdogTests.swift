import Foundation
import Logging
import Synchronization
import TestFolders
import Testing

@testable import LuggageService

@Suite("The watchdog")
struct WatchdogTests {
    private let scratch: TemporaryFolder
    private let receiver: DatagramReceiver
    private let notifier: ServiceNotifier
    private let clock = ManualClock()
    private let log = RecordedLog()

    init() throws {
        scratch = try TemporaryFolder()
        receiver = try DatagramReceiver(at: scratch.path("notify"))
        notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": scratch.path("notify")])
    }

    /// Runs a watchdog with an interval of 40 s: a round is 20 s, and 10 s are for answers.
    private func watch(
        _ checks: [Watchdog<ManualClock>.Check],
        _ body: () async throws -> Void
    ) async rethrows {
        let watchdog = Watchdog(
            interval: .seconds(40),
            checks: checks,
            notifier: notifier,
            logger: log.logger(),
            clock: clock
        )
        let task = Task { await watchdog.run() }
        defer { task.cancel() }
        try await body()
        task.cancel()
        await task.value
    }

    @Test("tells the manager twice in the interval while every part gives signs of life")
    func alive() async throws {
        await watch([("watcher", { true }), ("store", { true })]) {
            for round in 1...3 {
                await clock.sleeperComes(until: .seconds(20 * round))
                #expect(receiver.nextText() == "WATCHDOG=1")
                #expect(receiver.next() == nil)
                clock.advance(to: .seconds(20 * round))
            }
        }
        #expect(log.lines.isEmpty)
    }

    @Test("tells it without any part too")
    func noParts() async throws {
        await watch([]) {
            await clock.sleeperComes(until: .seconds(20))
            #expect(receiver.nextText() == "WATCHDOG=1")
        }
    }

    @Test("is silent while a part says that it makes no progress, and says which")
    func dead() async throws {
        let isAlive = Mutex(false)
        await watch([("watcher", { true }), ("store", { isAlive.withLock { $0 } })]) {
            for round in 1...2 {
                await clock.sleeperComes(until: .seconds(20 * round))
                #expect(receiver.next() == nil)
                clock.advance(to: .seconds(20 * round))
            }
            // Once, however long it lasts.
            #expect(log.lines.map(\.level) == [.error])
            #expect(log.lines.first?.metadata["silent"] == "store")
            isAlive.withLock { $0 = true }
            await clock.sleeperComes(until: .seconds(60))
            clock.advance(to: .seconds(60))
            await clock.sleeperComes(until: .seconds(80))
            #expect(receiver.nextText() == "WATCHDOG=1")
            #expect(log.lines.map(\.level) == [.error, .notice])
        }
    }

    @Test("does not hang with a part that hangs, and asks it again once it has answered")
    func hanging() async throws {
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let questions = Mutex(0)
        let check: @Sendable () async -> Bool = {
            let isFirst = questions.withLock { questions in
                questions += 1
                return questions == 1
            }
            if isFirst { for await _ in gate { break } }
            return true
        }
        await watch([("watcher", { true }), ("pool", check)]) {
            for round in 1...2 {
                await clock.sleeperComes(until: .seconds(20 * round - 10))
                clock.advance(to: .seconds(20 * round - 10))
                await clock.sleeperComes(until: .seconds(20 * round))
                #expect(receiver.next() == nil)
                #expect(questions.withLock { $0 } == 1)
                clock.advance(to: .seconds(20 * round))
            }
            #expect(log.lines.map(\.metadata) == [["silent": "pool"]])
            await clock.sleeperComes(until: .seconds(50))
            opener.yield()
            await clock.sleeperComes(until: .seconds(60))
            #expect(receiver.nextText() == "WATCHDOG=1")
            clock.advance(to: .seconds(60))
            await clock.sleeperComes(until: .seconds(80))
            #expect(receiver.nextText() == "WATCHDOG=1")
            #expect(questions.withLock { $0 } == 2)
        }
    }

    @Test("ends when it is cancelled, even while a part hangs")
    func cancellation() async throws {
        let isCancelled = Mutex(false)
        await watch([
            (
                "pool",
                {
                    await withTaskCancellationHandler {
                        for await _ in AsyncStream<Void>.makeStream().stream { break }
                    } onCancel: {
                        isCancelled.withLock { $0 = true }
                    }
                    return true
                }
            )
        ]) {
            await clock.sleeperComes(until: .seconds(10))
        }
        #expect(isCancelled.withLock { $0 })
        #expect(receiver.next() == nil)
    }
}
