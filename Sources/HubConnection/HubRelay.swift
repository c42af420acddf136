internal import Glibc
package import SystemSupport

/// Passes connections on to a hub, for a program that has no network.
///
/// That program connects to 127.0.0.1 for the first host of the hub's address, to 127.0.0.2 for the second, and so
/// on. What passes is encrypted between it and the hub.
package struct HubRelay: Sendable {
    private let targets: [(host: String, port: String)]
    private let tell: @Sendable (String) -> Void

    /// Names the hub.
    ///
    /// - Parameters:
    ///   - address: The address of the hub.
    ///   - tell: Is told which host cannot be reached, and why.
    package init(to address: HubAddress, tell: @escaping @Sendable (String) -> Void) {
        (targets, self.tell) = (address.targets, tell)
    }

    /// Passes on the connections that come, each on threads of its own.
    ///
    /// - Parameter listener: A socket that listens.
    /// - Returns: Why it can take no more of them.
    package func run(_ listener: Int32) -> SystemError {
        while true {
            let client = accept(listener, nil, nil)
            if client >= 0 {
                DetachedThread.startPatiently { pass(client) }
            } else if ![EINTR, ECONNABORTED, EPROTO].contains(errno) {
                return .last
            }
        }
    }

    private func pass(_ client: Int32) {
        let index = Self.lastByte(ofAddressOf: client) - 1
        guard targets.indices.contains(index) else {
            close(client)
            return
        }
        let (host, port) = targets[index]
        do throws(Unreachable) {
            let line = Line(client: client, hub: try Self.connect(to: host, port))
            DetachedThread.startPatiently { line.forward(line.client, to: line.hub) }
            line.forward(line.hub, to: line.client)
        } catch {
            close(client)
            tell("\(host.onOneLine), port \(port.onOneLine), cannot be reached: \(error.reason)")
        }
    }

    /// The two connections that are one; both are closed when neither direction needs them any more.
    private final class Line: Sendable {
        let client: Int32
        let hub: Int32

        init(client: Int32, hub: Int32) { (self.client, self.hub) = (client, hub) }

        deinit {
            close(client)
            close(hub)
        }

        /// Passes bytes on in one direction until either side ends, and ends both.
        func forward(_ source: Int32, to target: Int32) {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                let count = unsafe recv(source, &bytes, bytes.count, 0)
                if count < 0, errno == EINTR { continue }
                guard count > 0, Array(bytes.prefix(count)).writeAll(to: target) == 0 else { break }
            }
            for end in [source, target] { shutdown(end, Int32(SHUT_RDWR)) }
        }
    }

    private struct Unreachable: Error {
        var reason: String
    }

    /// Connects, and lets a dead link be known as ``DeadLink`` says.
    private static func connect(to host: String, _ port: String) throws(Unreachable) -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_ADDRCONFIG
        var found: UnsafeMutablePointer<addrinfo>?
        let failure = unsafe getaddrinfo(host, port, &hints, &found)
        guard failure == 0 else {
            throw Unreachable(reason: unsafe String(cString: gai_strerror(failure)))
        }
        defer { unsafe freeaddrinfo(found) }
        var error = SystemError(number: EADDRNOTAVAIL)
        var next = unsafe found
        while let address = unsafe next?.pointee {
            unsafe next = address.ai_next
            let hub = unsafe socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            for (level, option, value) in [
                (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, DeadLink.unacknowledged),
                (Int32(IPPROTO_TCP), TCP_KEEPIDLE, DeadLink.idle),
                (Int32(IPPROTO_TCP), TCP_KEEPINTVL, DeadLink.interval),
                (Int32(IPPROTO_TCP), TCP_KEEPCNT, DeadLink.count),
                (Int32(IPPROTO_TCP), TCP_NODELAY, 1), (SOL_SOCKET, SO_KEEPALIVE, 1),
            ] {
                var value = Int32(value)
                unsafe setsockopt(hub, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
            }
            if unsafe Glibc.connect(hub, address.ai_addr, address.ai_addrlen) == 0 { return hub }
            error = .last
            if hub >= 0 { close(hub) }
        }
        throw Unreachable(reason: error.description)
    }

    /// The last byte of the address at which a client has found this program.
    private static func lastByte(ofAddressOf client: Int32) -> Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(client, address, &size)
            }
        }
        return result == 0 ? Int(UInt32(bigEndian: address.sin_addr.s_addr) & 0xFF) : 0
    }
}
