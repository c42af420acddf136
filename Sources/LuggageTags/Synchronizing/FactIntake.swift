package import FoundationEssentials
package import ObjectStore

/// Takes facts from a hub into a record.
///
/// It takes each fact once, in whatever order and however often it comes.
package struct FactIntake: Sendable {
    /// The author of these saves in the history; no person or station has this name.
    package static let author = "(sync)"

    /// The import that brings all facts of hubs: nobody can undo it, because no correction notes it.
    static let source = UUID.fact(telling: ["sync"])

    private let container: PersistentContainer
    private let now: @Sendable () -> Date
    private let latest: Date

    /// Prepares to take facts.
    ///
    /// - Parameters:
    ///   - container: The record, with the model of ``LuggageModel``.
    ///   - latest: Facts with later times are refused. It is by the hub's clock: this machine's may be
    ///     behind.
    ///   - now: Gives the present moment, at which the facts become known here.
    package init(
        container: PersistentContainer,
        latest: Date = .distantFuture,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.container = container
        self.latest = latest
        self.now = now
    }

    /// Merges facts with the record, in one transaction.
    ///
    /// - Parameters:
    ///   - bodies: The facts, each as a line of JSON.
    ///   - state: What the record knows about its hub from then on; kept in the same transaction, with
    ///     what came of it. Without it, the history is deleted at once if purges came.
    /// - Returns: The report. It names the facts that were refused; all others are on record.
    /// - Throws: `StoreError`; then nothing is changed.
    @discardableResult
    package func merge(_ bodies: [String], then state: HubState? = nil) throws -> IntakeReport {
        var report = IntakeReport()
        // Read before the transaction begins, so that nobody who files waits for it.
        let batch = try read(bodies, &report)
        try container.transaction { context in
            try merge(batch, in: context, &report)
            if var state {
                context.author = Self.author
                report.note(in: &state)
                try context.keep(state)
                try context.save()
            }
        }
        // Who keeps a state has to go through the history first, for what is to go out.
        if state == nil { try container.forgetHistory(after: report.purged) }
        return report
    }

    private func read(_ bodies: [String], _ report: inout IntakeReport) throws -> RecordBatch {
        let scratch = try PersistentContainer(model: LuggageModel.make(), store: InMemoryStore())
        let check = RecordCheck(
            scratch: scratch.makeContext(),
            latest: latest,
            bounds: .none
        )
        var batch = RecordBatch()
        for (place, body) in bodies.enumerated() {
            var identifier: UUID?
            do throws(TagError) {
                let raw = RawRecord(bytes: Array(body.utf8), format: .json)
                let (record, source) = try raw.decoded()
                identifier = try record.exchangedIdentifier
                let contents = try check.check(record, source)
                batch.entries.append(
                    .init(
                        place: RecordPlace(number: place),
                        record: record.asFact(of: contents),
                        contents: contents
                    )
                )
            } catch {
                report.refuse(error, place, identifier ?? UUID(told: body))
            }
        }
        return batch
    }

    private func merge(
        _ batch: RecordBatch,
        in context: ManagedObjectContext,
        _ report: inout IntakeReport
    ) throws {
        if batch.entries.isEmpty { return }
        var source = RecordMerging.Source(policy: .objectTrump, identifier: Self.source)
        (source.isExchange, source.isComplete) = (true, true)
        var merging = try RecordMerging(batch, of: source, into: context, now: now().ofFacts)
        let older = merging.met.bags.values.filter { $0.derivedUpTo == nil }
        if !older.isEmpty {
            try settle(older, in: context)
            merging = try RecordMerging(batch, of: source, into: context, now: now().ofFacts)
        }
        context.author = Self.author
        for entry in batch.entries {
            do {
                report.count(try merging.merge(entry))
            } catch let error as TagError {
                report.refuse(error, entry.place.number, try? entry.record.exchangedIdentifier)
            }
        }
        try merging.derive()
        try context.save()
        try merging.forgetFailures()
        try context.save()
        report.purged = merging.purged
    }

    /// Makes facts of the states that an older version of the program has kept of the bags.
    ///
    /// They are not of the hub, so another author saves them, and they go out.
    private func settle(_ bags: [Luggage], in context: ManagedObjectContext) throws {
        context.author = RecordCheckup.author
        let deriving = BagDeriving(context: context)
        for luggage in bags { try deriving.renew(luggage) }
        try context.save()
    }
}

/// The result of merging facts from a hub.
package struct IntakeReport: Sendable {
    /// A fact that this record cannot take.
    package struct Refusal: Sendable {
        /// The place among the bodies, from 0.
        package var place: Int
        /// The identifier of the fact, if it can be read.
        package var id: UUID?
        package var error: Problem
    }

    /// How many facts were new.
    package var new = 0
    /// How many facts have changed something that was on record.
    package var changed = 0
    /// How many facts were on record already, or are forgotten.
    package var repeated = 0
    /// The facts that were refused.
    package var refusals: [Refusal] = []
    /// What was removed, because it was purged elsewhere.
    package var purged = ImportReport.Purged()

    /// Adds what the record has to know later.
    package func note(in state: inout HubState) {
        if purged != .init() { state.holdsPurged = true }
        state.quarantined += refusals.count
    }

    fileprivate mutating func count(_ outcome: ImportOutcome) {
        switch outcome {
        case .new: new += 1
        case .updated, .changed: changed += 1
        case .repeated: repeated += 1
        }
    }

    fileprivate mutating func refuse(_ error: TagError, _ place: Int, _ identifier: UUID?) {
        refusals.append(Refusal(place: place, id: identifier, error: Problem(error)))
    }
}

extension ExchangeRecord {
    /// The identifier of a fact that a hub may pass on.
    fileprivate var exchangedIdentifier: UUID {
        get throws(TagError) {
            switch self {
            case .scan(let scan):
                if let identifier = scan.identifier { return identifier }
                throw TagError(.domain, .keyMissing, at: ["id"], "missing")
            case .fact(let fact): return fact.identifier
            case .about, .bag, .passenger, .end:
                throw TagError(
                    .domain,
                    .outOfRange,
                    at: ["record"],
                    "expected a scan or another fact"
                )
            }
        }
    }
}

extension UUID {
    /// The identifier in a fact that cannot be read otherwise.
    fileprivate init?(told body: String) {
        struct Told: Decodable { let id: String }
        guard let told = try? JSONDecoder().decode(Told.self, from: Data(body.utf8)) else {
            return nil
        }
        self.init(uuidString: told.id)
    }
}
