/// What of a store is exported.
public struct ExportSelection: Hashable, Sendable {
    /// Which kinds of records.
    public enum Records: String, CaseIterable, Sendable {
        /// Bags, passengers without bags, and scans.
        case all
        /// Bags only.
        case bags
        /// Scans only.
        case scans
    }

    /// Which kinds of records.
    public var records: Records
    /// The beginnings of the bags' identifiers, in the form in which these are printed; none for all.
    public var identifierPrefixes: [String]
    /// The station whose scans are taken, with the bags that were scanned there.
    public var station: String?
    /// The point at which the scans were made that are taken, with the bags that were scanned there.
    public var point: Point?

    /// Selects.
    ///
    /// - Parameters:
    ///   - records: Which kinds of records.
    ///   - identifierPrefixes: The beginnings of the bags' identifiers; none for all.
    ///   - station: The station whose scans are taken, with the bags that were scanned there.
    ///   - point: The point at which the scans were made that are taken, likewise.
    public init(
        records: Records = .all,
        identifierPrefixes: [String] = [],
        station: String? = nil,
        point: Point? = nil
    ) {
        self.records = records
        self.identifierPrefixes = identifierPrefixes
        self.station = station
        self.point = point
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
        case .all: isWhole ? [.bag, .passenger, .scan] : [.bag, .scan]
        case .bags: [.bag]
        case .scans: [.scan]
        }
    }

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
