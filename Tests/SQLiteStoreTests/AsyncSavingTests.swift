import Foundation
import ObjectStore
import StoreTesting
import Testing

@Suite("Saving without holding up tasks")
struct AsyncSavingTests {
    @Test("many tasks save at once, and every one is stored", arguments: TestStore.allCases)
    func many(store: TestStore) async throws {
        try await store.withContainer { container in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        let context = container.makeContext()
                        let luggage = Luggage(context, "\(index)", weight: 1)
                        let result = try await context.save()
                        #expect(result.change(of: luggage)?.kind == .inserted)
                        #expect(!luggage.objectID.isProvisional)
                        return index
                    }
                }
                for try await _ in group {}
            }
            #expect(try container.makeContext().count(Luggage.self) == 200)
        }
    }

    @Test("errors come through, and the changes stay", arguments: TestStore.allCases)
    func errors(store: TestStore) async throws {
        try await store.withContainer { container in
            let context = container.makeContext()
            let luggage = Luggage(context, "A1", weight: -1)
            await #expect(throws: ValidationError.self) { try await context.save() }
            #expect(context.hasChanges)
            luggage.weight = 1
            try await context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test("other tasks run while savers wait", arguments: TestStore.allCases)
    func waiting(store: TestStore) async throws {
        try await store.withContainer { container in
            let (isHeld, isFree) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread {
                try? container.transaction { _ in
                    isHeld.signal()
                    isFree.wait()
                }
            }
            .start()
            await withCheckedContinuation { continuation in
                Thread {
                    isHeld.wait()
                    continuation.resume()
                }
                .start()
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<32 {
                    group.addTask {
                        let context = container.makeContext()
                        _ = Luggage(context, "\(index)", weight: 1)
                        try await context.save()
                    }
                }
                // More tasks than there are processors, all after the savers.
                let sums = await withTaskGroup(of: Int.self) { others in
                    for index in 0..<32 { others.addTask { (0...index).reduce(0, +) } }
                    return await others.reduce(0, +)
                }
                #expect(sums == 5456)
                #expect(try container.makeContext().count(Luggage.self) == 0)
                isFree.signal()
                try await group.waitForAll()
            }
            #expect(try container.makeContext().count(Luggage.self) == 32)
        }
    }

    @Test("a task that was cancelled before does not save", arguments: TestStore.allCases)
    func cancelled(store: TestStore) async throws {
        try await store.withContainer { container in
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                let context = container.makeContext()
                _ = Luggage(context, "A1", weight: 1)
                await #expect(throws: CancellationError.self) { try await context.save() }
            }
            await task.value
            let count = try container.makeContext().count(Luggage.self)
            #expect(count == 0)
        }
    }
}
