import Dispatch
import Testing

@testable import SystemSupport

@Suite("Threads for work", .timeLimit(.minutes(30)))
struct WorkThreadsTests {
    @Test("do all of it, no more at a time than there may be threads", arguments: [1, 3])
    func limit(limit: Int) async {
        let threads = WorkThreads(limit: limit)
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5000 {
                group.addTask {
                    await threads.run {
                        tally.begin()
                        tally.end()
                    }
                }
            }
        }
        #expect(tally.count == 5000)
        #expect((1...limit).contains(tally.most))
    }

    @Test("do work while other work waits")
    func waiting() async {
        let threads = WorkThreads(limit: 3)
        let gate = DispatchSemaphore(value: 0)
        async let first: Void = threads.run { gate.wait() }
        async let second: Void = threads.run { gate.wait() }
        #expect(await threads.run { 7 } == 7)
        gate.signal()
        gate.signal()
        _ = await (first, second)
    }
}
