package import FoundationEssentials

/// A fact on its way to other records, with what a hub needs to know to forget it.
///
/// A hub keeps bodies and understands none of them. Two facts with one identifier and different bodies
/// are two versions of one fact, of which a hub keeps both: records that merge them agree.
package struct OutgoingFact: Hashable, Sendable {
    /// What a statement of a purge takes away.
    package enum Forgetting: String, Sendable {
        /// The names of people.
        case names
        /// All facts.
        case bag
    }

    /// The identifier of the fact.
    package var id: UUID
    /// The bag, or the fact, that it is about; nil for a failed picture, its dismissal, and a statement
    /// that such are forgotten.
    package var bag: UUID?
    /// The name of the station, in composed form; empty if there is none.
    package var station: String
    /// The time and the time at which it became known, by which it is forgotten.
    package var age: Age
    /// What it says is forgotten, if a purge made it; then `age.known` tells when.
    package var forgets: Forgetting?
    /// The moment before which it says that facts are forgotten.
    package var until: Date?
    /// The fact as a line of JSON, without a line break.
    package var body: String
    /// What is left of it once its names are forgotten; nil if it has none.
    package var rest: Rest?
    /// How it changes if names in the fact that it withdraws are forgotten; nil if it does not.
    package var renaming: Renaming?

    /// The times by which a fact is forgotten, in the years 1700 to 9999, to the millisecond.
    package struct Age: Hashable, Sendable {
        /// The time of the fact.
        package var at: Date
        /// When it became known; nil if that is unknown.
        package var known: Date?

        init(_ at: Date, _ known: Date?) {
            self.at = at.ofCalendars
            self.known = known?.ofCalendars
        }
    }

    /// What is left of a fact without the names of people.
    package struct Rest: Hashable, Sendable {
        /// The identifier, which is another one if the identifier of the fact would tell the names.
        package var id: UUID
        /// The fact as a line of JSON.
        package var body: String
    }

    /// How a withdrawal changes if the fact that it withdraws gets another identifier.
    ///
    /// The identifier of a fact known by its contents would tell the names in them. So a fact gets
    /// another one with its names forgotten, and withdrawals must name that one.
    package struct Renaming: Hashable, Sendable {
        /// The times of the withdrawn fact: these decide, and not those of the withdrawal.
        package var age: Age
        /// The withdrawal as a line of JSON.
        package var body: String
        /// What is left of it once its own names are forgotten; nil if it has none.
        package var rest: String?
    }
}

extension Date {
    /// The same time in the years that calendars and databases have, with the precision of facts.
    fileprivate var ofCalendars: Date {
        let seconds = timeIntervalSince1970
        // The year 1700: calendars do not agree on days long before.
        if seconds < -8_520_336_000 { return Date(timeIntervalSince1970: -8_520_336_000) }
        if seconds >= 253_402_300_799 { return Date(timeIntervalSince1970: 253_402_300_799) }
        return ofFacts
    }
}

extension RecordEncoding {
    /// The encoding of facts on their way to other records.
    static let ofFacts = Self(
        format: .json,
        userInfo: [.dateForm: DateForm.text, .tellsKind: true]
    )

    fileprivate func text(_ record: ExchangeRecord) throws -> String {
        String(decoding: try encode(record), as: UTF8.self)
    }
}

extension OutgoingFact {
    /// Makes a scan ready to go out.
    init(_ scan: Scan) throws {
        let record = try ScanRecord(whole: scan)
        let encoding = RecordEncoding.ofFacts
        self.init(
            id: scan.factIdentifier,
            bag: record.bag,
            station: record.station,
            age: Age(scan: record),
            body: try encoding.text(.scan(record))
        )
        let rest = record.withoutNames
        if rest != record { self.rest = Rest(id: id, body: try encoding.text(.scan(rest))) }
    }

    /// Makes another fact ready to go out.
    ///
    /// - Parameters:
    ///   - correction: The fact.
    ///   - withdrawn: The fact that it withdraws, if that one is on record and known by its contents.
    /// - Throws: `EncodingError`.
    init(_ correction: Correction, withdrawing withdrawn: Correction?) throws {
        let record = try FactRecord(correction)
        let encoding = RecordEncoding.ofFacts
        self.init(
            id: record.identifier,
            bag: record.isOfFailures ? nil : record.subject,
            station: record.station ?? "",
            age: Age(record),
            forgets: correction.forgetting.map { $0.scope == .names ? .names : .bag },
            until: correction.forgetting.map { Age($0.until, nil).at },
            body: try encoding.text(.fact(record))
        )
        if forgets != nil { return }
        let rest = record.forgotten
        if rest != record {
            self.rest = Rest(id: rest.identifier, body: try encoding.text(.fact(rest)))
        }
        guard let withdrawn = try withdrawn.map({ try FactRecord($0) }),
            case let name = withdrawn.forgotten.identifier, name != record.withdrawn
        else { return }
        var renamed = record
        renamed.withdrawn = name
        renaming = Renaming(age: Age(withdrawn), body: try encoding.text(.fact(renamed)))
        let renamedRest = renamed.forgotten
        if renamedRest != renamed { renaming?.rest = try encoding.text(.fact(renamedRest)) }
    }
}

extension OutgoingFact.Age {
    init(scan: ScanRecord) {
        self.init(scan.scannedAt, scan.filedAt)
    }

    init(_ fact: FactRecord) {
        let age = fact.age
        self.init(age.time, age.known)
    }
}

extension ScanRecord {
    /// The same as it is kept if its names are forgotten.
    var withoutNames: Self {
        var scan = self
        scan.payload = PurgedPayload.of(Array(payload), outcome: outcome)
        scan.others = nil
        return scan
    }
}

extension FactRecord {
    /// Whether it is about pictures of no bag.
    var isOfFailures: Bool {
        [.dismiss, .forgottenFailures, .forgottenFailureNames].contains(kind)
    }

    /// The same as it is kept if its names are forgotten.
    fileprivate var forgotten: Self {
        var fact = withoutNames
        if kind.isByContents && identifier.isByContents { fact.identifier = fact.contentIdentifier }
        return fact
    }
}
