/// What came of the records of a file.
public struct ImportReport: Codable, Sendable, PerRecordKind {
    /// How many records of one kind came to what.
    public struct Tally: Codable, Hashable, Sendable {
        /// Those that were not on record.
        public var new = 0
        /// Those that have added something to the record.
        public var updated = 0
        /// Those that contradicted the record about owner or weight.
        public var changed = 0
        /// Those that were on record already.
        public var repeated = 0
        /// Those that were refused.
        public var refused = 0

        /// Counts nothing but what was refused.
        public init(refused: Int = 0) {
            self.refused = refused
        }

        /// How many records there were.
        public var total: Int { new + updated + changed + repeated + refused }

        mutating func count(_ outcome: ImportOutcome) {
            switch outcome {
            case .new: new += 1
            case .updated: updated += 1
            case .changed: changed += 1
            case .repeated: repeated += 1
            }
        }
    }

    /// One record that was refused, or what ended the reading of the file.
    public struct Refusal: Codable, Sendable {
        /// The number of the record in the file, from 1; nil where it concerns the file.
        public var record: Int?
        /// The line in which it begins, from 1, where the format has lines.
        public var line: Int?
        /// The kind of the record, where it is known.
        public var kind: RecordKind?
        /// What is wrong.
        public var error: Problem
        /// What to do about it.
        public var remedy: Remedy
    }

    /// A bag of which something was not taken, since its scans say otherwise.
    public struct Standing: Codable, Sendable {
        /// The number of the record in the file, from 1.
        public var record: Int
        /// The line in which it begins, from 1, where the format has lines.
        public var line: Int?
        /// What the file says, as a sentence with what stands on record.
        public var message: String
    }

    /// What was taken away here, as the file tells that it was purged elsewhere.
    public struct Purged: Codable, Hashable, Sendable {
        /// Bags that went off record.
        public var bags = 0
        /// Bags that are on record still, without the names of people.
        public var names = 0
        /// Pictures that belong to no bag, or what they say about people.
        public var pictures = 0

        /// Counts what was taken away.
        public init(bags: Int = 0, names: Int = 0, pictures: Int = 0) {
            self.bags = bags
            self.names = names
            self.pictures = pictures
        }
    }

    /// How many refusals are told one by one; the others are counted.
    public static let mostRefusals = 100

    /// The format of the file, where it is known.
    public var format: ExchangeFormat?
    /// Whether anything of the file is on record now.
    public var isKept = true
    /// Whether the file was read to its end.
    public var isComplete = true
    /// What came of bags.
    public var bags = Tally()
    /// What came of passengers without bags.
    public var passengers = Tally()
    /// What came of scans.
    public var scans = Tally()
    /// What came of other facts.
    public var facts = Tally()
    /// What was taken away by purges of which the file tells.
    public var purged = Purged()
    /// The number of all records that were refused, of known kind or not.
    public var refusedRecords = 0
    /// The first of the refusals.
    public var refusals: [Refusal] = []
    /// The first of the bags whose scans say otherwise than the file.
    public var standing: [Standing] = []

    /// What came of the records of a kind.
    public subscript(kind: RecordKind) -> Tally {
        get { self[keyPath: kind.place()] }
        set { self[keyPath: kind.place()] = newValue }
    }

    /// How many records were refused of which nobody can tell what they are about.
    public var refusedUnknown: Int {
        refusedRecords - RecordKind.allCases.reduce(0) { $0 + self[$1].refused }
    }

    /// Whether any record of the file was taken, or was on record already.
    var hasTaken: Bool { RecordKind.allCases.contains { self[$0].total > self[$0].refused } }

    /// Whether any record of the file has changed what is on record.
    public var hasAdded: Bool {
        RecordKind.allCases.contains { self[$0].total > self[$0].refused + self[$0].repeated }
    }

    /// Whether everything in the file is on record now.
    public var isClean: Bool { isComplete && refusedRecords == 0 }
}

/// What came of one record that was not refused.
enum ImportOutcome {
    case new, updated, changed, repeated
}

extension ImportReport.Purged {
    static func += (sum: inout Self, more: Self) {
        sum.bags += more.bags
        sum.names += more.names
        sum.pictures += more.pictures
    }
}

extension ImportReport {
    mutating func refuse(_ error: TagError, _ place: RecordPlace, _ kind: RecordKind?) {
        refusedRecords += 1
        if let kind { self[kind].refused += 1 }
        guard refusals.count < Self.mostRefusals else { return }
        refusals.append(
            Refusal(
                record: place.number,
                line: place.line,
                kind: kind,
                error: Problem(error),
                remedy: error.remedy
            )
        )
    }

    mutating func end(with fault: ImportFault) {
        isComplete = false
        refusals.append(
            Refusal(line: fault.line, error: Problem(fault.error), remedy: fault.remedy)
        )
    }

    mutating func note(_ message: String, _ place: RecordPlace) {
        guard standing.count < Self.mostRefusals else { return }
        standing.append(Standing(record: place.number, line: place.line, message: message))
    }
}

/// Where a record stands in its file.
struct RecordPlace {
    var number: Int
    var line: Int?
}

extension TagError {
    /// What somebody who has the file can do about it.
    fileprivate var remedy: Remedy {
        switch code {
        case .keyMissing, .valueMissing: "give it a value"
        case .conflict where stage == .graph: .chooseSide
        case _ where stage == .structured: .repairRecord
        default: .correctRecord
        }
    }
}
