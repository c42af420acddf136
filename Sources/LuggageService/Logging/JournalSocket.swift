internal import Synchronization
internal import SystemSupport

/// The journal's native protocol: one datagram for each entry, with named fields.
///
/// The protocol is described at <https://systemd.io/JOURNAL_NATIVE_PROTOCOL/>.
final class JournalSocket: Sendable {
    private let address: LocalAddress?
    /// Opened at the first entry.
    private let socket = Mutex<DatagramSocket?>(nil)

    /// Sends to the journal's socket at a path.
    init(path: String = "/run/systemd/journal/socket") {
        address = LocalAddress(path)
    }

    /// Sends an entry.
    ///
    /// - Returns: Whether the journal got it. An entry that is too long for it is cut.
    func send(_ fields: [(name: String, value: String)]) -> Bool {
        guard let address else { return false }
        return socket.withLock { socket in
            if socket == nil { socket = DatagramSocket() }
            guard let opened = socket else { return false }
            switch opened.send(Self.datagram(fields), to: address) {
            case .sent: return true
            case .tooLong:
                let cut = fields.map { ($0.name, String($0.value.prefix(512))) }
                return opened.send(Self.datagram(cut), to: address) == .sent
            case .failed: return false
            }
        }
    }

    /// The bytes of an entry.
    ///
    /// A value with a line break is preceded by its length, so nothing in it is taken for a field.
    static func datagram(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += Array(name.utf8)
            let value = Array(value.utf8)
            if value.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                let length = UInt64(value.count)
                bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
