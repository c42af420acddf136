internal import CSQLite
internal import ObjectStore

/// The SQL statements that read and write the rows of an entity.
///
/// Making them costs more than running them, so they are made once for each model.
final class EntitySQL: Sendable {
    /// Selects rows, without the condition.
    let selection: String
    /// The columns of the selection, and the table.
    private let columns: [String]
    private let table: String
    /// The target entity of each column that is a reference.
    let targets: [Int?]
    /// Selects the row with a key.
    let rowWithKey: SQLText
    /// Selects the rows with the values of a constraint.
    private let rowsWithValues: [(columns: [Int], text: SQLText)]
    let insertion: SQLText
    /// The key comes after the values.
    let update: SQLText
    /// The same for a row whose unique values and references stay; it leaves other rows as they are.
    ///
    /// SQLite would otherwise write the entry in each of their indices anew.
    let updateBesideIndices: SQLText
    let deletion: SQLText
    /// Clears the values of all constraints in the row with a key; nil if there are none.
    let clearing: SQLText?

    private let source: SQLExpression.Source

    init(_ entity: ManagedObjectModel.Entity, _ dates: StoredDates) {
        let source = SQLExpression.Source(root: entity, dates)
        self.source = source
        columns = ["id", "version"] + entity.columns.indices.map { source.column($0) }
        table = source.table
        let selection = Self.selection(columns, source.table)
        self.selection = selection
        targets = entity.columns.map { column in
            if case .reference(let target, _) = column.kind { target } else { nil }
        }
        rowWithKey = SQLText(selection + " WHERE id = ?")
        rowsWithValues = entity.constraints.map { columns in
            (columns, SQLText(selection + Self.condition(columns, of: source)))
        }
        let name = entity.name.quoted
        let names = entity.columns.map(\.name.quoted)
        let marks = entity.columns.map { dates.store("?", in: $0) }
        let list = (["id", "version"] + names).joined(separator: ", ")
        insertion = SQLText(
            "INSERT INTO \(name) (\(list)) "
                + "VALUES (\((["?", "?"] + marks).joined(separator: ", ")))"
        )
        let version = "UPDATE \(name) SET version = ?1"
        let values = entity.columns.enumerated().map { place, column in
            dates.store("?\(place + 2)", in: column)
        }
        let assignments = zip(names, values).map { ", \($0) = \($1)" }
        let condition = " WHERE id = ?\(values.count + 2)"
        update = SQLText(version + assignments.joined() + condition)
        let references = entity.columns.indices.filter { entity.columns[$0].storage == nil }
        let fixed = Set(entity.constraints.joined() + references)
        let others = entity.columns.indices.filter { !fixed.contains($0) }
        updateBesideIndices = SQLText(
            version + others.map { assignments[$0] }.joined() + condition
                + fixed.sorted().map { " AND \(names[$0]) IS \(values[$0])" }.joined()
        )
        deletion = SQLText("DELETE FROM \(name) WHERE id = ?")
        let cleared = Set(entity.constraints.joined()).sorted().map { "\(names[$0]) = NULL" }
        clearing =
            cleared.isEmpty
            ? nil
            : SQLText("UPDATE \(name) SET \(cleared.joined(separator: ", ")) WHERE id = ?")
    }

    /// Selects rows with NULL in some columns, without the condition.
    func selection(omitting omitted: Set<Int>) -> String {
        if omitted.isEmpty { return selection }
        var columns = columns
        // SQLite need not look up these columns in the row, nor in its overflow pages.
        for column in omitted { columns[column + 2] = "NULL" }
        return Self.selection(columns, table)
    }

    private static func selection(_ columns: [String], _ table: String) -> String {
        "SELECT \(columns.joined(separator: ", ")) FROM \(table)"
    }

    /// Selects the rows that have given values in some columns.
    func rows(whose columns: [Int]) -> SQLText {
        rowsWithValues.first { $0.columns == columns }?.text
            ?? SQLText(selection + Self.condition(columns, of: source))
    }

    /// Selects the rows with one of a list of references in a column; the list is one argument.
    func rows(
        whoseReference column: Int,
        isIn list: ValueList
    ) -> String {
        let tested = source.column(column)
        return selection + " WHERE \(tested) IN (SELECT \(list.element) FROM json_each(?))"
    }

    private static func condition(_ columns: [Int], of source: SQLExpression.Source) -> String {
        let conditions = columns.map { column in
            let value = source.dates.store("?", in: source.entity.columns[column])
            return "\(source.stored(column)) = \(value)"
        }
        return " WHERE " + conditions.joined(separator: " AND ")
    }
}

/// The statements of a model's entities.
struct ModelSQL: Sendable {
    private let entities: [(entity: ManagedObjectModel.Entity, sql: EntitySQL)]

    /// How the dates of the file are counted.
    let dates: StoredDates

    init(_ model: ManagedObjectModel, _ dates: StoredDates) {
        self.init(model.entities, dates)
    }

    private init(_ entities: [ManagedObjectModel.Entity], _ dates: StoredDates) {
        self.entities = entities.map { ($0, EntitySQL($0, dates)) }
        self.dates = dates
    }

    /// The statements for a file whose dates another store of this process may have converted.
    func current(in db: SQLiteConnection) throws -> ModelSQL {
        guard dates == .since1970, try StoredDates(in: db) != dates else { return self }
        return ModelSQL(entities.map(\.entity), .since2001)
    }

    /// Whether an error tells that equal values broke a constraint that the model does not have.
    func breaksUnknownConstraint(_ error: SQLiteError) -> Bool {
        error.code == sqlite3_constraint_unique
            && !entities.contains { entity, _ in
                entity.constraints.contains { constraint in
                    let names = constraint.map { "\(entity.name).\(entity.columns[$0].name)" }
                    return error.message.hasSuffix(": \(names.joined(separator: ", "))")
                }
            }
    }

    /// The statements of an entity, also of another model's entity: two models may use one store.
    subscript(entity: ManagedObjectModel.Entity) -> EntitySQL {
        if entities.indices.contains(entity.index), entities[entity.index].entity === entity {
            return entities[entity.index].sql
        }
        return EntitySQL(entity, dates)
    }
}
