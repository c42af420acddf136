internal import GRDB
internal import ObjectStore

/// How the dates of a file are counted.
///
/// They are kept as `Date` counts them, in seconds since 2001, so that every date reads back equal.
/// Files of the formats before kept seconds since 1970, which is not exact for half of all dates. Such
/// a file is converted when it is opened for writing, and read as it is otherwise.
enum StoredDates: Sendable {
    case since2001
    case since1970

    /// The seconds from the beginning of 1970 to that of 2001.
    static let difference = 978_307_200.0

    /// The first format that counts from 2001.
    private static let firstFormat = 3

    /// How the dates of a store are counted.
    init(in db: Database) throws {
        let format = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        self = format < Self.firstFormat ? .since1970 : .since2001
    }

    /// The SQL that reads a column.
    func read(_ column: String) -> String {
        switch self {
        case .since2001: column
        case .since1970: "(\(column) - \(Self.difference))"
        }
    }

    /// Makes the dates of a model's tables count from 2001.
    static func convert(_ db: Database, to model: ManagedObjectModel) throws {
        guard try StoredDates(in: db) == .since1970 else { return }
        for entity in model.entities where try db.tableExists(entity.name) {
            let present = try db.columns(in: entity.name).map(\.name)
            for column in entity.columns
            where column.storage == .date && present.contains(column.name) {
                let name = column.name.quotedDatabaseIdentifier
                try db.execute(
                    sql: """
                        UPDATE \(entity.name.quotedDatabaseIdentifier) \
                        SET \(name) = \(name) - \(difference) WHERE \(name) IS NOT NULL
                        """
                )
            }
        }
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
