internal import Glibc

/// A thread that nobody joins, and that may wait for anything.
///
/// It blocks all signals except those of its own faults. So another thread, which waits for them, gets
/// the signals to the process, and no signal interrupts a system call here.
package enum DetachedThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Starts a thread.
    ///
    /// - Returns: Whether the system could create one.
    package static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        let body = unsafe Unmanaged.passRetained(Body(run))
        var before = sigset_t()
        var mask = asynchronousSignals
        // The thread inherits this mask; if it set the mask itself, a signal could come before that.
        unsafe pthread_sigmask(SIG_SETMASK, &mask, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        var thread = pthread_t()
        let result = unsafe pthread_create(
            &thread,
            nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            },
            body.toOpaque()
        )
        guard result == 0 else {
            unsafe body.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Starts a thread that is indispensable, and retries until the system can create it.
    package static func startPatiently(_ run: @escaping @Sendable () -> Void) {
        while !start(run) { usleep(100_000) }
    }

    /// All signals except those of a fault of the thread itself.
    private static var asynchronousSignals: sigset_t {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        for fault in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] {
            unsafe sigdelset(&signals, fault)
        }
        return signals
    }
}
