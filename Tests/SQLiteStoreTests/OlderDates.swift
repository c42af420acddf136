import Foundation
import GRDB
import ObjectStore

/// Makes a store what the program before would have made of it: one with dates counted from 1970.
enum OlderDates {
    private static let difference = 978_307_200.0

    /// Counts the dates of a closed store from 1970, and those of its history.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - columns: Its columns of dates, each as its table and its name.
    ///   - dates: The dates that the history has.
    /// - Throws: An error of SQLite.
    static func turnBack(
        _ path: String,
        _ columns: [(table: String, name: String)],
        dates: [Date] = []
    ) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            for column in columns {
                let later = "\(column.name) = \(column.name) + \(difference)"
                try db.execute(sql: "UPDATE \(column.table) SET \(later)")
            }
            try db.execute(sql: "DROP TABLE ObjectStoreFormat")
            try db.execute(sql: "PRAGMA user_version = 2")
            let text = try String.fetchOne(db, sql: "SELECT definition FROM ObjectStoreModel")
            try db.execute(
                sql: "UPDATE ObjectStoreModel SET definition = ?",
                arguments: [try older(definition: text ?? "")]
            )
            let rows = try Row.fetchAll(db, sql: "SELECT token, changes FROM ObjectStoreHistory")
            for row in rows {
                try db.execute(
                    sql: "UPDATE ObjectStoreHistory SET changes = ? WHERE token = ?",
                    arguments: [older(changes: row["changes"], dates), row["token"] as Int64]
                )
            }
        }
        try queue.close()
    }

    /// The description without the entity that keeps older programs away.
    private static func older(definition: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(definition.utf8))
        var model = object as? [String: Any] ?? [:]
        let entities = model["entities"] as? [[String: Any]] ?? []
        model["entities"] = entities.filter { $0["name"] as? String != "ObjectStoreFormat" }
        let data = try JSONSerialization.data(withJSONObject: model, options: .sortedKeys)
        return String(decoding: data, as: UTF8.self)
    }

    private static func older(changes: Data, _ dates: [Date]) -> Data {
        var bytes = Array(changes)
        bytes[0] = 1
        for date in dates {
            let new = little(date.timeIntervalSinceReferenceDate)
            if let place = bytes.firstRange(of: new) {
                bytes.replaceSubrange(place, with: little(date.timeIntervalSince1970))
            }
        }
        return Data(bytes)
    }

    private static func little(_ number: Double) -> [UInt8] {
        unsafe withUnsafeBytes(of: number.bitPattern.littleEndian) { unsafe Array($0) }
    }

    /// The format of a store's file, as a program finds it that does not open it as a database.
    static func format(of path: String) throws -> Int {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let header = try file.read(upToCount: 100) ?? Data()
        try file.close()
        return header[60..<64].reduce(0) { $0 << 8 | Int($1) }
    }
}
