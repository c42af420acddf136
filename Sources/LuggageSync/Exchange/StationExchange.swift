package import FoundationEssentials
internal import HubConnection
package import LuggageTags
package import ObjectStore
internal import SQLiteStore

/// Exchanges facts between a record and a hub, over one connection.
///
/// Whatever is repeated, lost or cut off on the way, both end up with the same facts: the hub keeps each
/// once, and the record merges each once. The record keeps where it stands together with what it merges.
package struct StationExchange {
    /// How many seconds ahead of the hub's clock a fact may be; the hub keeps apart what it sees 300 s ahead.
    static let tolerance: TimeInterval = 600
    /// How many facts go in one statement.
    static let size = 1000
    /// How many bytes of them, unless one alone is longer.
    private static let mostBytes = 4 << 20

    let container: PersistentContainer
    let hub: Hub
    let tell: (SyncEvent) -> Void
    private let machine: String
    private let version: String
    /// What the record knows about the hub; not everything in it is kept at once.
    package internal(set) var state: HubState
    /// The place up to which the record knows that it has pulled.
    private var keptPlace = PullCursor.start
    /// How many facts the hub keeps apart, because their times are ahead of its clock.
    package private(set) var keptApart = 0
    /// What the hub has for this record and does not give yet, if there is something.
    package private(set) var held: HeldFacts?
    /// The hub's time when it last told it, and when that was: whoever sets this machine's clock does not change it.
    private var told = (time: Date(), at: ContinuousClock.now)
    private let now: () -> Date
    /// By how many seconds the clock of this machine is ahead of the hub's.
    package var skew: TimeInterval { now().timeIntervalSince(hubTime) }
    /// After how many seconds a missing bag is overdue, for people who ask the hub; nil if nobody says.
    package var overdue: TimeInterval?
    /// Whether this station publishes what it derives.
    var isPublisher = false
    /// When the record may be compacted again.
    private var nextCompaction = SuspendingClock.now

    /// Greets the hub, and finds out whether something has happened to it or to the record.
    ///
    /// - Parameters:
    ///   - container: The record, with the model of `LuggageModel`.
    ///   - hub: The hub.
    ///   - machine: The identifier of this machine.
    ///   - version: The version of this program. Facts that this record could not take are asked for again
    ///     by each version once.
    ///   - tell: Is told what people should know.
    ///   - now: The time by this machine's clock.
    /// - Throws: ``SyncError``, `HubError` or `StoreError`.
    package init(
        _ container: PersistentContainer,
        _ hub: Hub,
        machine: String = Machine.identifier,
        version: String,
        tell: @escaping (SyncEvent) -> Void = { _ in },
        now: @escaping () -> Date = { Date() }
    ) throws {
        (self.container, self.hub, self.tell) = (container, hub, tell)
        (self.machine, self.version, self.now) = (machine, version, now)
        guard let kept = try container.read({ try $0.hubState }) else { throw SyncError.notJoined }
        (state, keptPlace) = (kept, kept.pulled)
        if state.comparedBy != version && state.quarantined > 0 { mustCompare() }
        try begin()
    }

    // MARK: Beginning

    private mutating func begin() throws {
        var greeting: Hub.Greeting
        do {
            greeting = try hub.greet(state.member)
        } catch let error as HubError where error.refusal == .unknownMember {
            // The hub was restored from a time before this record joined.
            greeting = try hub.greet(nil)
            try check(greeting)
            if !noticeLoss(greeting) { tell(.hubChanged) }
            mustCompare()
            try enterAnew()
            greeting = try hub.greet(state.member)
        } catch let error as HubError where error.refusal == .replaced {
            throw SyncError.replaced
        }
        try check(greeting)
        let isOurs =
            greeting.nonce == state.nonce
            || state.attempt != nil && greeting.nonce == state.attempt
        if !noticeLoss(greeting) && !isOurs {
            guard state.machine == machine else { throw SyncError.cloned }
            // The hub knows of pushes that this record does not: it was restored from a backup. What it had
            // pushed and pulled then is so; what it has lost was pushed by another member.
            tell(.restored)
            try enterAnew()
            greeting = try hub.greet(state.member)
        }
        (state.nonce, state.attempt) = (greeting.nonce, nil)
        state.confirmed = greeting.token ?? 0
        state.runs = greeting.runs.map(\.id)
        note(greeting)
    }

    private func check(_ greeting: Hub.Greeting) throws {
        guard greeting.hub == state.hub else { throw SyncError.otherHub }
        try HubSchema.check(version: greeting.version)
    }

    /// Notices if the hub was put back to an earlier state, or has failed over to a standby that lagged.
    ///
    /// - Parameter greeting: What the hub says.
    /// - Returns: Whether it has lost what this record pushed or pulled; then it pulls from there again.
    private mutating func noticeLoss(_ greeting: Hub.Greeting) -> Bool {
        let place = greeting.lossBegins(for: state)
        guard place != nil || greeting.token.map({ $0 < state.confirmed }) ?? false else {
            return false
        }
        tell(.hubChanged)
        if let place { state.pulled = min(state.pulled, place) }
        state.generation = nil
        mustCompare()
        return true
    }

    /// Notes that all days are to be compared with the hub.
    ///
    /// The record keeps that until it is done: whoever is cut off meanwhile begins with it the next time.
    private mutating func mustCompare() { state.pushed = nil }

    private mutating func note(_ greeting: Hub.Greeting) {
        noteTime(greeting.now)
        noteKeptApart(greeting.waiting)
    }

    private mutating func noteTime(_ text: String) {
        let time = try? Date(
            text,
            strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        )
        if let time { told = (time, .now) }
    }

    private var hubTime: Date { told.time + (ContinuousClock.now - told.at) / .seconds(1) }

    private mutating func noteKeptApart(_ count: Int) {
        if count > keptApart { tell(.keptApart(count)) }
        keptApart = count
    }

    /// Becomes a new member, with what it has pushed and pulled before.
    private mutating func enterAnew() throws {
        state.member = try hub.enter(
            station: state.station,
            machine: machine,
            pullsEverything: state.pullsEverything,
            takesPlace: true
        )
        state.machine = machine
        (state.nonce, state.attempt, state.generation) = (nil, nil, nil)
        state.confirmed = 0
        try keep()
    }

    // MARK: Rounds

    /// Exchanges everything that there is to exchange now.
    ///
    /// - Parameter publishes: Whether it publishes what it derives, too.
    /// - Throws: ``SyncError``, `HubError` or `StoreError`; what was exchanged before stays so.
    package mutating func run(publishes: Bool = false) throws {
        // What was kept apart may have been passed on since.
        if keptApart > 0 { note(try hub.greet(state.member)) }
        if state.pushed == nil { try reconcile() }
        try push()
        if state.pushed == nil { try reconcile() }
        try pull()
        try fill()
        if publishes { try publish() }
        try forget()
    }

    /// Sends what this record has filed since.
    private mutating func push() throws {
        let outbox = FactOutbox(container)
        while true {
            let batch: FactOutbox.Batch
            do {
                batch = try outbox.next(after: state.pushed, limit: Self.size)
            } catch let error as StoreError where error.code == .historyExpired {
                return mustCompare()
            }
            if !batch.facts.isEmpty {
                let pages = Self.pages(of: batch.facts)
                // A hub that is put back to a moment between two of them has not what this save says.
                for page in pages.dropLast() { try send(page, upTo: nil) }
                try send(pages.last ?? [], upTo: batch.token.rawValue)
                tell(.pushed(batch.facts.count))
            }
            // In memory only, if there was nothing to send: keeping it would itself be a save.
            state.pushed = batch.token
            if batch.isLast { return }
        }
    }

    /// Facts as statements can take them.
    private static func pages(of facts: [OutgoingFact]) -> [[OutgoingFact]] {
        var (pages, bytes): ([[OutgoingFact]], Int) = ([], .max)
        for fact in facts {
            let length = fact.body.utf8.count
            if pages.last.map({ $0.count == size }) ?? true || bytes + length > mostBytes {
                pages.append([])
                bytes = 0
            }
            pages[pages.count - 1].append(fact)
            bytes += length
        }
        return pages
    }

    private mutating func send(_ facts: [OutgoingFact], upTo token: Int64?) throws {
        // Kept before it is used: so the record knows its own push again, whatever happens to the answer.
        state.attempt = UUID()
        try keep()
        let answer = try hub.push(facts, of: state, upTo: token)
        (state.nonce, state.attempt) = (state.attempt, nil)
        if let token { state.confirmed = token }
        noteKeptApart(answer.waiting)
        noteTime(answer.now)
    }

    /// Takes what others have filed since.
    private mutating func pull() throws {
        try hub.attend(state.member)
        // Before it pulls: what ends later may have been missed.
        if let before = held?.before, try hub.hasEnded(before: before) { held = nil }
        while true {
            let answer = try hub.pull(state.member, after: state.pulled, limit: Self.size)
            var next = state
            next.pulled = answer.cursor
            // As above: a place that only moves on is not news, unless it is far.
            if !answer.bodies.isEmpty { try merge(answer.bodies, then: &next) }
            state = next
            if state.pulled.transaction > keptPlace.transaction + 10_000 { try keep() }
            if answer.hasMore { continue }
            if !answer.isHeld {
                held = nil
            } else if held == nil {
                held = HeldFacts(before: try hub.nextTransaction())
            }
            return
        }
    }

    private mutating func merge(_ bodies: [String], then next: inout HubState) throws {
        // By the hub's clock: a time far ahead would count more than whatever is said here for years.
        let latest = hubTime + Self.tolerance
        let report = try FactIntake(container: container, latest: latest).merge(bodies, then: next)
        keptPlace = next.pulled
        report.note(in: &next)
        for refusal in report.refusals.prefix(5) {
            tell(.refused(refusal.id, refusal.error.message))
        }
        tell(.pulled(report.new + report.changed))
    }

    /// Merges facts that are not the next ones in the order of the hub.
    private mutating func merge(_ bodies: [String]) throws {
        for page in bodies.pages(of: Self.size) {
            var next = state
            try merge(Array(page), then: &next)
            state = next
        }
    }

    /// Takes the earlier facts of bags that this station has seen since.
    private mutating func fill() throws {
        if state.pullsEverything { return }
        while true {
            let bags = try hub.wantedBags(state.member, limit: 200)
            if bags.isEmpty { return }
            try merge(hub.pull(state.member, bags: bags))
            try hub.have(state.member, bags: bags)
        }
    }

    /// Removes what was purged elsewhere from the history and from the free space of the record.
    ///
    /// Only now, when the history was looked through for what is to go out: a history that lacks that
    /// costs a comparison of all days.
    private mutating func forget() throws {
        guard state.holdsPurged, nextCompaction <= .now else { return }
        try push()
        guard var last = state.pushed else { return }
        if isPublisher, let published = state.published { last = min(last, published) }
        try keep()
        let firstKept = HistoryToken(rawValue: last.rawValue + 1)
        while try container.deleteHistory(before: firstKept, limit: Self.size) {}
        nextCompaction = .now + .seconds(600)
        guard try (container.store as? SQLiteStore)?.compact() ?? true else {
            tell(.compactionPostponed)
            return
        }
        state.holdsPurged = false
        try keep()
    }

    // MARK: Comparing days

    /// Compares all days with the hub, and exchanges those that differ.
    ///
    /// - Returns: How many days differed.
    /// - Throws: As ``run(publishes:)`` does.
    @discardableResult
    package mutating func reconcile() throws -> Int {
        // A new member pulls everything next, in order.
        let isNew = state.nonce == nil && state.pulled == .start
        mustCompare()
        let last = try container.lastHistoryToken()
        let theirs = try hub.days(state.member)
        let mine = try container.read { try FactDays($0).digests() }
        let differing = Set(mine.keys).union(theirs.keys).filter { mine[$0] != theirs[$0] }
        tell(.compared(days: theirs.count, differing: differing.count))
        let container = container
        try container.read { context in
            let days = FactDays(context)
            try days.facts(of: differing.filter { mine[$0] != nil }) { facts in
                for page in Self.pages(of: facts) { try send(page, upTo: nil) }
                tell(.pushed(facts.count))
            }
        }
        state.quarantined = 0
        for day in differing.sorted() where theirs[day] != nil && !isNew {
            try hub.pull(state.member, day: day, limit: Self.size) { try merge($0) }
        }
        // That the hub has everything up to there.
        try send([], upTo: last?.rawValue ?? 0)
        state.pushed = last ?? HistoryToken(rawValue: 0)
        state.comparedBy = version
        try keep()
        return differing.count
    }

    // MARK: The record

    func keep() throws { try container.keep(state) }
}
