package import Glibc

/// The address of a local socket: a path, or an abstract name, which begins with `@`.
package struct LocalAddress: Equatable, Sendable {
    /// The name for the system, in which an abstract one begins with a zero byte.
    private let name: [UInt8]

    /// Parses an address; nil if it is neither, or too long for the system.
    package init?(_ text: String) {
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

    /// Passes it to a call of the system.
    package func withAddress<Result>(
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
