internal import Glibc

/// The address of a local socket: a path, or an abstract name, which begins with `@`.
struct DatagramAddress: Equatable {
    /// The name for the system, in which an abstract one begins with a zero byte.
    fileprivate let name: [UInt8]

    /// Parses an address; nil if it is neither, or too long for the system.
    init?(_ text: String) {
        var name = Array(text.utf8)
        guard name.count > 1, !name.contains(0) else { return nil }
        switch name[0] {
        case UInt8(ascii: "@"): name[0] = 0
        case UInt8(ascii: "/"): name.append(0)
        default: return nil
        }
        guard name.count <= MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
        self.name = name
    }

    fileprivate func withAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        let length = socklen_t(offset + name.count)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe body(pointer, length)
            }
        }
    }
}

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

    func send(_ bytes: [UInt8], to address: DatagramAddress) -> Outcome {
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
