/// What a record of an exchanged file is about.
public enum RecordKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// A bag: what its tag says, and when it was last seen where.
    case bag
    /// A passenger who owns no bag now; owners are told with their bags.
    case passenger
    /// One scan of a tag, or of a picture that gave none.
    case scan

    /// The name of the list of such records: `bags`.
    var section: String { rawValue + "s" }

    init?(section: String) {
        guard let kind = Self.allCases.first(where: { $0.section == section }) else { return nil }
        self = kind
    }
}

/// How many records of each kind there are.
public struct RecordCounts: Codable, Hashable, Sendable {
    /// The number of bags.
    public var bags = 0
    /// The number of passengers without bags.
    public var passengers = 0
    /// The number of scans.
    public var scans = 0

    /// Counts nothing.
    public init() {}

    /// The number of records of a kind.
    public subscript(kind: RecordKind) -> Int {
        get {
            switch kind {
            case .bag: bags
            case .passenger: passengers
            case .scan: scans
            }
        }
        set {
            switch kind {
            case .bag: bags = newValue
            case .passenger: passengers = newValue
            case .scan: scans = newValue
            }
        }
    }

    /// The number of all records.
    public var total: Int { bags + passengers + scans }
}
