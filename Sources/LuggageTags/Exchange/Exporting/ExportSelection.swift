/// Selects the records of a store to export.
public struct ExportSelection: Hashable, Sendable {
    /// The kinds of records.
    public enum Records: String, CaseIterable, Sendable {
        /// Bags, scans, and all other facts.
        case all
        /// Bags only.
        case bags
        /// Scans only.
        case scans
        /// Only corrections: typed, edited, undone, stated or purged.
        case facts
    }

    /// The version of the records.
    public enum Version: Int, CaseIterable, Sendable {
        /// The states of bags, and scans that count, for older versions of the program.
        case states = 1
        /// Every fact.
        case facts = 2
    }

    /// The kinds of records.
    public var records: Records
    /// The beginnings of the bags' identifiers, as these are printed; empty for all bags.
    public var identifierPrefixes: [String]
    /// Only scans of this station, and bags that were scanned there.
    public var station: String?
    /// Only scans at this point, and bags that were scanned there.
    public var point: Point?
    /// The version of the records.
    public var version: Version

    /// Makes a selection.
    ///
    /// - Parameters:
    ///   - records: The kinds of records.
    ///   - identifierPrefixes: The beginnings of the bags' identifiers; empty for all bags.
    ///   - station: Only scans of this station, and bags that were scanned there.
    ///   - point: Only scans at this point, and bags that were scanned there.
    ///   - version: The version of the records.
    public init(
        records: Records = .all,
        identifierPrefixes: [String] = [],
        station: String? = nil,
        point: Point? = nil,
        version: Version = .facts
    ) {
        self.records = records
        self.identifierPrefixes = identifierPrefixes
        self.station = station
        self.point = point
        self.version = version
    }

    /// Everything.
    public static let everything = ExportSelection()

    /// Whether it leaves out nothing, except perhaps kinds of records.
    public var isWhole: Bool { identifierPrefixes.isEmpty && !isByScans }

    /// Whether bags are selected by their scans.
    var isByScans: Bool { station != nil || point != nil }

    /// The kinds of records, in order.
    var kinds: [RecordKind] {
        switch records {
        case .all where version == .states:
            isWhole ? [.bag, .passenger, .scan] : [.bag, .scan]
        case .all: [.bag, .scan, .fact]
        case .bags: [.bag]
        case .scans: [.scan]
        case .facts: [.fact]
        }
    }

    /// Whether it has every fact about the bags in it.
    var isComplete: Bool { records == .all && version == .facts && !isByScans }

    /// The prefixes in order, without those that another prefix covers; an empty one if there are none.
    var distinctPrefixes: [String] {
        if identifierPrefixes.isEmpty { return [""] }
        return identifierPrefixes.map { $0.uppercased() }.sorted().reduce(into: []) {
            kept,
            prefix in
            if let last = kept.last, prefix.hasPrefix(last) { return }
            kept.append(prefix)
        }
    }
}
