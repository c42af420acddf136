internal import ProgramSupport
internal import SystemSupport

/// Where the board listens: on an address of this machine, or on a socket for a server in front of it.
enum ListeningAddress: Equatable {
    case port(host: String, Int)
    case socket(path: String)

    /// Parses `127.0.0.1:8710`, `[::1]:8710`, `8710` or a path.
    ///
    /// - Throws: ``Failure``, also for an address that other machines can reach: the board speaks no TLS, and
    ///   whoever hears a token may use it.
    init(_ text: String) throws {
        if text.hasPrefix("/") {
            guard text.utf8.count <= 107 else {
                throw Failure(.usage, "the path of a socket has at most 107 bytes: \(text.quoted)")
            }
            self = .socket(path: text)
            return
        }
        let colon = text.lastIndex(of: ":")
        let host = colon.map { String(text[..<$0]) } ?? "127.0.0.1"
        let port = Int(colon.map { text[$0...].dropFirst() } ?? text[...])
        guard let port, (0...65535).contains(port) else {
            throw Failure(
                .usage,
                "\(text.quoted) is no address; write 127.0.0.1:8710, or the path of a socket"
            )
        }
        guard ["127.0.0.1", "localhost", "[::1]"].contains(host) else {
            throw Failure(
                .usage,
                "the board listens on this machine only, such as 127.0.0.1:8710, or on a socket; nginx or "
                    + "Caddy in front of it gives it to others, with TLS"
            )
        }
        self = .port(host: host == "[::1]" ? "::1" : "127.0.0.1", port)
    }

    /// The beginning of links, with the port that it got; of a socket, its path.
    func link(port: Int?) -> String {
        switch self {
        case .port(let host, let wanted):
            "http://\(host == "::1" ? "[::1]" : host):\(port ?? wanted)"
        case .socket(let path): path.onOneLine
        }
    }
}
