internal import SystemSupport

/// The header of a file.
struct ExchangeHeader: Codable, Hashable {
    /// The format name in every header.
    static let format = "luggage"
    /// The version of the records, which grows if older programs would misread them.
    ///
    /// Files of version 1 have the states of bags, and scans that count, without identifiers.
    static let version = 2

    var format = Self.format
    var version = Self.version
    /// The kinds of records that the file may have.
    var records: [String]
    /// Whether the file has every fact about its bags, so that their states follow from these facts.
    var isComplete: Bool

    init(_ selection: ExportSelection) {
        version = selection.version.rawValue
        records = selection.kinds.map(\.section)
        isComplete = selection.isComplete
    }

    private enum CodingKeys: String, CodingKey {
        case format, version, records
        case isComplete = "complete"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: FormKey.self)
        format = try container.decodeStated(String.self, "format")
        version = try container.decodeStated(WholeNumber.self, "version").value
        let key = FormKey("records")
        records = try container.decodeIfPresent([String].self, forKey: key) ?? []
        isComplete =
            try container.decodeIfPresent(Bool.self, forKey: FormKey("complete")) ?? false
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(format, forKey: .format)
        try container.encode(version, forKey: .version)
        try container.encode(records, forKey: .records)
        if isComplete { try container.encode(true, forKey: .isComplete) }
    }

    /// Whether the file has all that a store knows of its bags, and not only single statements.
    var isExchange: Bool { records.contains(RecordKind.scan.section) }

    /// Checks that this program can read the file.
    func check() throws(ImportFault) {
        if format != Self.format {
            throw ImportFault(
                .unknownFormat,
                "the file is of the format \(format.quoted), not of \(Self.format.quoted)",
                remedy: .exportAgain
            )
        }
        if !(1...Self.version).contains(version) {
            throw ImportFault(
                .unknownVersion,
                "the file has version \(version) of the format, and this program reads versions 1 to "
                    + "\(Self.version)",
                remedy: version > Self.version ? "update this program" : .exportAgain
            )
        }
    }
}

/// A whole number that is at least 0.
struct WholeNumber: Form {
    static let expectation = "a whole number"

    let value: Int

    init(_ value: Int) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let number = try Double(from: decoder)
        guard let value = Int(exactly: number), 0...1_000_000_000 ~= value else {
            throw Refusal.expected(Self.expectation, found: "the number \(number)")
                .error(at: decoder.codingPath)
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
