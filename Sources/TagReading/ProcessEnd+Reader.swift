internal import SystemSupport

#if canImport(Glibc)
internal import Glibc
#endif

extension ProcessEnd {
    /// Whether the kernel ended the process because its processor time was used up.
    var isProcessorLimit: Bool { self == .signalled(SIGXCPU) }

    /// Whether the kernel ended the process because of a system call that its filter forbids.
    var isForbiddenCall: Bool { self == .signalled(SIGSYS) }
}
