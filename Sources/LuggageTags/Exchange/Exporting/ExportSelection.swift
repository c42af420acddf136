/// What of a store is exported.
public struct ExportSelection: Hashable, Sendable {
    /// Which kinds of records.
    public enum Records: String, CaseIterable, Sendable {
        /// Bags, scans, and whatever else is known of them.
        case all
        /// Bags only.
        case bags
        /// Scans only.
        case scans
        /// Only what was typed, corrected, taken back, stated and purged.
        case facts
    }

    /// Which version of the records.
    public enum Version: Int, CaseIterable, Sendable {
        /// What bags have come to, and scans that count: for older versions of the program.
        case states = 1
        /// Every fact.
        case facts = 2
    }

    /// Which kinds of records.
    public var records: Records
    /// The beginnings of the bags' identifiers, in the form in which these are printed; none for all.
    public var identifierPrefixes: [String]
    /// The station whose scans are taken, with the bags that were scanned there.
    public var station: String?
    /// The point at which the scans were made that are taken, with the bags that were scanned there.
    public var point: Point?
    /// Which version of the records.
    public var version: Version

    /// Selects.
    ///
    /// - Parameters:
    ///   - records: Which kinds of records.
    ///   - identifierPrefixes: The beginnings of the bags' identifiers; none for all.
    ///   - station: The station whose scans are taken, with the bags that were scanned there.
    ///   - point: The point at which the scans were made that are taken, likewise.
    ///   - version: Which version of the records.
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

    /// Whether nothing is left out but for kinds of records.
    public var isWhole: Bool { identifierPrefixes.isEmpty && !isByScans }

    /// Whether bags are selected by their scans.
    var isByScans: Bool { station != nil || point != nil }

    /// The kinds of records, in their order.
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

    /// Whether every fact is told about the bags that are.
    var isComplete: Bool { records == .all && version == .facts && !isByScans }

    /// The prefixes in their order, without those that select nothing more; one that selects all
    /// where there is none.
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
