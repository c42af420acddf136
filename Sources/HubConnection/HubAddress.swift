internal import CPostgres
internal import Glibc

/// Where a hub is, and how to connect to it.
///
/// It is what libpq takes: `postgresql://USER@HOST/DATABASE?sslmode=verify-full`, or `host=HOST user=USER`.
/// libpq's variables such as `PGHOST` and `PGSSLMODE` hold for what it does not say. It may name several
/// hosts, of which the first is taken that lets write: a primary and its standbys, in any order. Over a network
/// it has to verify the hub's certificate.
package struct HubAddress: Hashable, Sendable {
    /// What the text says, by libpq's names.
    private let settings: [String: String]

    /// The port of the relays through which each host is reached: the first by 127.0.0.1, the second by 127.0.0.2,
    /// and so on; nil without relays.
    private let relayPort: Int?

    /// Understands an address.
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - relayPort: The port of the relays through which each host is reached; nil without relays. A socket in a
    ///     folder needs none.
    /// - Throws: ``HubError`` if the address has no meaning, or lets somebody in between be the hub; it does not
    ///   repeat the address, in which a password may be.
    package init(_ text: String, relayPort: Int? = nil) throws(HubError) {
        guard !text.hasNUL, let settings = Self.parse(text) else {
            throw HubError(
                .address,
                "the address of the hub has no meaning",
                remedy:
                    "write it as postgresql://USER@HOST/DATABASE?sslmode=verify-full, or as host=HOST user=USER"
            )
        }
        (self.settings, self.relayPort) = (settings, relayPort)
        if !isVerified { throw .unverified }
    }

    private static func parse(_ text: String) -> [String: String]? {
        var complaint: UnsafeMutablePointer<CChar>?
        let options = unsafe PQconninfoParse(text, &complaint)
        // It quotes the address, so nobody sees it.
        unsafe PQfreemem(complaint)
        guard let options = unsafe options else { return nil }
        defer { unsafe PQconninfoFree(options) }
        var settings: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe settings[String(cString: keyword)] = String(cString: value)
            }
            unsafe option += 1
        }
        return settings
    }

    /// The value of one of libpq's parameters that is no secret; nil if the address does not say it.
    ///
    /// - Parameter name: libpq's name for it, such as `dbname`.
    package subscript(name: String) -> String? {
        ["password", "sslpassword"].contains(name) ? nil : settings[name]
    }

    /// How long to try to connect to one host; nil for ever.
    ///
    /// libpq itself heeds `connect_timeout` only for those who let it wait.
    var patience: Duration? {
        guard let text = settings["connect_timeout"] else { return .seconds(5) }
        guard let seconds = Int(text.trimmed), seconds > 0 else { return nil }
        return .seconds(max(2, seconds))
    }

    /// What the address says, or else libpq's variable.
    private func value(_ name: String, _ variable: String) -> String? {
        if let value = settings[name] { return value }
        return unsafe getenv(variable).map { unsafe String(cString: $0) }
    }

    /// A host that the address names; its name or its address may be empty.
    private struct Host {
        var name: String
        var address: String
        var port: String

        var reached: String { address.isEmpty ? name : address }

        /// Whether it is reached by a socket in a folder, or in no folder.
        var isSocket: Bool { reached.isEmpty || reached.hasPrefix("/") || reached.hasPrefix("@") }

        var isThisMachine: Bool {
            isSocket || reached.hasPrefix("127.") || ["localhost", "::1"].contains(reached)
        }
    }

    private var hosts: [Host] {
        let lists = [("host", "PGHOST"), ("hostaddr", "PGHOSTADDR"), ("port", "PGPORT")].map {
            value($0, $1)?.split(separator: ",", omittingEmptySubsequences: false) ?? []
        }
        return (0..<max(lists[0].count, lists[1].count)).map { index in
            let parts = lists.map { list in
                String(list.count > index ? list[index] : list.count == 1 ? list[0] : "")
            }
            return Host(
                name: parts[0],
                address: parts[1],
                port: parts[2].isEmpty ? "5432" : parts[2]
            )
        }
    }

    /// Whether nobody can pass himself off as the hub: its certificate is verified, or nothing goes over a network.
    private var isVerified: Bool {
        value("sslmode", "PGSSLMODE") == "verify-full" || hosts.allSatisfy(\.isThisMachine)
    }

    /// Where a relay connects to for each host, in order.
    package var targets: [(host: String, port: String)] { hosts.map { ($0.reached, $0.port) } }

    /// What to give to libpq for each host, in order.
    ///
    /// - Parameter applicationName: What the server shows as the client's name, if the address says none.
    /// - Returns: libpq's parameters for each of them.
    func attempts(applicationName: String) -> [[(name: String, value: String)]] {
        var common = [
            "fallback_application_name": applicationName,
            "tcp_user_timeout": "\(DeadLink.unacknowledged)",
            "keepalives_idle": "\(DeadLink.idle)",
            "keepalives_interval": "\(DeadLink.interval)",
            "keepalives_count": "\(DeadLink.count)",
        ]
        let lists = ["host", "hostaddr", "port"].map { name in
            (
                name: name,
                values: settings[name].map {
                    $0.split(separator: ",", omittingEmptySubsequences: false)
                }
            )
        }
        let hosts = hosts
        let count = lists.prefix(2).compactMap { $0.values?.count }.max() ?? 1
        if count > 1 { common["target_session_attrs"] = "read-write" }
        common.merge(settings) { $1 }
        // What `HubRow` relies on.
        common["client_encoding"] = "UTF8"
        // One after the other: libpq would spend the whole time on the first one that does not answer.
        return (0..<count).map { index in
            var attempt = common
            for (name, values) in lists {
                guard let values else { continue }
                // One port is for all hosts; other lists that differ in length are libpq's to refuse.
                let isFitting = values.count == count || name == "port" && values.count == 1
                guard isFitting else { continue }
                attempt[name] = String(values[values.count == 1 ? 0 : index])
            }
            if let relayPort, hosts.count > index, !hosts[index].isSocket {
                let name = hosts[index].name
                attempt["host"] = name.isEmpty ? hosts[index].address : name
                attempt["hostaddr"] = "127.0.0.\(index + 1)"
                attempt["port"] = "\(relayPort)"
            }
            return attempt.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }
}

/// When a link that is silent counts as dead: after 5 to 6 seconds, whatever is under way.
enum DeadLink {
    /// For how many milliseconds what was sent may stay unacknowledged.
    static let unacknowledged = 5000
    /// After how many seconds without anything the other side is asked whether it is there.
    static let idle = 2
    /// How many seconds later it is asked again.
    static let interval = 1
    /// How often it is asked.
    static let count = 3
}

extension String {
    fileprivate var trimmed: Substring {
        drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
    }
}
