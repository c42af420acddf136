package import FoundationEssentials
package import HubConnection

/// What the owner of a hub does besides making it.
package enum HubOperation {
    /// Takes back the statement of a purge, as if it had never come.
    ///
    /// The hub gets again what it has forgotten, from the stations that still have it: they compare their
    /// days when they connect again, so their sessions are ended. A station that has taken the statement
    /// itself has forgotten the same, and sends the statement again.
    ///
    /// - Parameters:
    ///   - purge: The identifier of the statement.
    ///   - connection: A connection as the role that owns the hub.
    /// - Throws: ``SyncError`` if there is no such statement, or `HubError`.
    package static func takeBack(_ purge: UUID, _ connection: HubConnection) throws {
        let answer = try connection.query("select luggage.take_back($1)", [purge.uuidString])
        guard answer.first?[0] == "t" else { throw SyncError.noPurge(purge) }
        try connection.query(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where usename in (select login from luggage.member) and pid <> pg_backend_pid()
            """
        )
    }

    /// What a person should change at the server; empty if nothing.
    ///
    /// - Parameter connection: A connection to the hub, as any role that may use it.
    /// - Returns: Sentences.
    /// - Throws: `HubError`.
    package static func advice(_ connection: HubConnection) throws -> [String] {
        let row = try connection.query(
            """
            select (select 4 * (count(*) + 2) from pg_inherits where inhparent = 'luggage.fact'::regclass),
                current_setting('max_locks_per_transaction'),
                current_setting('max_prepared_transactions'),
                o.rolname,
                o.rolsuper or pg_has_role(o.oid, 'pg_read_all_stats', 'usage')
                    and pg_has_role(o.oid, 'pg_signal_backend', 'usage'),
                exists (select from pg_namespace p
                    where p.nspname = 'public' and has_schema_privilege('public', p.oid, 'create'))
            from pg_namespace n join pg_roles o on o.oid = n.nspowner where n.nspname = 'luggage'
            """
        ).first
        guard let row, let needed = row[0].flatMap(Int.init), let locks = row[1].flatMap(Int.init)
        else { throw SyncError.unintelligible("no settings of the server") }
        var sentences: [String] = []
        if locks < needed {
            sentences.append(
                "each statement about facts locks \(needed) tables and indexes at this hub, and its server has "
                    + "room for \(locks); set max_locks_per_transaction to \(4 * needed) there, and restart it"
            )
        }
        if row[2] != "0" {
            sentences.append(
                "a station could leave a prepared transaction at this hub, which delays all others for ever; "
                    + "set max_prepared_transactions to 0 there, and restart it"
            )
        }
        if row[5] == "t" {
            sentences.append(
                "every station may make functions at this hub, which who asks it with SQL may call unawares; run: "
                    + "revoke create on schema public from public"
            )
        }
        if row[4] != "t" {
            let owner = (row[3] ?? "").replacing("\"", with: "\"\"")
            sentences.append(
                "this hub cannot end the session of a station that stays in a transaction, and delays all "
                    + "others; as a superuser, run: grant pg_read_all_stats, pg_signal_backend to \"\(owner)\""
            )
        }
        return sentences
    }
}
