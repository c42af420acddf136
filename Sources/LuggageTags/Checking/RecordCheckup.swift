internal import FoundationEssentials
public import ObjectStore
internal import SystemSupport

/// Checks whether a record is consistent.
public struct RecordCheckup: Sendable {
    private let container: PersistentContainer

    /// Prepares to check a record.
    ///
    /// - Parameter container: The record, with the model of ``LuggageModel``.
    public init(container: PersistentContainer) {
        self.container = container
    }

    /// Checks every object and the history.
    ///
    /// It reads one state of the record, while others may file. It repairs nothing.
    ///
    /// - Returns: What is wrong; empty if nothing is.
    /// - Throws: `StoreError` if the record cannot be read.
    public func findings() throws -> [RecordFinding] {
        try container.read { context in
            var run = CheckupRun(context: context)
            return try run.findings()
        }
    }
}

extension RecordCheckup {
    /// Derives every bag anew from its facts, in transactions of some hundred bags.
    ///
    /// Before that it changes names to their composed form.
    ///
    /// - Returns: How many bags were different.
    /// - Throws: `StoreError`; the bags that were done before stay right.
    @discardableResult
    public func settle() throws -> Int {
        try NameSpelling(container: container).settle()
        var settled = 0
        try change(FetchRequest(Luggage.self)) { deriving, bags in
            for luggage in bags {
                let isSame = try deriving.differences(of: luggage).isEmpty
                if isSame && luggage.derivedUpTo != nil { continue }
                let before = BagDeriving.Before(luggage)
                try deriving.adopt(luggage, before)
                try deriving.derive(luggage, before)
                if !isSame { settled += 1 }
            }
        }
        // Facts of no bag get identifiers too.
        try change(FetchRequest(Scan.self).where(\.identifier, isMissing: true)) {
            try $0.identify($1, [])
        }
        try change(FetchRequest(Correction.self).where(\.fact, isMissing: true)) {
            try $0.identify([], $1)
        }
        return settled
    }

    /// Changes objects in transactions of some hundred.
    private func change<Object: ManagedObject>(
        _ request: FetchRequest<Object>,
        _ body: (BagDeriving, [Object]) throws -> Void
    ) throws {
        for ids in try container.read({ try $0.fetchIDs(request.asFaults()) }).pages(of: 500) {
            try container.transaction { context in
                context.author = Self.author
                let objects = FetchRequest(Object.self).whereObject(isOneOf: ids)
                try body(BagDeriving(context: context), context.fetch(objects))
                try context.save()
            }
        }
    }

    /// The author of the saves that correct bags, in the history.
    static let author = "(check)"
}

/// One check, page by page.
private struct CheckupRun {
    let context: ManagedObjectContext
    private var found: [RecordFinding] = []

    /// How many objects are in memory at a time.
    private static let size = 500

    init(context: ManagedObjectContext) {
        self.context = context
    }

    mutating func findings() throws -> [RecordFinding] {
        try forEachPage(Luggage.self) { run, luggage in try run.check(luggage) }
        try forEachPage(Passenger.self) { run, passenger in
            run.checkRules(passenger.validationFailures, "passenger \(passenger.name)")
            if !passenger.hasKeptSpelling { run.noteSpelling("passenger \(passenger.name)") }
        }
        for station in try NameSpelling.stations(in: context) { noteSpelling("station \(station)") }
        try forEachPage(Scan.self) { run, scan in run.check(scan) }
        try forEachPage(Correction.self) { run, correction in
            let place = "the correction of \(correction.madeAt.reportText)"
            run.checkRules(correction.validationFailures, place)
        }
        try forEachPage(ScanCount.self) { run, count in
            run.checkRules(count.validationFailures, "the number of scans of \(count.time)")
        }
        try checkJournal()
        for finding in try context.historyFindings() { note(.history, finding, .restore) }
        return found
    }

    private mutating func note(_ code: RecordFinding.Code, _ words: String, _ remedy: Remedy) {
        found.append(RecordFinding(code, words, remedy: remedy))
    }

    private mutating func forEachPage<Object: ManagedObject>(
        _ type: Object.Type,
        _ check: (inout Self, Object) throws -> Void
    ) throws {
        try context.forEachPage(of: FetchRequest(type), size: Self.size) { page in
            for object in page { try check(&self, object) }
        }
    }

    private mutating func checkRules(_ failures: [ValidationFailure], _ name: String) {
        for failure in failures {
            note(.invalid, "\(name.onOneLine): \(failure.property) \(failure.reason)", .correct)
        }
    }

    private mutating func noteSpelling(_ name: String) {
        let words = "\(name.onOneLine) is on record in another spelling than the program writes"
        note(.invalid, words, .settleNames)
    }

    private mutating func check(_ luggage: Luggage) throws {
        let name = "bag \(luggage.identifier.uuidString)"
        checkRules(luggage.validationFailures, name)
        let differences = try BagDeriving(context: context).differences(of: luggage)
        if differences.isEmpty { return }
        let list = differences.joined(separator: ", ")
        note(.times, "\(name) differs from what its facts say: \(list)", .settleBags)
    }

    private mutating func check(_ scan: Scan) {
        let name = "scan \(scan.objectID.key) of \(scan.imageName.onOneLine)"
        func note(_ words: String) {
            self.note(.incomplete, words, .restore)
        }
        if scan.imageName.isEmpty {
            note("scan \(scan.objectID.key) does not name its picture")
        }
        if scan.outcome.isFiled && scan.luggage == nil && scan.undoneAt == nil {
            note("\(name) has lost its bag")
        }
        if !scan.outcome.isFiled && scan.luggage != nil {
            note("\(name) has failed, but has a bag")
        }
        if !scan.outcome.isFiled && scan.reason.isEmpty {
            note("\(name) has failed without a reason")
        }
        if !scan.station.isStationName {
            note("\(name) has a station with an impossible name: \(scan.station.quoted)")
        }
    }

    /// Looks for pictures that the journal lists, but that have no scan.
    private mutating func checkJournal() throws {
        let digest = context.model.property(\JournalEntry.imageDigest)
        let station = context.model.property(\JournalEntry.station)
        var lost: [String] = []
        try context.forEachBatch(ofSnapshots: FetchRequest(JournalEntry.self)) { entries in
            let scans = try context.counts(
                by: \Scan.imageDigest,
                FetchRequest(Scan.self).where(\.imageDigest, isOneOf: entries.map { $0[digest] })
            )
            for entry in entries where scans[entry[digest]] == nil {
                lost.append(
                    "the picture \(entry[digest]) was filed by \(entry[station].onOneLine), and no "
                        + "scan of it is on record"
                )
            }
        }
        for words in lost { note(.incomplete, words, .restore) }
    }
}
