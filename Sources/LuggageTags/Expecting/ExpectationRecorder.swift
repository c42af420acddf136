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
    /// same point and place on the same trip, such as another time, that counts from now on.
    ///
    /// - Parameter list: The list.
    /// - Returns: The report, in which each bag is a fact. If any was refused, nothing is on record.
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
        var bags: [(place: RecordPlace, bag: ExpectedBag)] = []
        for entry in list.entries {
            do throws(TagError) {
                let bag = try entry.bag.get()
                try check.check(bag)
                bags.append((entry.place, bag))
            } catch {
                report.refuse(error, entry.place, .fact)
            }
        }
        // There is no taking the others alone: a list that lacks bags would be another list.
        for index in report.refusals.indices where report.refusals[index].record != nil {
            report.refusals[index].remedy = .correct
        }
        report.isKept = report.isClean && !bags.isEmpty
        if !report.isKept { return report }
        return try container.transaction { context in
            try file(bags, report, in: context)
        }
    }

    private func file(
        _ bags: [(place: RecordPlace, bag: ExpectedBag)],
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
        for start in stride(from: 0, to: bags.count, by: RecordBatch.size) {
            let page = bags[start..<min(start + RecordBatch.size, bags.count)]
            let known = try context.nextFactTime(now())
            var told = try context.expectations(of: page.map(\.bag.identifier))
            var batch = RecordBatch()
            for (place, bag) in page {
                if !told.insert(bag).inserted {
                    report[.fact].count(.repeated)
                    continue
                }
                let fact = FactRecord(expecting: bag, by: person, at: known)
                batch.entries.append(.init(place: place, record: .fact(fact)))
            }
            if batch.entries.isEmpty { continue }
            var merging = try RecordMerging(batch, of: source, into: context, now: known)
            for entry in batch.entries { report[.fact].count(try merging.merge(entry)) }
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

extension ManagedObjectContext {
    /// What lists say of some bags and still counts.
    fileprivate func expectations(of bags: [UUID]) throws -> Set<ExpectedBag> {
        let corrections = try fetch(
            FetchRequest(Correction.self).where(\.identifier, isOneOf: Set(bags))
                .where(\.kind, is: .expected).where(\.isCurrent, is: true)
        )
        return Set(
            corrections.compactMap { correction in
                guard let point = correction.point, let due = correction.dueAt else { return nil }
                return ExpectedBag(
                    identifier: correction.identifier,
                    owner: correction.owner,
                    weight: correction.weight,
                    point: point,
                    place: correction.place,
                    due: due,
                    route: correction.route
                )
            }
        )
    }
}

extension FactRecord {
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
