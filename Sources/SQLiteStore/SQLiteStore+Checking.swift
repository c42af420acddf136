internal import FoundationEssentials
internal import ObjectStore

extension SQLiteStore {
    /// Checks the file for damage and the rows for contradictions.
    ///
    /// It reads the whole file, in one consistent state, while others may save. It repairs nothing.
    ///
    /// - Returns: The findings, each as a sentence; empty if all is well.
    /// - Throws: `StoreError` if the file cannot be read at all.
    public func checkIntegrity() throws -> [String] {
        try check { try $0.damage() + $0.omissions() }
    }

    /// The same without the values that objects lack and must have: what made the file has left them out.
    func checkForDamage() throws -> [String] {
        try check { try $0.damage() }
    }

    private func check(_ findings: (StoreCheck) throws -> [String]) throws -> [String] {
        try StoreError.translating(path) {
            try pool.read { db in
                let pages = try db.rows("PRAGMA integrity_check").map { $0[0].text }
                // If the pages are damaged, their contents mean nothing.
                if pages != ["ok"] { return pages }
                guard try db.hasTable("ObjectStoreModel") else { return [] }
                return try findings(StoreCheck(db))
            }
        }
    }
}

/// The checks that know the meaning of the tables.
private struct StoreCheck {
    private let db: SQLiteConnection
    private let model: StoredModel
    private let recorded: StoredModel?

    init(_ db: SQLiteConnection) throws {
        self.db = db
        recorded = StoredModel(recorded: try db.recordedDescription())
        model = try StoredModel(tablesOf: db, recorded: recorded)
    }

    func damage() throws -> [String] {
        try tables() + references() + known.flatMap(keys) + history()
    }

    /// What programs with an older model have left out, and could not be given.
    func omissions() throws -> [String] {
        try known.flatMap(missing)
    }

    /// Without the tables of other programs, which have no keys to count.
    private var known: [StoredModel.Entity] {
        let names = (recorded ?? model).entities.map(\.name)
        return model.entities.filter { names.contains($0.name) }
    }

    /// Tables that differ from their definition.
    private func tables() throws -> [String] {
        guard let recorded else { return [] }
        let expected = recorded.ordered.entities
        let found = model.ordered.entities
        return expected.filter { !found.contains($0) }
            .map { "the table \($0.name) is missing or was changed" }
            + found.filter { entity in !expected.contains { $0.name == entity.name } }
            .map { "the table \($0.name) is not of the model" }
    }

    private func references() throws -> [String] {
        try db.rows("PRAGMA foreign_key_check").map { row in
            let (table, key, target) = (row[0].text, row[1].integer, row[2].text)
            return "\(table) \(key) leads to an object of \(target) that is not there"
        }
    }

    /// Keys that two objects would get, or have that were never saved.
    private func keys(of entity: StoredModel.Entity) throws -> [String] {
        let least = try db.value("SELECT min(id) FROM \(entity.name.quoted)")?.integer
        if let least, least < 0 { return ["\(entity.name) \(least) has a key that is never given"] }
        let greatest = try db.value("SELECT max(id) FROM \(entity.name.quoted)")?.integer
        let last = try db.value(
            "SELECT lastKey FROM ObjectStoreKeys WHERE entity = ?",
            [.text(entity.name)]
        )?.integer
        guard let last else { return ["the store has lost count of \(entity.name)"] }
        guard let greatest, greatest > last else { return [] }
        return [
            "\(entity.name) \(greatest) has a key that was never given: the last given key is \(last)"
        ]
    }

    private func missing(in entity: StoredModel.Entity) throws -> [String] {
        try entity.columns.filter { $0.isRequired == true }.compactMap { column in
            let count = try db.count(ofRowsWithout: column.name, in: entity.name)
            return count == 0
                ? nil : "\(entity.name).\(column.name) is missing in \(count) of its objects"
        }
    }

    private func history() throws -> [String] {
        guard try db.hasTable(SQLiteHistory.table) else { return [] }
        let sql = "SELECT token, changes FROM \(SQLiteHistory.table) ORDER BY token"
        let statement = try SQLiteStatement(sql, in: db)
        defer { statement.reset() }
        var findings: [String] = []
        var expected: Int64?
        while try statement.step() {
            let token = statement.integer(0)
            if let expected, token != expected {
                findings.append("the history lacks the saves from \(expected) to \(token - 1)")
            }
            if case .data(let changes) = statement.value(1, leadingTo: nil),
                HistoryDecoder.decode(changes, in: nil, entities: [:]) != nil
            {
                // It is as it should be.
            } else {
                findings.append("save \(token) of the history is damaged")
            }
            // After the last that there can be comes none.
            expected = token &+ 1
        }
        return findings
    }
}
