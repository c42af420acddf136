/// The result of importing a file.
public struct ImportReport: Codable, Sendable, PerRecordKind {
    /// The number of records of one kind with each result.
    public struct Tally: Codable, Hashable, Sendable {
        /// The records that were new.
        public var new = 0
        /// The records that added something.
        public var updated = 0
        /// The records that contradicted the owner or weight on record.
        public var changed = 0
        /// The records that were on record already.
        public var repeated = 0
        /// The records that were refused.
        public var refused = 0

        /// Begins with zeros, except for the refused records.
        public init(refused: Int = 0) {
            self.refused = refused
        }

        /// The number of records.
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

    /// A record that was refused, or the fault that ended the reading of the file.
    public struct Refusal: Codable, Sendable {
        /// The number of the record in the file, from 1; nil if it concerns the file.
        public var record: Int?
        /// The line in which it begins, from 1, if the format has lines.
        public var line: Int?
        /// The kind of the record, if it is known.
        public var kind: RecordKind?
        /// The error.
        public var error: Problem
        /// What to do about it.
        public var remedy: Remedy
    }

    /// What was not taken though nothing is wrong with it: a bag's scans contradict it, or no list is about it.
    public struct Standing: Codable, Sendable {
        /// The number of the record in the file, from 1.
        public var record: Int
        /// The line in which it begins, from 1, if the format has lines.
        public var line: Int?
        /// A sentence with what the file says, and why it was not taken.
        public var message: String
    }

    /// What was removed here, because the file tells that it was purged elsewhere.
    public struct Purged: Codable, Hashable, Sendable {
        /// The bags that were deleted.
        public var bags = 0
        /// The bags that lost the names of people.
        public var names = 0
        /// The pictures of no bag that were deleted, or lost the names of people.
        public var pictures = 0
        /// What people had said of pictures, trips and stations, and was deleted or lost the names of people.
        public var remarks = 0

        /// Sets the numbers.
        public init(bags: Int = 0, names: Int = 0, pictures: Int = 0, remarks: Int = 0) {
            self.bags = bags
            self.names = names
            self.pictures = pictures
            self.remarks = remarks
        }
    }

    /// The greatest number of refusals that are listed; the rest is only counted.
    public static let mostRefusals = 100

    /// The format of the file, if it is known.
    public var format: ExchangeFormat?
    /// Whether anything from the file is on record now.
    public var isKept = true
    /// Whether the file was read to its end.
    public var isComplete = true
    /// The results for bags.
    public var bags = Tally()
    /// The results for passengers without bags.
    public var passengers = Tally()
    /// The results for scans.
    public var scans = Tally()
    /// The results for other facts.
    public var facts = Tally()
    /// What was removed because of purges that the file tells of.
    public var purged = Purged()
    /// The number of all refused records, even if their kind is unknown.
    public var refusedRecords = 0
    /// The first refusals.
    public var refusals: [Refusal] = []
    /// The first bags whose scans contradict the file, or messages in a list that tell of no bag to expect.
    public var standing: [Standing] = []

    /// The results for records of a kind.
    public subscript(kind: RecordKind) -> Tally {
        get { self[keyPath: kind.place()] }
        set { self[keyPath: kind.place()] = newValue }
    }

    /// The number of refused records of unknown kind.
    public var refusedUnknown: Int {
        refusedRecords - RecordKind.allCases.reduce(0) { $0 + self[$1].refused }
    }

    /// Whether any record of the file was accepted, or was on record already.
    var hasTaken: Bool { RecordKind.allCases.contains { self[$0].total > self[$0].refused } }

    /// Whether any record of the file has changed what is on record.
    public var hasAdded: Bool {
        RecordKind.allCases.contains { self[$0].total > self[$0].refused + self[$0].repeated }
    }

    /// Whether everything in the file is on record now.
    public var isClean: Bool { isComplete && refusedRecords == 0 }
}

/// The result for one record that was not refused.
enum ImportOutcome {
    case new, updated, changed, repeated
}

extension ImportReport.Purged {
    static func += (sum: inout Self, more: Self) {
        sum.bags += more.bags
        sum.names += more.names
        sum.pictures += more.pictures
        sum.remarks += more.remarks
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

/// The place of a record in its file.
struct RecordPlace {
    var number: Int
    var line: Int?
}

extension TagError {
    /// What a person who has the file can do about it.
    fileprivate var remedy: Remedy {
        switch code {
        case .keyMissing, .valueMissing: "give it a value"
        case .conflict where stage == .graph: .chooseSide
        case _ where stage == .structured: .repairRecord
        default: .correctRecord
        }
    }
}
