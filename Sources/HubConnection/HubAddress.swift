internal import CPostgres

/// Where a hub is, and how to connect to it.
///
/// It is what libpq takes: `postgresql://USER@HOST/DATABASE?sslmode=verify-full`, or `host=HOST user=USER`.
/// libpq's variables such as `PGHOST` and `PGSSLMODE` hold for what it does not say. It may name several
/// hosts, of which the first is taken that lets write: a primary and its standbys, in any order.
package struct HubAddress: Hashable, Sendable {
    /// What the text says, by libpq's names.
    private let settings: [String: String]

    /// Understands an address.
    ///
    /// - Parameter text: The address.
    /// - Throws: ``HubError`` if the address has no meaning; it does not repeat the address, in which
    ///   a password may be.
    package init(_ text: String) throws(HubError) {
        guard !text.hasNUL, let settings = Self.parse(text) else {
            throw HubError(
                .address,
                "the address of the hub has no meaning",
                remedy:
                    "write it as postgresql://USER@HOST/DATABASE?sslmode=verify-full, or as host=HOST user=USER"
            )
        }
        self.settings = settings
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

    /// What to give to libpq for each host, in order.
    ///
    /// - Parameter applicationName: What the server shows as the client's name, if the address says none.
    /// - Returns: libpq's parameters for each of them.
    func attempts(applicationName: String) -> [[(name: String, value: String)]] {
        var common = [
            "fallback_application_name": applicationName,
            // A link that is dead but silent is known after 5 to 6 seconds, whatever is under way.
            "tcp_user_timeout": "5000",
            "keepalives_idle": "2",
            "keepalives_interval": "1",
            "keepalives_count": "3",
        ]
        let lists = ["host", "hostaddr", "port"].map { name in
            (
                name: name,
                values: settings[name].map {
                    $0.split(separator: ",", omittingEmptySubsequences: false)
                }
            )
        }
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
            return attempt.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }
}

extension String {
    fileprivate var trimmed: Substring {
        drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
    }
}
