import Foundation
import Glibc

/// The other end of a datagram socket: a service manager, or a journal.
final class DatagramReceiver: Sendable {
    private let descriptor: Int32

    /// Listens at a path, or at an abstract name that begins with `@`.
    init(at address: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { throw POSIXError(.EMFILE) }
        var name = Array(address.utf8)
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        var socketAddress = sockaddr_un()
        socketAddress.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &socketAddress.sun_path) {
            unsafe $0.copyBytes(from: name)
        }
        let isPath = address.hasPrefix("/")
        let length = socklen_t(MemoryLayout<sa_family_t>.size + name.count + (isPath ? 1 : 0))
        let result = unsafe withUnsafePointer(to: &socketAddress) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, length)
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
    }

    deinit {
        close(descriptor)
    }

    /// The next datagram, if one has been sent already: sending is delivering.
    func next() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let capacity = bytes.count
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe recv(descriptor, buffer.baseAddress, capacity, Int32(MSG_DONTWAIT))
        }
        return count < 0 ? nil : Array(bytes.prefix(count))
    }

    func nextText() -> String? {
        next().map { String(decoding: $0, as: UTF8.self) }
    }
}
