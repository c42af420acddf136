/// The kind of a record in an exchange file.
public enum RecordKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// A bag: what its tag says, and when it last departed and arrived.
    case bag
    /// A passenger without bags; other owners are part of their bags.
    case passenger
    /// One scan of a tag, or of a picture without tags.
    case scan
    /// A correction: what a person or a file has said about a bag or about other facts.
    case fact

    /// The name of the list of such records: `bags`.
    var section: String { rawValue + "s" }

    /// The error of a document that has neither lists of records nor a bag.
    static let noList = "it has neither bags, nor passengers, nor scans, nor facts"

    init?(section: String) {
        guard let kind = Self.allCases.first(where: { $0.section == section }) else { return nil }
        self = kind
    }
}

/// A type with one part for each kind of record.
protocol PerRecordKind {
    associatedtype Part
    var bags: Part { get set }
    var passengers: Part { get set }
    var scans: Part { get set }
    var facts: Part { get set }
}

extension RecordKind {
    func place<Whole: PerRecordKind>() -> WritableKeyPath<Whole, Whole.Part> {
        switch self {
        case .bag: \.bags
        case .passenger: \.passengers
        case .scan: \.scans
        case .fact: \.facts
        }
    }
}

/// The number of records of each kind.
public struct RecordCounts: Codable, Hashable, Sendable, PerRecordKind {
    /// The number of bags.
    public var bags = 0
    /// The number of passengers without bags.
    public var passengers = 0
    /// The number of scans.
    public var scans = 0
    /// The number of other facts.
    public var facts = 0

    /// Begins with zeros.
    public init() {}

    /// The number of records of a kind.
    public subscript(kind: RecordKind) -> Int {
        get { self[keyPath: kind.place()] }
        set { self[keyPath: kind.place()] = newValue }
    }

    /// The number of all records.
    public var total: Int { bags + passengers + scans + facts }
}

extension RecordCounts {
    /// Decodes the numbers; a missing number of passengers or facts is 0.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        bags = try container.decode(Int.self, forKey: .bags)
        passengers = try container.decodeIfPresent(Int.self, forKey: .passengers) ?? 0
        scans = try container.decode(Int.self, forKey: .scans)
        facts = try container.decodeIfPresent(Int.self, forKey: .facts) ?? 0
    }
}
