internal import SystemSupport

/// Where a printer is.
public enum PrinterAddress: Hashable, Sendable, CustomStringConvertible {
    /// A printer that CUPS knows by this name.
    case queue(String)
    /// A printer that takes what comes to a port of its own.
    case socket(host: String, port: UInt16)
    /// A printer at a cable: `/dev/usb/lp0`.
    case device(String)

    /// The port at which printers take raw bytes.
    private static let rawPort: UInt16 = 9100

    /// Parses an address.
    ///
    /// - Parameter text: A name, `socket://HOST`, `socket://HOST:PORT`, or the path of a device.
    /// - Throws: ``TagPrintingError`` if it is none of them.
    public init(_ text: String) throws {
        func refuse(_ reason: String) -> TagPrintingError {
            TagPrintingError(.printer, "\(text.quoted) \(reason)")
        }
        guard text.hiddenCharacters.isEmpty else { throw refuse("has invisible characters") }
        if text.hasPrefix("/") {
            self = .device(text)
        } else if text.hasPrefix("socket://") {
            guard let place = Self.place(text.dropFirst("socket://".count)) else {
                throw refuse("is no address of a printer; write it like socket://10.0.0.7:9100")
            }
            self = .socket(host: place.host, port: place.port)
        } else {
            // The rules of CUPS; and a name never looks like an option of `lp`.
            let isName =
                !text.isEmpty && text.utf8.count <= 127 && !text.hasPrefix("-")
                && !text.contains { " /#?'\"\\:".contains($0) }
            guard isName else {
                throw refuse(
                    "is no printer; write the name that `lpstat -e` tells, socket://HOST:PORT, or a device "
                        + "like /dev/usb/lp0"
                )
            }
            self = .queue(text)
        }
    }

    /// The host and the port; a host with colons of its own is in brackets.
    private static func place(_ text: Substring) -> (host: String, port: UInt16)? {
        var host = text
        var rest: Substring = ""
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            rest = text[text.index(after: end)...]
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            rest = text[colon...]
        }
        let isHost = !host.isEmpty && !host.contains { " /[]@?#".contains($0) }
        guard isHost else { return nil }
        if rest.isEmpty { return (String(host), rawPort) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let port = UInt16(digits), port > 0
        else { return nil }
        return (String(host), port)
    }

    /// The address as it is written.
    public var description: String {
        switch self {
        case .queue(let name): name
        case .socket(let host, let port):
            host.contains(":") ? "socket://[\(host)]:\(port)" : "socket://\(host):\(port)"
        case .device(let path): path
        }
    }
}
