internal import FoundationEssentials
internal import ObjectStore

/// What a list has said of a bag, and nobody has withdrawn.
struct ToldExpectation {
    let bag: ExpectedBag
    let fact: UUID
    /// Whether no later list has said it otherwise.
    let isCurrent: Bool
}

extension ManagedObjectContext {
    func toldExpectations(of bags: [UUID]) throws -> [UUID: [ToldExpectation]] {
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
struct ExpectationChange {
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
        self.init(.withdrawal, bag.identifier, person, at: known)
        withdrawn = fact
    }

    /// The fact that a list expects a bag.
    init(expecting bag: ExpectedBag, by person: Responsibility, at known: Date) {
        self.init(.expected, bag.identifier, person, at: known)
        weight = bag.weight
        owner = bag.owner
        point = bag.point
        due = bag.due
        place = bag.place
        route = bag.route
    }

    /// A fact of a list that says no more yet than who files it.
    private init(
        _ kind: Correction.Kind,
        _ subject: UUID,
        _ person: Responsibility,
        at known: Date
    ) {
        identifier = .fact(at: known)
        self.kind = kind
        self.subject = subject
        author = person.author
        reason = person.reason
        madeAt = known
        knownAt = known
        hasNoOwner = false
    }
}
