internal import Glibc
internal import SystemSupport

/// A local socket that sends datagrams, and never blocks for long.
final class DatagramSocket: Sendable {
    /// The result of sending.
    enum Outcome: Equatable {
        case sent
        /// The system takes no datagrams of this length.
        case tooLong
        /// Nobody is there, or nobody receives anything.
        case failed(Int32)
    }

    private let descriptor: Int32

    /// Makes a socket; nil if the system has none left.
    init?() {
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        // A peer that hangs must not make this process hang. The tuple stands for a `timeval`: in an
        // optimised build the compiler reports that its initializers are in a module of its own.
        var limit: (seconds: time_t, microseconds: suseconds_t) = (1, 0)
        let length = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, length)
    }

    deinit {
        close(descriptor)
    }

    func send(_ bytes: [UInt8], to address: LocalAddress) -> Outcome {
        while true {
            let count = unsafe address.withAddress { pointer, length in
                unsafe bytes.withUnsafeBytes { buffer in
                    unsafe sendto(
                        descriptor,
                        buffer.baseAddress,
                        buffer.count,
                        Int32(MSG_NOSIGNAL),
                        pointer,
                        length
                    )
                }
            }
            if count >= 0 { return .sent }
            switch errno {
            case EINTR: continue
            case EMSGSIZE: return .tooLong
            case let number: return .failed(number)
            }
        }
    }
}
