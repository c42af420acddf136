public import FoundationEssentials

/// One change of the record that a person may undo.
///
/// It is a scan of a tag, an import, or something done by hand: a tag typed, a bag edited, a picture dismissed,
/// an alarm noted.
public struct RecordChange: Hashable, Sendable, Encodable {
    /// What made the change.
    public enum Kind: String, Hashable, Sendable, Encodable {
        /// A tag was scanned.
        case scan
        /// A tag was typed.
        case file
        /// A failed picture was dismissed.
        case dismiss
        /// Owner or weight was corrected.
        case edit
        /// An alarm was taken note of.
        case note
        /// A file was imported.
        case imported = "import"
    }

    /// The value of a property of a bag.
    public enum Value: Hashable, Sendable {
        /// A weight in pounds.
        case weight(Float)
        /// A moment.
        case time(Date)
        /// The name of an owner.
        case owner(String)
    }

    /// The change of one property of the bag.
    public struct Detail: Hashable, Sendable, Encodable {
        /// The property, as the model calls it.
        public var property: String
        /// The value before; nil if there was none.
        public var before: Value?
        /// The value after; nil if there is none.
        public var after: Value?
    }

    /// Its number; no other change ever gets it.
    public var number: Int64
    /// What made it.
    public var kind: Kind
    /// The identifier of the bag; nil for what is about none: a dismissal, an import, some notes.
    public var bag: UUID?
    /// When it was made; for a scan, when it was filed.
    public var date: Date
    /// The person who made it; the station if nobody did, for example if a service watches a folder.
    public var author: String
    /// Whether a person made it, who can undo it without its number.
    public var isOfPerson: Bool
    /// The reason, if a person gave one.
    public var reason: String?
    /// The point of the bag, for a scan or a typed tag.
    public var point: Point?
    /// The station that filed a scan or a typed tag, or could not file a dismissed picture.
    public var station: String?
    /// The name of the picture's file, or of the imported file.
    ///
    /// Scans, dismissals and tags that were typed from a picture have one.
    public var picture: String?
    /// The alarm, if somebody took note of one.
    public var alarm: Alarm.Key?
    /// Whether it put the bag on record.
    public var isNewBag: Bool
    /// What it changed about the bag.
    public var details: [Detail]
    /// Whether it is undone.
    public var isUndone: Bool
    /// Whether it is an import that also purged something here, which undoing does not bring back.
    public var hasPurged = false
    /// The person who undid it; nil if it counts or this is not on record.
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
