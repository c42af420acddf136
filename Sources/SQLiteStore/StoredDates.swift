internal import ObjectStore

/// How the dates of a file are counted.
///
/// They are kept as `Date` counts them, in seconds since 2001, so that every date reads back equal.
/// Files of the formats before kept seconds since 1970, which is not exact for half of all dates.
///
/// Programs that know only those formats may have such a file open, and would read and write wrong dates
/// after it was converted. So it is converted by the first program that opens it for writing while no
/// other process has it open. Until then all go on in the older format, each transaction in the one that
/// it finds.
enum StoredDates: Sendable {
    case since2001
    case since1970

    /// The seconds from the beginning of 1970 to that of 2001.
    static let difference = 978_307_200.0

    /// The first format that counts from 2001.
    private static let firstFormat = 3

    /// The last format that counts from 1970.
    private static let lastOlderFormat = 2

    /// How the dates of a store are counted.
    init(in db: SQLiteConnection) throws {
        let format = Int(try db.value("PRAGMA user_version")?.integer ?? 0)
        self = format < Self.firstFormat ? .since1970 : .since2001
    }

    /// The format of a store with such dates.
    var format: Int {
        switch self {
        case .since2001: Int(SQLiteFileHeader.formatVersion)
        case .since1970: Self.lastOlderFormat
        }
    }

    /// The SQL that reads a column.
    func read(_ column: String) -> String {
        switch self {
        case .since2001: column
        case .since1970: "(\(column) - \(Self.difference))"
        }
    }

    /// The SQL of a value as it is stored in a column.
    func store(_ value: String, in column: ManagedObjectModel.Column) -> String {
        self == .since1970 && column.storage == .date ? "(\(value) + \(Self.difference))" : value
    }

    /// A value as it is stored in a column.
    func stored(_ value: AttributeValue, in column: ManagedObjectModel.Column) -> AttributeValue {
        guard self == .since1970, column.storage == .date, case .real(let seconds) = value else {
            return value
        }
        return .real(seconds + Self.difference)
    }

    /// Makes the dates of a model's tables count from 2001, within the present transaction.
    ///
    /// Indices on dates are removed; the migration makes them again. While some rows are converted and
    /// others are not, two dates that differ may be stored as the same number.
    static func convert(_ db: SQLiteConnection, to model: ManagedObjectModel) throws {
        for entity in model.entities where try db.hasTable(entity.name) {
            let present = try db.columns(of: entity.name).map(\.name)
            let dates = entity.columns.filter { $0.storage == .date }.map(\.name)
                .filter { present.contains($0) }
            if dates.isEmpty { continue }
            for index in try db.indices(of: entity.name)
            where !Set(index.columns).isDisjoint(with: dates) {
                try db.execute("DROP INDEX \(index.name.quoted)")
            }
            let names = dates.map(\.quoted)
            let list = names.map { "\($0) = \($0) - \(difference)" }.joined(separator: ", ")
            try db.execute("UPDATE \(entity.name.quoted) SET \(list)")
        }
        try db.execute("PRAGMA user_version = \(StoredDates.since2001.format)")
        try db.execute(StoredModel.formatDefinition)
    }
}

extension ManagedObjectModel {
    /// The names of the properties that are dates, by the names of their entities.
    var dateProperties: [String: Set<String>] {
        Dictionary(
            uniqueKeysWithValues: entities.map { entity in
                (entity.name, Set(entity.columns.filter { $0.storage == .date }.map(\.name)))
            }
        )
    }
}
