internal import Dispatch
internal import Synchronization
internal import SystemSupport
internal import TagReading

/// One thread per processor, for long work that cannot be suspended.
///
/// Swift's cooperative threads are as few, and every other task would have to wait for them.
final class Lanes: Sendable {
    private let queues: [DispatchQueue]
    private let turn = Atomic<UInt>(0)

    /// Whether the task that wants some work was cancelled.
    private final class Interest: Sendable {
        let isLost = Atomic(false)
    }

    init(count: Int = availableProcessors()) {
        queues = (0..<max(1, count)).map { DispatchQueue(label: "luggage.reader-lane-\($0)") }
    }

    /// Runs work when its lane is free.
    ///
    /// - Returns: `nil` if the task was cancelled before that.
    func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value? {
        let interest = Interest()
        let lane = turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(queues.count)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queues[Int(lane)].async {
                    let isLost = interest.isLost.load(ordering: .relaxed)
                    continuation.resume(returning: isLost ? nil : work())
                }
            }
        } onCancel: {
            interest.isLost.store(true, ordering: .relaxed)
        }
    }
}
