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
    ///   otherwise before, updated if it is expected no more, and repeated if nothing has become otherwise. If
    ///   any was refused, nothing is on record.
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
        // What a list says of a bag in several places is one change: filed again, it changes nothing.
        let bags = Dictionary(grouping: statements, by: \.statement.identifier)
            .sorted { $0.value[0].place.number < $1.value[0].place.number }
        for page in bags.pages(of: RecordBatch.size) {
            let known = try context.nextFactTime(now())
            let told = try context.toldExpectations(of: page.map(\.key))
            var batch = RecordBatch()
            for (identifier, statements) in page {
                var change = ExpectationChange(told[identifier, default: []])
                for (_, statement) in statements { change.apply(statement) }
                change.count(in: &report[.fact])
                batch.entries += change.facts(by: person, at: known).map {
                    .init(place: statements[0].place, record: .fact($0))
                }
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

/// What a list has said of a bag, and nobody has withdrawn.
private struct ToldExpectation {
    let bag: ExpectedBag
    let fact: UUID
    /// Whether no later list has said it otherwise.
    let isCurrent: Bool
}

extension ManagedObjectContext {
    fileprivate func toldExpectations(of bags: [UUID]) throws -> [UUID: [ToldExpectation]] {
        let corrections = try fetch(
            FetchRequest(Correction.self).where(\.identifier, isOneOf: Set(bags))
                .where(\.kind, is: .expected).where(\.undoneAt, isMissing: true)
        )
        let told = corrections.compactMap { correction -> ToldExpectation? in
            guard let point = correction.point, let due = correction.dueAt else { return nil }
            let bag = ExpectedBag(
                identifier: correction.identifier,
                owner: correction.owner,
                weight: correction.weight,
                point: point,
                place: correction.place,
                due: due,
                route: correction.route
            )
            return ToldExpectation(
                bag: bag,
                fact: correction.factIdentifier,
                isCurrent: correction.isCurrent
            )
        }
        return Dictionary(grouping: told, by: \.bag.identifier)
    }
}

/// What a list changes of what is expected of one bag.
private struct ExpectationChange {
    private var standing: [ToldExpectation]
    private var ended: [ToldExpectation] = []
    private var added: [ExpectedBag] = []
    /// What it says that was said before.
    private var repeated: Set<ExpectedBag> = []
    /// Whether the last of it says that the bag is expected.
    private var isExpected = false

    init(_ told: [ToldExpectation]) { standing = told }

    mutating func apply(_ statement: ListedStatement) {
        if let ends = statement.ended {
            added.removeAll(where: ends.contains)
            repeated = repeated.filter { !ends.contains($0) }
            ended += standing.filter { ends.contains($0.bag) }
            standing.removeAll { ends.contains($0.bag) }
        }
        isExpected = statement.expected != nil
        guard let bag = statement.expected else { return }
        if added.contains(bag) || standing.contains(where: { $0.isCurrent && $0.bag == bag }) {
            repeated.insert(bag)
            return
        }
        // Ended and said again: it stands.
        if let place = ended.firstIndex(where: { $0.isCurrent && $0.bag == bag }) {
            standing.append(ended.remove(at: place))
        } else {
            added.append(bag)
        }
    }

    /// Counts what is expected of the bag by what has become of it.
    func count(in tally: inout ImportReport.Tally) {
        if !ended.isEmpty {
            if isExpected { tally.changed += 1 } else { tally.updated += 1 }
        } else {
            tally.new += added.count
            // A message that ends nothing leaves all as it was.
            tally.repeated += added.isEmpty ? max(1, repeated.count) : repeated.count
        }
    }

    func facts(by person: Responsibility, at known: Date) -> [FactRecord] {
        ended.map { FactRecord(ending: $0.fact, of: $0.bag, by: person, at: known) }
            + added.map { FactRecord(expecting: $0, by: person, at: known) }
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
