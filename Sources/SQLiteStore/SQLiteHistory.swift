internal import FoundationEssentials
public import ObjectStore

/// The history of a store: one row per save or transaction, its changes coded by ``HistoryEncoder``.
///
/// Saves take the write lock before they get their number, so numbers are in the order of the
/// commits, and a save that is rolled back returns its number. So the only gap is that of saves
/// deleted at the beginning.
struct SQLiteHistory {
    let db: SQLiteConnection
    /// The path of the file, for errors.
    let path: String

    static let table = "ObjectStoreHistory"

    /// The author of what a migration changes.
    static let migration = "migration"

    static let definition = """
        CREATE TABLE \(table) (
            token INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, date REAL NOT NULL, author TEXT,
            changes BLOB NOT NULL
        ) STRICT
        """

    private static let insertion = SQLText(
        "INSERT INTO \(table) (date, author, changes) VALUES (?, ?, ?)"
    )

    func transactions(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction] {
        // A store with an older layout, opened for reading, has no history yet.
        guard try db.hasTable(Self.table) else { return [] }
        try HistoryToken.check(token, first: first(), last: last())
        let entities = Dictionary(
            uniqueKeysWithValues: model.entities.map { ($0.name, $0.index) }
        )
        let sql = """
            SELECT token, date, author, changes FROM \(Self.table) WHERE token > ? \
            ORDER BY token LIMIT ?
            """
        let statement = try SQLiteStatement(sql, in: db)
        defer { statement.reset() }
        try statement.bind([
            .integer(token?.rawValue ?? 0), .integer(Int64(limit.map { max(0, $0) } ?? -1)),
        ])
        var transactions: [HistoryTransaction] = []
        while try statement.step() {
            let token = statement.integer(0)
            guard case .real(let date) = statement.value(1, leadingTo: nil),
                case .data(let data) = statement.value(3, leadingTo: nil),
                let (changes, isComplete) = HistoryDecoder.decode(
                    data,
                    in: model,
                    entities: entities
                )
            else {
                throw StoreError(
                    .damaged,
                    "\(path): save \(token) of the history is damaged; put a backup in its place, or "
                        + "delete the history up to it"
                )
            }
            transactions.append(
                HistoryTransaction(
                    token: HistoryToken(rawValue: token),
                    date: Date(timeIntervalSince1970: date),
                    author: statement.optionalText(2),
                    changes: changes,
                    isComplete: isComplete
                )
            )
        }
        return transactions
    }

    private func first() throws -> HistoryToken? {
        try token("SELECT min(token) FROM \(Self.table)")
    }

    func last() throws -> HistoryToken? {
        guard try db.hasTable(Self.table) else { return nil }
        return try token("SELECT seq FROM sqlite_sequence WHERE name = '\(Self.table)'")
    }

    private func token(_ sql: String) throws -> HistoryToken? {
        let statement = try SQLiteStatement(sql, in: db)
        defer { statement.reset() }
        guard try statement.step(), case .integer(let token) = statement.value(0, leadingTo: nil)
        else { return nil }
        return HistoryToken(rawValue: token)
    }

    func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel,
        _ dates: StoredDates
    ) throws -> HistoryToken {
        let statement = try SQLiteStatement(Self.insertion, in: db)
        try statement.bind(.real(date.timeIntervalSince1970), at: 0)
        try statement.bind(author.map { .text($0) } ?? .null, at: 1)
        try statement.bind(HistoryEncoder.encode(changes, in: model, dates), at: 2)
        try statement.finish()
        return HistoryToken(rawValue: db.lastInsertedKey)
    }

    func delete(before token: HistoryToken, limit: Int?) throws -> Bool {
        var end = token
        if let limit, let first = try first() {
            let (sum, isBeyond) = first.rawValue.addingReportingOverflow(Int64(max(1, limit)))
            if !isBeyond { end = min(end, HistoryToken(rawValue: sum)) }
        }
        let sql = "DELETE FROM \(Self.table) WHERE token < ?"
        try SQLiteStatement(sql, in: db).run(.integer(end.rawValue))
        return try end < token && first().map { $0 < token } ?? false
    }
}

extension SQLiteTransaction {
    func history(
        after token: HistoryToken?,
        limit: Int?,
        in model: ManagedObjectModel
    ) throws -> [HistoryTransaction] {
        try run { try history.transactions(after: token, limit: limit, in: model) }
    }

    func lastHistoryToken() throws -> HistoryToken? {
        try run { try history.last() }
    }

    func record(
        _ changes: [HistoryChange],
        by author: String?,
        at date: Date,
        in model: ManagedObjectModel
    ) throws -> HistoryToken? {
        try write { try history.record(changes, by: author, at: date, in: model, dates) }
    }

    func deleteHistory(before token: HistoryToken, limit: Int?) throws -> Bool {
        try write { try history.delete(before: token, limit: limit) }
    }

    private var history: SQLiteHistory { SQLiteHistory(db: db, path: path) }
}

extension SQLiteStore {
    /// The token of the last save, or nil if there was none.
    ///
    /// - Throws: `StoreError`.
    public func lastSave() throws -> HistoryToken? {
        try StoreError.translating(path) {
            // Who saves here need not open another connection for this.
            if access == .create {
                return try commits.alone { try SQLiteHistory(db: $0, path: path).last() }
            }
            return try pool.read { try SQLiteHistory(db: $0, path: path).last() }
        }
    }
}
