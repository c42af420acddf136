internal import CLinux
internal import Glibc

package enum ProcessEnd: Hashable, Sendable {
    case exited(Int32)
    case signalled(Int32)
    /// Another part of this process has reaped it first.
    case unknown

    /// Waits for the end of a child process, and reaps it.
    ///
    /// From then on, another process may get its identifier.
    package init(collecting identifier: Int32) {
        var status: Int32 = 0
        var result: pid_t
        repeat {
            result = unsafe waitpid(identifier, &status, 0)
        } while result < 0 && errno == EINTR
        self = result == identifier ? ProcessEnd(status: status) : .unknown
    }

    /// Takes the status from `waitpid`.
    package init(status: Int32) {
        let signal = status & 0x7F
        self = signal != 0 ? .signalled(signal) : .exited(status >> 8 & 0xFF)
    }
}

extension ProcessEnd: CustomStringConvertible {
    /// The end of a sentence that begins with "the process".
    package var description: String {
        switch self {
        case .exited(let status): "exited with status \(status)"
        case .signalled(let signal): "was ended by \(Self.name(ofSignal: signal))"
        case .unknown: "ended"
        }
    }

    private static func name(ofSignal signal: Int32) -> String {
        guard let name = unsafe system_signal_name(signal) else { return "signal \(signal)" }
        return unsafe "SIG" + String(cString: name)
    }
}
