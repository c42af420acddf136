internal import FoundationEssentials
internal import ObjectStore
internal import SystemSupport

/// Checks the values of single decoded records, so that the accepted ones can be saved.
struct RecordCheck {
    /// A context that is never saved, for validating bags and passengers by the rules of the model.
    let scratch: ManagedObjectContext
    /// The latest time that a record may have; a later one is the error of a clock.
    let latest: Date
    /// The earliest time and the greatest weight to believe.
    let bounds: TagBounds
    /// Stations whose names were found to be right: few stations have many scans.
    private let known = Stations()

    private final class Stations {
        var names: Set<String> = []
    }

    init(scratch: ManagedObjectContext, latest: Date, bounds: TagBounds) {
        self.scratch = scratch
        self.latest = latest
        self.bounds = bounds
    }

    /// Checks a record, and returns the values in the payload of a filed scan.
    ///
    /// The result is nil for a failed scan, and for a payload that only another version can read.
    func check(_ record: ExchangeRecord, _ source: PayloadSource) throws(TagError) -> TagContents? {
        switch record {
        case .bag(let bag):
            try check(bag, source)
            try check(bag.departedAt, "departedAt")
            try check(bag.arrivedAt, "arrivedAt")
        case .passenger(let name):
            let failures = scratch.failures { Passenger(name, context: $0).validationFailures }
            if !failures.isEmpty { throw TagError(failures, in: source) }
        case .scan(let scan):
            try check(scan.scannedAt, "scannedAt")
            try check(station: scan.station)
            try check(known: scan.filedAt, "filedAt")
            if let author = scan.author { try check(text: author, "author") }
            return try check(scan)
        case .fact(let fact): try check(fact, source)
        case .about, .end: break
        }
        return nil
    }

    private func check(_ fact: FactRecord, _ source: PayloadSource) throws(TagError) {
        for (date, name) in [
            (fact.departedAt, "departedAt"), (fact.arrivedAt, "arrivedAt"),
        ] { try check(date, name) }
        for (date, name) in [
            (fact.madeAt, "madeAt"), (fact.knownAt, "knownAt"), (fact.until, "until"),
        ] { try check(known: date, name) }
        if let station = fact.station { try check(station: station) }
        try check(text: fact.kind.rawValue, "kind")
        try check(text: fact.author, "author")
        if fact.kind.rawValue.isEmpty || Correction.Kind.local.contains(fact.kind) {
            throw TagError(
                .domain,
                .outOfRange,
                at: ["kind"],
                "\(fact.kind.rawValue.quoted) is a kind that one record cannot tell another"
            )
        }
        if Correction.Kind.forgettings.contains(fact.kind), fact.until == nil {
            throw TagError(.domain, .keyMissing, at: ["until"], "missing")
        }
        let members: [(String, Bool)] =
            switch fact.kind {
            case .expected: [("point", fact.point != nil), ("due", fact.due != nil)]
            case .note: [("alarm", fact.alarm != nil), ("due", fact.due != nil)]
            default: []
            }
        for (name, isThere) in members where !isThere {
            throw TagError(.domain, .keyMissing, at: [name], "missing")
        }
        if let alarm = fact.alarm { try check(text: alarm.rawValue, "alarm") }
        try check(
            TagContents(identifier: fact.subject, owner: fact.owner, weight: fact.weight),
            source
        )
    }

    private func check(_ bag: TagContents, _ source: PayloadSource?) throws(TagError) {
        // Every identifier is right, and most values are at once seen to be within the rules.
        if bag.owner?.isPlain ?? true, bag.weight.map({ (0...1_000_000).contains($0) }) ?? true {
            if let weight = bag.weight { try bounds.check(pounds: weight, in: source) }
            return
        }
        let failures = scratch.failures { context in
            let luggage = Luggage(context: context)
            luggage.identifier = bag.identifier
            luggage.weight = bag.weight
            let owner = bag.owner.map { Passenger($0, context: context) }
            return luggage.validationFailures + (owner?.validationFailures ?? [])
        }
        if !failures.isEmpty { throw TagError(failures, in: source) }
        if let weight = bag.weight { try bounds.check(pounds: weight, in: source) }
    }

    private func check(_ date: Date?, _ name: String) throws(TagError) {
        guard let date else { return }
        try bounds.check(date, at: [name])
        try check(known: date, name)
    }

    /// Refuses a future time, but no early one: `heard` facts may have become known at any time.
    private func check(known date: Date?, _ name: String) throws(TagError) {
        if let date, date > latest {
            throw TagError(
                .domain,
                .outOfRange,
                at: [name],
                "\(Moment(date).text) is in the future; set the clock of this machine, or of the one that "
                    + "wrote it"
            )
        }
    }

    private func check(text: String, _ name: String) throws(TagError) {
        if text.count <= 64 && text.onOneLine == text { return }
        throw TagError(
            .domain,
            .outOfRange,
            at: [name],
            "expected at most 64 characters on one line, found \(text.quoted)"
        )
    }

    private func check(station: String) throws(TagError) {
        if known.names.contains(station) { return }
        if !station.isStationName {
            throw TagError(
                .domain,
                .outOfRange,
                at: ["station"],
                "expected a name of 1 to 64 characters on one line, found \(station.quoted)"
            )
        }
        if known.names.count < 1000 { known.names.insert(station) }
    }

    private func check(_ scan: ScanRecord) throws(TagError) -> TagContents? {
        if scan.outcome == .misrouted {
            throw TagError(
                .domain,
                .outOfRange,
                at: ["outcome"],
                "\"misrouted\" is what each record finds out by itself, and not what a scan says"
            )
        }
        guard scan.outcome.isFiled else {
            if scan.reason.isEmpty {
                throw TagError(
                    .domain,
                    .keyMissing,
                    at: ["reason"],
                    "missing, though the outcome is \"\(scan.outcome.rawValue)\""
                )
            }
            if scan.bag != nil {
                throw TagError(.domain, .ambiguous, at: ["bag"], "a scan that failed has no bag")
            }
            return nil
        }
        if !scan.reason.isEmpty {
            throw TagError(
                .domain,
                .ambiguous,
                at: ["reason"],
                "a scan with the outcome \"\(scan.outcome.rawValue)\" has no reason"
            )
        }
        guard let contents = TagContents(onRecord: scan.payload) else { return nil }
        if let bag = scan.bag, bag != contents.identifier {
            throw TagError(
                .domain,
                .conflict,
                at: ["bag"],
                "is not the bag of the payload, \(contents.identifier.uuidString)"
            )
        }
        do throws(TagError) {
            try check(contents, nil)
        } catch {
            throw TagError(.domain, error.code, at: ["payload"], error.message)
        }
        return contents
    }
}

extension ManagedObjectContext {
    /// The failures of temporary objects to follow the rules of the model.
    fileprivate func failures(
        _ make: (ManagedObjectContext) -> [ValidationFailure]
    ) -> [ValidationFailure] {
        defer { reset() }
        return make(self)
    }
}
