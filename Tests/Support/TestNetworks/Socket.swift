internal import CTestNetworks
internal import Glibc
internal import SystemSupport

/// The calls of TCP that a relay needs, all of which return at once.
enum Socket {
    /// Listens at a free port of 127.0.0.1, or of all addresses of this host.
    static func listener(
        isEverywhere: Bool = false
    ) throws(SystemError) -> (descriptor: Int32, port: Int) {
        let descriptor = try make()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var address = sockaddr_in()
        let isListening =
            unsafe withAddress(port: 0, isEverywhere) { unsafe bind(descriptor, $0, $1) == 0 }
            && listen(descriptor, 128) == 0
        let isNamed = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(descriptor, address, &size) == 0
            }
        }
        guard isListening, isNamed else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Begins to connect to a port of 127.0.0.1; whether that succeeds, reading and writing tell.
    static func connection(to port: Int) throws(SystemError) -> Int32 {
        let descriptor = try make()
        let isBegun = unsafe withAddress(port: port) { unsafe connect(descriptor, $0, $1) == 0 }
        guard isBegun || errno == EINPROGRESS else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Takes a connection that has come; nil if there is none.
    static func accepted(_ listener: Int32) -> Int32? {
        let descriptor = test_network_accept(listener)
        guard descriptor >= 0 else { return nil }
        beSwift(descriptor)
        return descriptor
    }

    /// Closes a connection so that the other side hears that it is broken.
    static func reset(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_LINGER,
            &linger,
            socklen_t(MemoryLayout<Glibc.linger>.size)
        )
        close(descriptor)
    }

    private static func make() throws(SystemError) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw SystemError.last }
        beSwift(descriptor)
        return descriptor
    }

    /// Sends every byte at once, as it comes.
    private static func beSwift(_ descriptor: Int32) {
        var one: Int32 = 1
        unsafe setsockopt(
            descriptor,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &one,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    private static func withAddress<Result>(
        port: Int,
        _ isEverywhere: Bool = false,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(isEverywhere ? 0 : 0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, size)
            }
        }
    }
}

/// Listens at a free port of all addresses of this host, for who waits for connections.
package func listenEverywhere() throws -> (descriptor: Int32, port: Int) {
    let listener = try Socket.listener(isEverywhere: true)
    _ = fcntl(listener.descriptor, F_SETFL, 0)
    return listener
}
