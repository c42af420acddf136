internal import ObjectStore

/// What a database says of its tables.
extension SQLiteConnection {
    func hasTable(_ name: String) throws -> Bool {
        let sql = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
        let statement = try SQLiteStatement(sql, in: self)
        defer { statement.reset() }
        try statement.bind([.text(name)])
        return try statement.step()
    }

    /// The description that a store has of itself; empty if it has none.
    func recordedDescription() throws -> String {
        try value("SELECT definition FROM ObjectStoreModel")?.text ?? ""
    }

    /// The names of the tables that have the form of an entity's, also of those that a model no longer has.
    func entityTables() throws -> [String] {
        try rows(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        ).map { $0[0].text }.filter { name in
            let parts = """
                SELECT count(*) FROM pragma_table_xinfo(?) WHERE hidden = 0 AND type = 'INTEGER' \
                AND (name = 'id' AND pk = 1 OR name = 'version')
                """
            return try value(parts, [.text(name)]) == .integer(2)
        }
    }

    struct Column {
        let name: String
        let type: String
    }

    func columns(of table: String) throws -> [Column] {
        try rows("SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden <> 1", [.text(table)])
            .map {
                Column(name: $0[0].text, type: $0[1].text)
            }
    }

    /// The tables to which columns of a table refer, by the columns' names; without references of several
    /// columns.
    func targets(of table: String) throws -> [String: String] {
        let sql = """
            SELECT min("from"), "table" FROM pragma_foreign_key_list(?) GROUP BY id HAVING count(*) = 1
            """
        let pairs = try rows(sql, [.text(table)]).map { ($0[0].text, $0[1].text) }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The indices of a table, but for those on expressions.
    func indices(of table: String) throws -> [StoredModel.Index] {
        let sql = #"SELECT name, "unique" FROM pragma_index_list(?) ORDER BY seq"#
        return try rows(sql, [.text(table)]).compactMap { row in
            let parts = "SELECT name FROM pragma_index_info(?) ORDER BY seqno"
            let columns = try rows(parts, [row[0]]).map { $0[0] }
            if columns.contains(where: \.isNull) { return nil }
            return StoredModel.Index(
                name: row[0].text,
                columns: columns.map(\.text),
                isUnique: row[1].integer == 1
            )
        }
    }
}

extension AttributeValue {
    /// The integer; 0 if it is something else.
    var integer: Int64 { if case .integer(let number) = self { number } else { 0 } }

    /// The text; empty if it is something else.
    var text: String { if case .text(let text) = self { text } else { "" } }
}

extension String {
    /// The name of a table, column or index as it is written in SQL.
    var quoted: String { quoted(by: "\"") }

    /// The text between two quotes, as it is written in SQL.
    ///
    /// By scalars: with a mark that follows and combines, a quote is another character.
    func quoted(by quote: Unicode.Scalar) -> String {
        var scalars = String.UnicodeScalarView([quote])
        for scalar in unicodeScalars {
            if scalar == quote { scalars.append(quote) }
            scalars.append(scalar)
        }
        scalars.append(quote)
        return String(scalars)
    }
}
