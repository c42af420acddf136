internal import System

#if canImport(Glibc)
internal import Glibc
#endif

extension ProcessEnd {
    /// Whether the kernel ended the process because its processor time was over.
    var isProcessorLimit: Bool { self == .signalled(SIGXCPU) }

    /// Whether the kernel ended the process because it asked for what its filter of system calls forbids.
    var isForbiddenCall: Bool { self == .signalled(SIGSYS) }
}
