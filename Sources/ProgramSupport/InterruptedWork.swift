internal import CLinux
internal import Glibc

/// The unfinished file or folder that is removed if a signal ends the program.
///
/// There is only one at a time: a signal handler may do little, and reads only a pointer.
package enum InterruptedWork {
    /// Set before the handler is installed, and changed by one task only.
    nonisolated(unsafe) private static var path: UnsafeMutablePointer<CChar>?

    /// Handles signals from now on: they remove the work, and then end the program as usual.
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

    /// Forgets the work, which is complete or removed.
    static func forget() {
        // Does not free the text: a handler may be reading it.
        unsafe path = nil
    }

    /// Whether the program was started with a signal ignored.
    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // SIG_IGN is not a function, but the address 1.
        let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == 1
    }
}
