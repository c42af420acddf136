public import FoundationEssentials

/// A place in the history of a store: after one save and before the next.
///
/// Tokens grow with every save of any process, and are never used again. Keep the last processed
/// token, for example in a file, and ask for the saves after it.
public struct HistoryToken: RawRepresentable, Hashable, Sendable, Codable {
    /// The number of the save, from 1.
    public let rawValue: Int64

    /// Makes the token of a save from its number.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

extension HistoryToken: Comparable {
    /// Whether the first token is of an earlier save.
    public static func < (a: HistoryToken, b: HistoryToken) -> Bool { a.rawValue < b.rawValue }
}

extension HistoryToken: CustomStringConvertible {
    /// The number of the save.
    public var description: String { "\(rawValue)" }
}

/// One save as recorded in the history of a store.
///
/// Consecutive saves of one author in one transaction count as one save: it has each object as
/// before the first and after the last, without objects that were both inserted and deleted in
/// between.
public struct HistoryTransaction: Hashable, Sendable {
    /// Its place in the history.
    public let token: HistoryToken
    /// The time of the save, by the clock of the saving machine; tokens give the order, not dates.
    public let date: Date
    /// The author of the save, from ``ManagedObjectContext/author``.
    public let author: String?
    /// The changes, ordered by identity.
    ///
    /// None of entities that the model does not have.
    public let changes: [HistoryChange]
    /// Whether the changes were kept.
    ///
    /// They were not by ``HistoryKeeping/none``, nor by a migration that changed rows in SQL: then read anew what has
    /// to be up to date.
    public let isComplete: Bool

    /// Describes a save.
    public init(
        token: HistoryToken,
        date: Date,
        author: String?,
        changes: [HistoryChange],
        isComplete: Bool = true
    ) {
        self.token = token
        self.date = date
        self.author = author
        self.changes = changes
        self.isComplete = isComplete
    }
}

/// What one save did to one object.
public struct HistoryChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: UInt8, Sendable {
        /// A new row.
        case inserted = 0
        /// A row with changed values.
        case updated = 1
        /// A deleted row.
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
    /// The kind of the change.
    public let kind: Kind
    /// The changed properties.
    ///
    /// For an update, every property that changed. For a deletion, every property that had a value.
    /// For an insertion none: the row itself and later updates show the values.
    public let properties: [Property]

    /// Describes the change of an object.
    public init(id: ObjectID, kind: Kind, properties: [Property] = []) {
        self.id = id
        self.kind = kind
        self.properties = properties
    }
}
