public import Foundation
public import ObjectStore

/// Files lists of expected bags, as facts that can be undone together like an import.
public struct ExpectationRecorder: Sendable {
    private let container: PersistentContainer
    private let bounds: TagBounds
    private let person: Responsibility
    private let name: String?
    private let now: @Sendable () -> Date

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - container: The container to file in, with the model of ``LuggageModel``.
    ///   - bounds: The earliest time and the greatest weight to believe.
    ///   - person: The person who files, with the reason.
    ///   - name: The name of the list, with which people find it.
    ///   - now: Gives the present moment.
    public init(
        container: PersistentContainer,
        bounds: TagBounds = .none,
        by person: Responsibility,
        named name: String? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.container = container
        self.bounds = bounds
        self.person = person
        self.name = name
        self.now = now
    }

    /// Files a list, all of it or nothing.
    ///
    /// What a list has said before and is still so is not filed again. If it says something new of a bag at the
    /// same point and place on the same trip, such as another time, that counts from now on. What a list takes
    /// back is withdrawn as if it were undone.
    ///
    /// - Parameter list: The list.
    /// - Returns: The report, in which each bag is a fact: new if it is expected now, changed if it was expected
    ///   otherwise, updated if it is expected no more, and repeated if nothing is otherwise than before. If any
    ///   was refused, nothing is on record.
    /// - Throws: `StoreError`; then nothing is on record.
    public func file(_ list: ExpectationList) throws -> ImportReport {
        var report = ImportReport()
        if let fault = list.fault { report.end(with: fault) }
        let scratch = try PersistentContainer(model: LuggageModel.make(), store: InMemoryStore())
        let check = RecordCheck(
            scratch: scratch.makeContext(),
            latest: .distantFuture,
            bounds: bounds
        )
        var statements: [(place: RecordPlace, statement: ListedStatement)] = []
        for entry in list.entries {
            do throws(TagError) {
                let statement = try entry.statement.get()
                if let bag = statement.expected { try check.check(bag) }
                statements.append((entry.place, statement))
            } catch {
                report.refuse(error, entry.place, .fact)
            }
        }
        // There is no taking the others alone: a list that lacks bags would be another list.
        for index in report.refusals.indices where report.refusals[index].record != nil {
            report.refusals[index].remedy = .correctList
        }
        report.isKept = report.isClean && !statements.isEmpty
        if !report.isKept { return report }
        return try container.transaction { context in
            try file(statements, report, in: context)
        }
    }

    private func file(
        _ statements: [(place: RecordPlace, statement: ListedStatement)],
        _ report: ImportReport,
        in context: ManagedObjectContext
    ) throws -> ImportReport {
        var report = report
        context.author = person.author
        let source = RecordMerging.Source(
            policy: .objectTrump,
            identifier: .fact(at: now())
        )
        var isNoted = false
        for page in statements.pages(of: RecordBatch.size) {
            let known = try context.nextFactTime(now())
            var told = try ToldExpectations(of: page.map(\.statement.identifier), in: context)
            var batch = RecordBatch()
            for (place, statement) in page {
                let (facts, outcome) = told.facts(of: statement, by: person, at: known)
                report[.fact].count(outcome)
                batch.entries += facts.map { .init(place: place, record: .fact($0)) }
            }
            if batch.entries.isEmpty { continue }
            var merging = try RecordMerging(batch, of: source, into: context, now: known)
            for entry in batch.entries { _ = try merging.merge(entry) }
            try merging.derive()
            if !isNoted {
                isNoted = true
                Correction.note(source.identifier, by: person, named: name, at: known, in: context)
            }
            try context.save()
            context.reset()
        }
        return report
    }
}

extension RecordCheck {
    /// Checks the values of a bag that a list expects.
    func check(_ bag: ExpectedBag) throws(TagError) {
        try bounds.check(bag.due, at: ["due"])
        let record = ExchangeRecord.bag(
            TagContents(identifier: bag.identifier, owner: bag.owner, weight: bag.weight)
        )
        _ = try check(record, PayloadSource(checked: [], JSONFormat()))
    }
}

/// What lists have said of some bags, as they are told more.
private struct ToldExpectations {
    private struct Told {
        let bag: ExpectedBag
        let fact: UUID
        /// Whether no later list has said it otherwise.
        let isCurrent: Bool
    }

    /// What nobody has withdrawn.
    private var told: [UUID: [Told]] = [:]

    init(of bags: [UUID], in context: ManagedObjectContext) throws {
        let corrections = try context.fetch(
            FetchRequest(Correction.self).where(\.identifier, isOneOf: Set(bags))
                .where(\.kind, is: .expected).where(\.undoneAt, isMissing: true)
        )
        for correction in corrections {
            guard let point = correction.point, let due = correction.dueAt else { continue }
            let bag = ExpectedBag(
                identifier: correction.identifier,
                owner: correction.owner,
                weight: correction.weight,
                point: point,
                place: correction.place,
                due: due,
                route: correction.route
            )
            told[bag.identifier, default: []].append(
                Told(
                    bag: bag,
                    fact: correction.factIdentifier,
                    isCurrent: correction.isCurrent
                )
            )
        }
    }

    /// The facts by which a statement comes to what was told before, and what it changes.
    mutating func facts(
        of statement: ListedStatement,
        by person: Responsibility,
        at known: Date
    ) -> (facts: [FactRecord], outcome: ImportOutcome) {
        var own = told[statement.identifier, default: []]
        defer { told[statement.identifier] = own }
        let ended = own.filter { statement.ended?.contains($0.bag) ?? false }
        own.removeAll { told in ended.contains { $0.fact == told.fact } }
        var facts = ended.map { FactRecord(ending: $0.fact, of: $0.bag, by: person, at: known) }
        guard let bag = statement.expected, !own.contains(where: { $0.isCurrent && $0.bag == bag })
        else { return (facts, ended.isEmpty ? .repeated : .updated) }
        let fact = FactRecord(expecting: bag, by: person, at: known)
        own.append(Told(bag: bag, fact: fact.identifier, isCurrent: true))
        facts.append(fact)
        return (facts, ended.isEmpty ? .new : .changed)
    }
}

extension FactRecord {
    /// The fact that a list no longer expects what a fact expects of a bag.
    fileprivate init(
        ending fact: UUID,
        of bag: ExpectedBag,
        by person: Responsibility,
        at known: Date
    ) {
        identifier = .fact(at: known)
        kind = .withdrawal
        subject = bag.identifier
        author = person.author
        reason = person.reason
        madeAt = known
        knownAt = known
        hasNoOwner = false
        withdrawn = fact
    }

    /// The fact that a list expects a bag.
    init(expecting bag: ExpectedBag, by person: Responsibility, at known: Date) {
        identifier = .fact(at: known)
        kind = .expected
        subject = bag.identifier
        author = person.author
        reason = person.reason
        madeAt = known
        knownAt = known
        weight = bag.weight
        owner = bag.owner
        hasNoOwner = false
        point = bag.point
        due = bag.due
        place = bag.place
        route = bag.route
    }
}
