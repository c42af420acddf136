internal import FoundationEssentials
internal import ObjectStore

/// What a list has said of a bag.
struct ToldExpectation {
    let bag: ExpectedBag
    let fact: UUID
    /// Whether no later list has said it otherwise.
    let isCurrent: Bool
    /// When it was said.
    let time: Date
    /// When it was withdrawn; nil if it stands.
    let ended: Date?
}

extension ManagedObjectContext {
    func toldExpectations(of bags: [UUID]) throws -> [UUID: [ToldExpectation]] {
        let corrections = try fetch(
            FetchRequest(Correction.self).where(\.identifier, isOneOf: Set(bags))
                .where(\.kind, is: .expected)
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
                isCurrent: correction.isCurrent,
                time: correction.time,
                ended: correction.undoneAt
            )
        }
        return Dictionary(grouping: told, by: \.bag.identifier)
    }
}

/// What a list changes of what is expected of one bag.
struct ExpectationChange {
    /// What was said of the bag, on record or here.
    private struct Saying {
        let bag: ExpectedBag
        /// The fact on record; nil if it is said here first.
        let fact: UUID?
        let isCurrent: Bool
        /// How much had been said when it was ended; nil if it stands.
        var end: Int?

        var key: Expectation.Key { .init(bag.point, bag.place, bag.route, bag.due) }
    }

    /// What was said, in order.
    private var sayings: [Saying]
    /// What stood on record.
    private let standing: Set<UUID>
    /// What it says that was said before.
    private var repeated: Set<ExpectedBag> = []
    /// Whether the last of it says that the bag is expected.
    private var isExpected = false

    init(_ told: [ToldExpectation]) {
        standing = Set(told.filter { $0.ended == nil }.map(\.fact))
        sayings = told.sorted { ($0.time, $0.fact) < ($1.time, $1.fact) }.map { one in
            let end = one.ended.map { end in told.count { $0.time < end } }
            return Saying(bag: one.bag, fact: one.fact, isCurrent: one.isCurrent, end: end)
        }
    }

    mutating func apply(_ statement: ListedStatement) {
        if let ends = statement.ended {
            for place in sayings.indices
            where sayings[place].end == nil && ends.contains(sayings[place].bag) {
                sayings[place].end = sayings.count
            }
            repeated = repeated.filter { !ends.contains($0) }
        }
        isExpected = statement.expected != nil
        guard let bag = statement.expected else { return }
        let isSaid = sayings.contains { $0.end == nil && $0.isCurrent && $0.bag == bag }
        if isSaid || hasGivenWay(bag, to: statement.rivals) {
            repeated.insert(bag)
            return
        }
        // Ended here and said again: it stands.
        let same = sayings.first { saying in
            saying.isCurrent && saying.bag == bag && saying.fact.map(standing.contains) ?? false
        }
        sayings.append(Saying(bag: bag, fact: same?.fact, isCurrent: true))
    }

    /// Whether a bag was expected there before, and what was said after that had ended stands.
    private func hasGivenWay(_ bag: ExpectedBag, to rivals: EndedExpectations?) -> Bool {
        let new = Saying(bag: bag, fact: nil, isCurrent: true)
        guard let rivals, let end = sayings.last(where: { $0.key == new.key })?.end else {
            return false
        }
        return sayings[end...].contains { $0.end == nil && rivals.contains($0.bag) }
    }

    /// What stood on record, and stands no more.
    private var ended: [Saying] {
        let stands = Set(sayings.filter { $0.end == nil }.compactMap(\.fact))
        return sayings.filter { saying in
            saying.fact.map { standing.contains($0) && !stands.contains($0) } ?? false
        }
    }

    private var added: [ExpectedBag] {
        sayings.filter { $0.fact == nil && $0.end == nil }.map(\.bag)
    }

    /// What was said here and has given way here: who hears it again knows by it that it is over.
    private var past: [ExpectedBag] {
        var known = Set(sayings.filter { $0.fact != nil || $0.end == nil }.map(\.key))
        return sayings.filter { saying in
            guard let end = saying.end, sayings[end...].contains(where: { $0.end == nil }) else {
                return false
            }
            return known.insert(saying.key).inserted
        }.map(\.bag)
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
        let past = past.flatMap { bag in
            let fact = FactRecord(expecting: bag, by: person, at: known)
            return [fact, FactRecord(ending: fact.identifier, of: bag, by: person, at: known)]
        }
        return past
            + ended.compactMap { saying in
                saying.fact.map { FactRecord(ending: $0, of: saying.bag, by: person, at: known) }
            } + added.map { FactRecord(expecting: $0, by: person, at: known) }
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
