import Dispatch
import Testing

@testable import SystemSupport

@Suite("Threads for tasks", .timeLimit(.minutes(30)))
struct TaskThreadsTests {
    private actor Sum {
        var value = 0
        var executors: Set<ObjectIdentifier?> = []

        func add(_ number: Int) {
            value += number
            executors.insert(TaskThreads.ofCurrentTask.map { ObjectIdentifier($0) })
        }
    }

    @Test("A task is on them with its children and with actors, and is so after it has waited")
    func inheritance() async {
        let threads = TaskThreads(count: 2)
        let sum = Sum()
        #expect(TaskThreads.ofCurrentTask == nil)
        await withTaskExecutorPreference(threads) {
            await withTaskGroup(of: Void.self) { group in
                for number in 1...100 {
                    group.addTask {
                        await Task.yield()
                        await sum.add(number)
                        try? await threads.clock.sleep(for: .microseconds(number))
                        await sum.add(-number)
                        #expect(TaskThreads.ofCurrentTask as? TaskThreads === threads)
                    }
                }
            }
        }
        #expect(await sum.value == 0)
        #expect(await sum.executors == [ObjectIdentifier(threads)])
    }

    @Test("Nothing is lost or done twice where many tasks want few threads", arguments: [1, 2, 5])
    func contention(count: Int) async {
        let threads = TaskThreads(count: count, most: count)
        let turns = Tally()
        await withTaskExecutorPreference(threads) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        for _ in 0..<350 {
                            turns.add()
                            await Task.yield()
                        }
                    }
                }
            }
        }
        #expect(turns.count == 70_000)
    }

    @Test("Others come to help where all of them wait for something else")
    func relief() async {
        let threads = TaskThreads(count: 2)
        let gate = DispatchSemaphore(value: 0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask(executorPreference: threads) { Self.block(gate) }
            }
            // It comes last, and so has no turn before all of the others wait.
            group.addTask(executorPreference: threads) {
                for _ in 0..<3 { gate.signal() }
            }
        }
    }

    private static func block(_ gate: DispatchSemaphore) {
        gate.wait()
    }

    @Test("A task can be made on the threads of the one that makes it")
    func unstructured() async {
        let threads = TaskThreads(count: 1)
        await withTaskExecutorPreference(threads) {
            let isThere = await Task(executorPreference: TaskThreads.ofCurrentTask) {
                TaskThreads.ofCurrentTask as? TaskThreads === threads
            }.value
            #expect(isThere)
        }
        let isNowhere = await Task(executorPreference: TaskThreads.ofCurrentTask) {
            TaskThreads.ofCurrentTask == nil
        }.value
        #expect(isNowhere)
    }
}
