package import HubConnection

/// The login of a station at a hub: a role of PostgreSQL, which the hub's owner admits and expels.
package struct StationLogin {
    private let name: String

    /// Names the role.
    package init(_ name: String) {
        self.name = name
    }

    private var role: String { "\"\(name.replacing("\"", with: "\"\""))\"" }

    /// Lets it exchange facts; makes the role, if there is none.
    ///
    /// It has no password, so the hub's rules must let it in by certificate.
    ///
    /// - Parameters:
    ///   - publishes: Whether it may publish what it derives.
    ///   - connection: A connection as the role that owns the hub, in a transaction.
    /// - Throws: ``SyncError`` if the role may do more than a station, or `HubError`.
    package func admit(publishes: Bool, _ connection: HubConnection) throws {
        if let power = try connection.query("select luggage.power($1)", [name]).first?[0] {
            throw SyncError.powerful(login: name, because: power)
        }
        if try !isThere(connection) { try connection.query("create role \(role) login") }
        let group = publishes ? "luggage_publisher" : "luggage_station"
        try connection.query("grant \(group) to \(role)")
    }

    /// What was done to a station that was expelled.
    package struct Expulsion: Hashable, Sendable {
        /// The names under which it was a member until now.
        package var stations: [String]
    }

    /// Takes from it the right to exchange facts, ends its sessions, and its membership.
    ///
    /// The facts that it has sent stay. Done again after a failure, it goes on.
    ///
    /// - Parameter connection: A connection as the role that owns the hub.
    /// - Returns: What was done.
    /// - Throws: ``SyncError`` if it is not that of a station, or `HubError`.
    package func expel(_ connection: HubConnection) throws -> Expulsion {
        let known = try connection.query(
            """
            select from pg_roles r where rolname = $1 and not rolsuper
                and pg_has_role(r.oid, 'luggage_station', 'member')
            union all
            select from luggage.member where login = $1 and left_at is null
            """,
            [name]
        )
        if known.isEmpty { throw SyncError.noStation(login: name) }
        // Each by itself: a session that stays in a transaction may hold what the last one needs.
        if try isThere(connection) {
            try connection.query("revoke luggage_publisher, luggage_station from \(role)")
            try connection.query(
                "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1",
                [name]
            )
        }
        let stations = try connection.query("select luggage.expel($1)", [name])
        return Expulsion(stations: stations.compactMap { $0[0] })
    }

    private func isThere(_ connection: HubConnection) throws -> Bool {
        try !connection.query("select from pg_roles where rolname = $1", [name]).isEmpty
    }
}
