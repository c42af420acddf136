internal import Glibc
internal import SystemSupport

/// Bytes to a port of this machine, and back.
package enum Loopback {
    package static func connect(_ port: UInt16) throws -> Int32 {
        let socket = Glibc.socket(
            AF_INET,
            Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue),
            0
        )
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &place) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let error = SystemError.last
            close(socket)
            throw error
        }
        return socket
    }

    /// What comes back for some bytes until the other side closes, or as long as it is not whole.
    package static func answer(
        _ request: [UInt8],
        from port: UInt16,
        isWhole: ([UInt8]) -> Bool = { _ in false }
    ) throws -> [UInt8] {
        let socket = try connect(port)
        defer { close(socket) }
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(
            socket,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &limit,
            socklen_t(MemoryLayout<timeval>.size)
        )
        _ = send(request, to: socket)
        var answer: [UInt8] = []
        while !isWhole(answer), let bytes = receive(socket) { answer += bytes }
        return answer
    }

    /// Sends all bytes, unless the other side has closed; no signal ends this process then.
    package static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// What has come; nil at the end.
    package static func receive(_ socket: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = unsafe recv(socket, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }
}
