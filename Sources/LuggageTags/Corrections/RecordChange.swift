public import Foundation

/// One change of the record that somebody may take back: a scan of a tag, or what was typed, corrected or
/// dismissed by hand.
public struct RecordChange: Hashable, Sendable, Encodable {
    /// What made a change.
    public enum Kind: String, Hashable, Sendable, Encodable {
        /// A tag was scanned.
        case scan
        /// A tag was typed.
        case file
        /// A failed picture was dismissed.
        case dismiss
        /// Owner or weight was corrected.
        case edit
        /// A file was imported.
        case imported = "import"
    }

    /// What a property of a bag was, or became.
    public enum Value: Hashable, Sendable {
        /// A weight in pounds.
        case weight(Float)
        /// A moment.
        case time(Date)
        /// The name of an owner.
        case owner(String)
    }

    /// What became of one property of the bag.
    public struct Detail: Hashable, Sendable, Encodable {
        /// The property, as the model calls it.
        public var property: String
        /// What it was; nil where it had no value.
        public var before: Value?
        /// What it became; nil where it has lost its value.
        public var after: Value?
    }

    /// Its number, which never becomes that of another change.
    public var number: Int64
    /// What made it.
    public var kind: Kind
    /// The identifier of the bag; nil of a dismissal and of an import, which are about none.
    public var bag: UUID?
    /// When it was made, which for a scan is when it was filed.
    public var date: Date
    /// Who made it; the station of a scan that nobody has made, as where a folder is watched.
    public var author: String
    /// Whether a person made it, who can take it back without its number; else it is nobody's.
    public var isOfPerson: Bool
    /// Why it was made, where somebody has said so.
    public var reason: String?
    /// Where the bag was, for a scan and a typed tag.
    public var point: Point?
    /// The station that filed it, for a scan and a typed tag, or that could not, for a dismissal.
    public var station: String?
    /// The name of the picture's file, for a scan, a dismissal, and a tag that was typed from one; that of
    /// the file that was imported.
    public var picture: String?
    /// Whether it has put the bag on record.
    public var isNewBag: Bool
    /// What it has done to the bag.
    public var details: [Detail]
    /// Whether it is taken back.
    public var isUndone: Bool
    /// Whether it is an import by which something was purged here too: that is not taken back with it.
    public var hasPurged = false
    /// Who has taken it back; nil where it counts, and where that is not on record.
    public var undoneBy: String?
}

extension RecordChange.Value: Encodable {
    /// Encodes a number, a time or a name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .weight(let weight): try container.encode(weight)
        case .time(let date): try container.encode(date)
        case .owner(let name): try container.encode(name)
        }
    }
}
