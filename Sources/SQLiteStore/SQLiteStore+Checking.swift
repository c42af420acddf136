internal import Foundation
internal import GRDB
internal import ObjectStore

extension SQLiteStore {
    /// Checks the file for damage and the rows for contradictions.
    ///
    /// It reads the whole file, in one consistent state, while others may save. It repairs nothing.
    ///
    /// - Returns: The findings, each as a sentence; empty if all is well.
    /// - Throws: `StoreError` if the file cannot be read at all.
    public func checkIntegrity() throws -> [String] {
        try StoreError.translating(path) {
            let findings = try pool.read { db in
                let pages = try String.fetchAll(db, sql: "PRAGMA integrity_check")
                // If the pages are damaged, their contents mean nothing.
                if pages != ["ok"] { return pages }
                guard try db.tableExists("ObjectStoreModel") else { return [] }
                return try StoreCheck(db).findings()
            }
            // Changes that others made meanwhile would look like damage.
            try checkReading()
            return findings
        }
    }
}

/// The checks that know the meaning of the tables.
private struct StoreCheck {
    private let db: Database
    private let model: StoredModel
    private let recorded: StoredModel?

    init(_ db: Database) throws {
        self.db = db
        let text = try String.fetchOne(db, sql: "SELECT definition FROM ObjectStoreModel") ?? ""
        recorded = StoredModel(recorded: text)
        model = try StoredModel(tablesOf: db, recorded: recorded)
    }

    func findings() throws -> [String] {
        // Tables of other programs have no keys to count.
        let known = (recorded ?? model).entities.map(\.name)
        return try tables() + references()
            + model.entities.filter { known.contains($0.name) }
            .flatMap { try keys(of: $0) + missing(in: $0) } + history()
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
        try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
            let (table, key, target): (String, Int64?, String) = (row[0], row[1], row[2])
            return "\(table) \(key ?? 0) leads to an object of \(target) that is not there"
        }
    }

    /// Keys that two objects would get.
    private func keys(of entity: StoredModel.Entity) throws -> [String] {
        let greatest = try Int64.fetchOne(
            db,
            sql: "SELECT max(id) FROM \(entity.name.quotedDatabaseIdentifier)"
        )
        let last = try Int64.fetchOne(
            db,
            sql: "SELECT lastKey FROM ObjectStoreKeys WHERE entity = ?",
            arguments: [entity.name]
        )
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
        guard try db.tableExists(SQLiteHistory.table) else { return [] }
        let sql = "SELECT token, changes FROM \(SQLiteHistory.table) ORDER BY token"
        let cursor = try Row.fetchCursor(db, sql: sql)
        var findings: [String] = []
        var expected: Int64?
        while let row = try cursor.next() {
            let token: Int64 = row[0]
            if let expected, token != expected {
                findings.append("the history lacks the saves from \(expected) to \(token - 1)")
            }
            let changes = Data.fromDatabaseValue(row[1])
            if changes.flatMap({ HistoryDecoder.decode($0, in: nil, entities: [:]) }) == nil {
                findings.append("save \(token) of the history is damaged")
            }
            expected = token + 1
        }
        return findings
    }
}
