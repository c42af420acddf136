import Foundation
import TagPrinting

/// A port where a printer might listen.
final class ListeningPort: Sendable {
    private let descriptor: Int32
    private let port: UInt16

    struct Failed: Error {}

    init() throws {
        descriptor = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let status = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        if !status { throw Failed() }
    }

    deinit { close(descriptor) }

    var address: PrinterAddress { .socket(host: "127.0.0.1", port: port) }

    /// Takes what one connection brings, to its end.
    func takeAll() -> Later<[UInt8]> {
        onThread { [descriptor] in Self.all(from: accept(descriptor, nil, nil)) }
    }

    /// Takes what a descriptor brings, to its end, and closes it.
    static func takeAll(from descriptor: Int32) -> Later<[UInt8]> {
        onThread { all(from: descriptor) }
    }

    private static func all(from descriptor: Int32) -> [UInt8] {
        var taken: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&polled, 1, -1)
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count <= 0 { break }
            taken += buffer.prefix(count)
        }
        close(descriptor)
        return taken
    }

    /// Takes some bytes of one connection, and breaks it.
    func hangUp(after count: Int) -> Later<Int> {
        onThread { [descriptor] in
            let connection = accept(descriptor, nil, nil)
            var buffer = [UInt8](repeating: 0, count: count)
            let taken = unsafe recv(connection, &buffer, count, Int32(MSG_WAITALL))
            // What is on its way is dropped, as by a printer that is switched off.
            close(connection)
            return taken
        }
    }
}

/// What a thread will have done.
struct Later<Value: Sendable>: Sendable {
    fileprivate let stream: AsyncStream<Value>

    var value: Value? {
        get async {
            for await value in stream { return value }
            return nil
        }
    }
}

/// Begins at once, on a thread of its own: the senders keep those that tests share.
private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
) -> Later<Result> {
    let stream = AsyncStream<Result> { continuation in
        Thread.detachNewThread {
            continuation.yield(body())
            continuation.finish()
        }
    }
    return Later(stream: stream)
}
