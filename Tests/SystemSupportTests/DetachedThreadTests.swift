import Dispatch
import Synchronization
import Testing

@testable import SystemSupport
import Glibc

@Suite("A detached thread", .timeLimit(.minutes(30)))
struct DetachedThreadTests {
    /// Which signals the calling thread does not take.
    private static var blocked: Set<Int32> {
        var signals = sigset_t()
        unsafe pthread_sigmask(SIG_BLOCK, nil, &signals)
        return Set((1...64).filter { unsafe sigismember(&signals, $0) == 1 })
    }

    /// Those that the system lets nobody block, those of a fault of the thread itself, and those that
    /// the C library keeps for itself.
    private static let unblocked: Set<Int32> = [
        SIGKILL, SIGSTOP, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS, 32, 33,
    ]

    /// What a thread blocks that has started another one, and what the other blocks.
    private struct Masks {
        var before: Set<Int32>
        var after: Set<Int32>
        var other: Set<Int32>
    }

    @Test(
        "takes no signals but those of its own faults, whatever the one blocks that starts it",
        arguments: [[], [SIGSEGV, SIGTERM]]
    )
    func signals(blocked: Set<Int32>) async {
        let (masks, told) = AsyncStream.makeStream(of: Masks.self)
        // One whose mask nobody else depends on.
        let isStarted = DetachedThread.start {
            var signals = sigset_t()
            unsafe sigemptyset(&signals)
            for signal in blocked { unsafe sigaddset(&signals, signal) }
            unsafe pthread_sigmask(SIG_SETMASK, &signals, nil)
            let before = Self.blocked
            let other = Mutex<Set<Int32>?>(nil)
            let hasEnded = DispatchSemaphore(value: 0)
            DetachedThread.startPatiently {
                other.withLock { $0 = Self.blocked }
                hasEnded.signal()
            }
            let after = Self.blocked
            hasEnded.wait()
            let found = other.withLock { $0 } ?? []
            told.yield(Masks(before: before, after: after, other: found))
        }
        #expect(isStarted)
        for await masks in masks {
            #expect(masks.before == blocked)
            #expect(masks.after == blocked)
            #expect(masks.other == Set(1...64).subtracting(Self.unblocked))
            break
        }
    }
}
