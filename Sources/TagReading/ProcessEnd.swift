internal import CReaderProtocol

#if canImport(Glibc)
internal import Glibc
#endif

/// How a process ended.
enum ProcessEnd: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// Somebody else took the news first.
    case unknown

    /// Whether the kernel ended the process because its processor time was over.
    var isProcessorLimit: Bool { self == .signalled(SIGXCPU) }

    /// Whether the kernel ended the process because it asked for what its filter of system calls forbids.
    var isForbiddenCall: Bool { self == .signalled(SIGSYS) }

    /// Takes apart what `waitpid` reports.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7F
        self = signal == 0 ? .exited(waitStatus >> 8 & 0xFF) : .signalled(signal)
    }
}

extension ProcessEnd: CustomStringConvertible {
    /// To complete "the process …".
    var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let signal): "was ended by \(Self.name(ofSignal: signal))"
        case .unknown: "ended"
        }
    }

    private static func name(ofSignal signal: Int32) -> String {
        guard let name = unsafe reader_signal_name(signal) else { return "signal \(signal)" }
        return unsafe "SIG" + String(cString: name)
    }
}
