public import FoundationEssentials
public import ObjectStore

/// Files lists of expected bags, as facts that can be undone together like an import.
public struct ExpectationRecorder: Sendable {
    private let container: PersistentContainer
    private let bounds: TagBounds
    private let person: Responsibility
    private let name: String?
    private let now: @Sendable () -> Date

    /// More than any list says of one bag: each is compared with those before it.
    private static let mostStatements = 1000

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
    /// back is withdrawn as if it were undone. Messages that tell of no bag to expect are passed over, and
    /// ``ImportReport/standing`` names them.
    ///
    /// - Parameter list: The list.
    /// - Returns: The report, in which each bag is a fact: new if it is expected now, changed if it was expected
    ///   otherwise before, updated if it is expected no more, and repeated if nothing has become otherwise. If
    ///   any was refused, nothing is on record.
    /// - Throws: `StoreError`; then nothing is on record.
    public func file(_ list: ExpectationList) throws -> ImportReport {
        var report = ImportReport()
        if let fault = list.fault { report.end(with: fault) }
        for other in list.passedOver { report.note(other.reason, other.place) }
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
        for (_, same) in Dictionary(grouping: statements, by: \.statement.identifier)
        where same.count > Self.mostStatements {
            let words = "the list is about this bag more than \(Self.mostStatements) times"
            report.refuse(
                TagError(.structured, .tooLong, words),
                same[Self.mostStatements].place,
                .fact
            )
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
