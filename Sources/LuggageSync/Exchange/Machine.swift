internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

/// Which machine this is, so that a record that was restored here is told from one that was copied elsewhere.
package enum Machine {
    /// An identifier that tells nothing about the machine; the same each time.
    ///
    /// It is made of the machine's own identifier, which copies of a disk often share, and of the addresses of
    /// its network cards, which they do not.
    package static var identifier: String {
        var parts = ["luggage machine"]
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            parts.append(text.trimmed)
            break
        }
        let cards = "/sys/class/net"
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: cards)) ?? []).sorted()
        where FileManager.default.fileExists(atPath: "\(cards)/\(name)/device") {
            guard
                let text = try? String(contentsOfFile: "\(cards)/\(name)/address", encoding: .utf8)
            else { continue }
            parts.append(text.trimmed)
        }
        return UUID.fact(telling: parts).uuidString
    }
}
