public import Foundation

/// A place in the history of a store: after one save and before the next.
///
/// Tokens grow with every save, whoever made it, and are never used again. Keep the last one that was
/// dealt with, in a file for instance, and ask for what came after it.
public struct HistoryToken: RawRepresentable, Hashable, Sendable, Codable {
    /// The number of the save, from 1.
    public let rawValue: Int64

    /// Names a place by its number.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

extension HistoryToken: Comparable {
    /// Whether the first is of an earlier save.
    public static func < (a: HistoryToken, b: HistoryToken) -> Bool { a.rawValue < b.rawValue }
}

extension HistoryToken: CustomStringConvertible {
    /// The number of the save.
    public var description: String { "\(rawValue)" }
}

/// One save as the history of a store has kept it.
///
/// What an author saves in a row in one transaction is one save: each object as it was before the first
/// and is after the last, without those that came and went in between.
public struct HistoryTransaction: Hashable, Sendable {
    /// Its place in the history.
    public let token: HistoryToken
    /// When it was saved, by the clock of whoever did; the tokens tell the order, not the dates.
    public let date: Date
    /// Who saved it, as ``ManagedObjectContext/author`` had it.
    public let author: String?
    /// What it changed, ordered by identity.
    public let changes: [HistoryChange]

    /// Describes a save.
    public init(token: HistoryToken, date: Date, author: String?, changes: [HistoryChange]) {
        self.token = token
        self.date = date
        self.author = author
        self.changes = changes
    }
}

/// What one save did to one object.
public struct HistoryChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: UInt8, Sendable {
        /// A new row.
        case inserted = 0
        /// A row with other values.
        case updated = 1
        /// A row that is gone.
        case deleted = 2
    }

    /// One property that the save changed.
    public struct Property: Hashable, Sendable {
        /// The name of the attribute or to-one relationship.
        public let name: String
        /// The value before the save.
        public let before: AttributeValue
        /// The value after the save; null in a deletion.
        public let after: AttributeValue

        /// Describes the change of a property.
        public init(name: String, before: AttributeValue, after: AttributeValue) {
            self.name = name
            self.before = before
            self.after = after
        }
    }

    /// The object.
    public let id: ObjectID
    /// What happened to it.
    public let kind: Kind
    /// For an update, every property that changed; for a deletion, every property that had a value;
    /// for an insertion none, since the row itself and the updates that follow tell.
    public let properties: [Property]

    /// Describes the change of an object.
    public init(id: ObjectID, kind: Kind, properties: [Property] = []) {
        self.id = id
        self.kind = kind
        self.properties = properties
    }
}
