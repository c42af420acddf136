internal import Glibc

/// A port of 127.0.0.1 that nobody else takes who reserves one, also while nobody listens there.
final class PortReservation: Sendable {
    let port: Int
    private let descriptor: Int32

    /// Reserves a port below those that the system gives to clients.
    init() throws(TestHubError) {
        for _ in 0..<1000 {
            let port = Int.random(in: 10000..<32000)
            if let descriptor = Self.reserve(port) {
                (self.port, self.descriptor) = (port, descriptor)
                return
            }
        }
        throw TestHubError("no port is free")
    }

    deinit {
        close(descriptor)
    }

    private static func reserve(_ port: Int) -> Int32? {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isFree = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isFree else {
            close(descriptor)
            return nil
        }
        // From now on, and not before, a server may have it too: one that says the same, as PostgreSQL does.
        var one: Int32 = 1
        unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_REUSEADDR,
            &one,
            socklen_t(MemoryLayout<Int32>.size)
        )
        return descriptor
    }
}
