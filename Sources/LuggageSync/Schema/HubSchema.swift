package import HubConnection

/// The schema of a hub: made and kept up to date by its owner, and checked by every station.
package enum HubSchema {
    /// The version that this program makes and needs.
    package static let version = 1

    /// What a hub is made of; rights come after it.
    private static let files = [
        PackageResources.tables_sql, PackageResources.members_sql, PackageResources.keeping_sql,
        PackageResources.giving_sql, PackageResources.published_sql, PackageResources.operating_sql,
    ]

    /// What setting up has done.
    package enum Outcome: Hashable, Sendable {
        /// The hub is new.
        case made
        /// The hub's functions, views, indexes or rights were not those of this program; with the indexes that it
        /// lacked.
        case refreshed(indexes: [String])
        /// There was nothing to do.
        case present
    }

    /// Makes a hub, or gives one that is there the functions, views, indexes and rights of this program; changes
    /// nothing if anything fails.
    ///
    /// - Parameters:
    ///   - connection: A connection as the role that owns the hub, or will.
    ///   - logins: The stations to admit, too.
    /// - Returns: What was done.
    /// - Throws: ``SyncError`` if the hub is of a newer version or a login cannot be that of a station, or
    ///   `HubError`.
    package static func setUp(
        _ connection: HubConnection,
        admitting logins: [String] = []
    ) throws -> Outcome {
        try connection.transaction {
            let outcome = try makeOrRefresh(connection)
            for login in logins { try StationLogin(login).admit(publishes: false, connection) }
            return outcome
        }
    }

    private static func makeOrRefresh(_ connection: HubConnection) throws -> Outcome {
        // Who looks at a view for long must not let this wait for ever.
        try connection.query("set local lock_timeout = '20s'")
        // Two who set it up at once do it one after the other. Later there are stations, and a lock that any
        // of them could take would let it hinder this.
        try connection.query(
            try isThere(connection)
                ? "lock table luggage.hub in share row exclusive mode"
                : "select pg_advisory_xact_lock(hashtext('luggage.set_up'))"
        )
        let present = try present(connection)
        if let present, present > version {
            throw SyncError.version(hub: present, known: version)
        }
        let before = try present == nil ? nil : (definitions(connection), indexes(connection))
        if before != nil {
            for statement in statements(PackageResources.upgrades_sql) {
                try connection.query(statement)
            }
        }
        for file in files {
            for statement in statements(file) where before == nil || isRepeatable(statement) {
                // An index of many facts takes its time.
                try connection.query(statement, patience: .seconds(86_400))
            }
        }
        for statement in statements(PackageResources.rights_sql) { try connection.query(statement) }
        guard let before else {
            try connection.query("insert into luggage.hub (version) values (\(version))")
            try connection.query("select luggage.notice_run()")
            return .made
        }
        try connection.query("update luggage.hub set version = \(version)")
        let isUnchanged = try present == version && definitions(connection) == before.0
        return try isUnchanged
            ? .present : .refreshed(indexes: indexes(connection).filter { !before.1.contains($0) })
    }

    /// Whether a statement also gives a hub that is there what it says.
    ///
    /// All others make what has contents.
    private static func isRepeatable(_ statement: String) -> Bool {
        statement.contains(/^\s*create (or replace|(unique )?index if not exists)\s/)
    }

    /// The names of the indexes, but for those of the tables of months.
    private static func indexes(_ connection: HubConnection) throws -> [String] {
        try connection.query(
            """
            select relname from pg_class where relnamespace = 'luggage'::regnamespace
                and relkind in ('i', 'I') and not relispartition order by 1
            """
        ).compactMap { $0[0] }
    }

    /// What the hub's functions, views, tables and indexes are, and who may use what is there.
    static func definitions(_ connection: HubConnection) throws -> [String?] {
        try connection.query(
            """
            select concat(pg_get_functiondef(oid), proacl) from pg_proc
                where pronamespace = 'luggage'::regnamespace
            union all
            select concat(relname, case relkind when 'v' then pg_get_viewdef(oid) end, relacl)
                from pg_class where relnamespace = 'luggage'::regnamespace
                    and (relkind = 'v' or relacl::text like '%luggage\\_%=%')
            union all
            select concat(c.relname, a.attname, a.atttypid) from pg_attribute a
                join pg_class c on c.oid = a.attrelid
                where c.relnamespace = 'luggage'::regnamespace and c.relkind in ('r', 'p')
                    and not c.relispartition and a.attnum > 0 and not a.attisdropped
            union all
            select concat(c.relname, conname, replace(pg_get_constraintdef(k.oid), ' NOT VALID', ''))
                from pg_constraint k
                join pg_class c on c.oid = k.conrelid
                where c.relnamespace = 'luggage'::regnamespace and not c.relispartition
            union all
            select pg_get_indexdef(i.indexrelid) from pg_index i
                join pg_class c on c.oid = i.indexrelid
                where c.relnamespace = 'luggage'::regnamespace and not c.relispartition
            order by 1
            """
        ).map { $0[0] }
    }

    /// Checks that a hub is of the version that this program needs.
    static func check(version: Int) throws(SyncError) {
        if version != Self.version { throw .version(hub: version, known: Self.version) }
    }

    /// The version of the hub; nil if there is none.
    private static func present(_ connection: HubConnection) throws -> Int? {
        if try !isThere(connection) { return nil }
        let version = try connection.query("select version from luggage.hub").first?[0]
        return version.flatMap { Int($0) } ?? 0
    }

    private static func isThere(_ connection: HubConnection) throws -> Bool {
        try connection.query("select to_regclass('luggage.hub')").first?[0] != nil
    }

    /// The statements of a file, which the protocol with parameters wants one by one.
    private static func statements(_ file: [UInt8]) -> SQLStatements {
        SQLStatements(String(decoding: file, as: UTF8.self))
    }
}

/// The statements of a text of SQL.
///
/// It knows comments with two hyphens, quotes, and bodies between `$$`: what the files of a schema have.
struct SQLStatements: Sequence, IteratorProtocol {
    private var rest: Substring

    init(_ text: String) {
        rest = text[...]
    }

    mutating func next() -> String? {
        var statement = ""
        while !rest.isEmpty {
            if rest.hasPrefix("--") {
                rest = rest.drop { $0 != "\n" }
            } else if rest.hasPrefix("$$") {
                statement += take(through: "$$", after: 2)
            } else if rest.hasPrefix("'") {
                statement += take(through: "'", after: 1)
            } else if rest.first == ";" {
                rest = rest.dropFirst()
                if !isBlank(statement) { return statement }
            } else {
                statement.append(rest.removeFirst())
            }
        }
        return isBlank(statement) ? nil : statement
    }

    private func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

    private mutating func take(through end: String, after start: Int) -> Substring {
        let body = rest.dropFirst(start)
        let stop = body.firstRange(of: end)?.upperBound ?? body.endIndex
        defer { rest = rest[stop...] }
        return rest[..<stop]
    }
}
