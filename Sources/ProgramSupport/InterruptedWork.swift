internal import CLinux

#if canImport(Glibc)
internal import Glibc
#endif

/// The file or folder that is being made, to be taken away when somebody interrupts the program.
///
/// One at a time: a handler of signals may do little, and reads nothing but a pointer.
enum InterruptedWork {
    /// Set before the handler is there, and changed by one task only.
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

    /// Begins to watch for interruptions, which end the program as ever once the work is gone.
    static func remember(_ work: String) {
        unsafe path = unsafe strdup(work)
        for number in [SIGHUP, SIGINT, SIGTERM] where !isIgnored(number) {
            _ = signal(number) { number in
                if let path = unsafe InterruptedWork.path { unsafe filing_remove(path) }
                _ = signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    /// The work is complete, or gone.
    static func forget() {
        // The text stays: a handler may be reading it.
        unsafe path = nil
    }

    /// Whether the program was started so that a signal does not end it.
    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // The handler that ignores is no function, but the address 1.
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == 1
    }
}
