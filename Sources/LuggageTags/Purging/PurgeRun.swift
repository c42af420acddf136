internal import FoundationEssentials
internal import ObjectStore

/// One purge, or its rehearsal, piece by piece.
///
/// Each piece is a transaction. It takes away together what belongs together: a bag with its scans and
/// corrections, its owner if the owner has no other bag, and the journal entry of a picture that shows
/// nothing else. It also adds the purged scans to the counts. The last piece begins to delete the
/// history, which tells who is young; this goes on in pieces too, the oldest saves first. So the
/// history of the purge itself is among the last to go, and if a purge is interrupted, the next one
/// finds the rest.
struct PurgeRun {
    /// The place in which it reads and writes.
    enum Place {
        /// One state of the record, which is only read.
        case rehearsal(ManagedObjectContext)
        case record(PersistentContainer)
    }

    /// The author of a purge's saves; no station or person has this name.
    static let author = "(purge)"

    /// What the purge has taken away so far.
    private(set) var outcome: PurgeReport

    private let place: Place
    private let scope: RecordPurge.Scope
    private let cutoff: Date
    private let picturesAreGone: Bool
    /// How many bags of each passenger would be deleted or lose their owner.
    private var lostBags: [ObjectID: Int] = [:]
    /// The passengers without bags who are younger than the cutoff.
    private var young: YoungPassengers
    /// How many of them turned out to be older, because something older names them.
    private var formerlyYoung = 0
    /// How many scans were found of each picture that also has other scans, by digest.
    private var foundScans: [String: Int] = [:]
    private var pace: PurgePace
    /// How many objects are still to be looked at.
    private var left = 0
    private var history = HistoryPurge()
    /// Whether the record already notes that facts about no bag are forgotten.
    private var hasForgottenFailures = false
    private let now: @Sendable () -> Date

    /// Prepares to purge.
    ///
    /// - Parameters:
    ///   - place: The record, or a state of it.
    ///   - scope: What to take away.
    ///   - cutoff: The purge takes what has no news since this moment.
    ///   - picturesAreGone: Whether the journal shall forget the pictures.
    ///   - pace: Decides how much one transaction takes.
    ///   - now: Gives the present moment.
    /// - Throws: `StoreError`.
    init(
        _ place: Place,
        _ scope: RecordPurge.Scope,
        before cutoff: Date,
        picturesAreGone: Bool = false,
        pace: PurgePace = PurgePace(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.now = now
        self.place = place
        self.scope = scope
        self.cutoff = cutoff
        self.picturesAreGone = picturesAreGone
        self.pace = pace
        outcome = PurgeReport(scope: scope, before: cutoff)
        young = try place.look { try YoungPassengers(since: cutoff, in: $0) }
    }

    /// Takes away, or only counts in a rehearsal.
    mutating func run() throws {
        // All objects are found first, so that it knows which piece is the last.
        let bags = try ids(of: Luggage.agedBefore(cutoff))
        let scans = try ids(of: Scan.looseBefore(cutoff))
        let corrections = try ids(of: Correction.looseBefore(cutoff))
        let young = young.ids
        let idle = try ids(of: FetchRequest<Passenger>.withoutBags).filter { !young.contains($0) }
        left = bags.count + scans.count + corrections.count + idle.count
        try purge(Luggage.self, bags) { try $0.purge($1) }
        try purge(Scan.self, scans) { try $0.purge($1) }
        try purge(Correction.self, corrections) { try $0.purge($1) }
        try purgePassengers(idle)
        try forgetWhatIsLeft()
    }

    private func ids<Object: ManagedObject>(
        of request: FetchRequest<Object>
    ) throws -> [ObjectID] {
        try place.look { try $0.fetchIDs(request.asFaults()) }
    }

    // MARK: Pieces

    /// Purges those objects of one kind that are old enough.
    private mutating func purge<Object: Purgeable>(
        _ type: Object.Type,
        _ ids: [ObjectID],
        _ take: (inout PurgePiece, Object) throws -> Void
    ) throws {
        let cutoff = cutoff
        var rest = ids[...]
        while !rest.isEmpty {
            let rows = pace.rows
            let page = rest.prefix(max(1, rows / Object.usualRowCount))
            var next = page.endIndex
            try purgePiece { context, piece in
                // They may have been seen since they were found.
                var objects = try context.fetch(
                    Object.withAll(FetchRequest(Object.self).whereObject(isOneOf: page))
                )
                var count = 0
                if let end = objects.firstIndex(where: { object in
                    defer { count += object.rowCount }
                    return count >= rows
                }) {
                    next = page.firstIndex(of: objects[end].objectID) ?? next
                    objects.removeSubrange(end...)
                }
                objects.removeAll { !$0.isAged(before: cutoff) }
                for object in objects { try take(&piece, object) }
                return (next - page.startIndex, rows: count)
            }
            rest = ids[next...]
        }
    }

    /// Purges one piece, and then the passengers and pictures that nothing refers to any more.
    ///
    /// - Parameter take: Purges, and returns how many objects and rows it has looked at.
    /// - Throws: `StoreError`.
    private mutating func purgePiece(
        _ take: (ManagedObjectContext, inout PurgePiece) throws -> (objects: Int, rows: Int)
    ) throws {
        let (place, isRehearsal) = (place, place.isRehearsal)
        var began = ContinuousClock.now
        var taken = (objects: 0, rows: 0)
        let piece = try place.turn { context in
            began = .now
            var piece = PurgePiece(
                context,
                PurgeReport(scope: scope, before: cutoff),
                knownAt: isRehearsal ? nil : try context.nextFactTime(now()),
                asksForNames: !young.isEmpty,
                hasForgottenFailures: hasForgottenFailures
            )
            taken = try take(context, &piece)
            try piece.save()
            let named = young.remove(piece.named)
            formerlyYoung += named.count
            try piece.purgePassengers(Array(piece.owners.keys) + named)
            let pictures = try findPictures(piece)
            try piece.notePictures(pictures, areForgotten: scope == .bags || picturesAreGone)
            let isLast =
                !isRehearsal && taken.objects == left && !(outcome.isEmpty && piece.report.isEmpty)
            if isLast { try history.take(pace.rows, in: context) }
            return piece
        }
        hasForgottenFailures = piece.hasForgottenFailures
        pace.note(taken.rows, in: .now - began)
        left -= taken.objects
        outcome += piece.report
        if isRehearsal { lostBags.merge(piece.owners, uniquingKeysWith: +) }
    }

    /// The pictures of a piece whose scans are all purged, in it or before.
    private mutating func findPictures(_ piece: PurgePiece) throws -> [String] {
        // Deleted scans are no longer counted.
        let isDeleted = !place.isRehearsal && scope == .bags
        let numbers = try piece.scansOfPictures()
        return piece.scans.keys.sorted().filter { digest in
            let all = numbers[digest, default: 0]
            if isDeleted { return all == 0 }
            let found = foundScans[digest, default: 0] + piece.scans[digest, default: 0]
            foundScans[digest] = found < all ? found : nil
            return found == all
        }
    }

    // MARK: Passengers and history

    /// Purges old passengers without bags; those who lost their bags are gone already.
    private mutating func purgePassengers(_ idle: [ObjectID]) throws {
        if case .rehearsal(let context) = place {
            let owned = try context.counts(by: \Luggage.owner)
            outcome.passengers =
                idle.count + formerlyYoung + lostBags.count { owned[$0.key] == $0.value }
            return
        }
        var rest = idle[...]
        while !rest.isEmpty {
            let page = rest.prefix(pace.rows)
            try purgePiece { _, piece in
                try piece.purgePassengers(page)
                return (page.count, rows: page.count)
            }
            rest = rest.dropFirst(page.count)
        }
    }

    /// Deletes what the last piece has left of the history.
    ///
    /// Deletes all of it if no piece was the last, because the objects at the end were no longer old.
    private mutating func forgetWhatIsLeft() throws {
        guard !history.isDone, case .record(let container) = place,
            try !outcome.isEmpty || wasInterrupted
        else { return }
        try history.finish(in: container, at: &pace)
    }

    /// Whether the history has saves of an earlier purge, which was interrupted.
    private var wasInterrupted: Bool {
        get throws {
            try place.look { context in
                var token: HistoryToken?
                while true {
                    let saves = try context.history(after: token, limit: 500)
                    guard let last = saves.last else { return false }
                    if saves.contains(where: { $0.author == Self.author }) { return true }
                    token = last.token
                }
            }
        }
    }
}

extension PurgeRun.Place {
    var isRehearsal: Bool {
        if case .rehearsal = self { true } else { false }
    }

    /// Reads, and keeps no objects in memory.
    func look<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        switch self {
        case .rehearsal(let context):
            defer { context.reset() }
            return try body(context)
        case .record(let container): return try container.read(body)
        }
    }

    /// Runs one piece in a transaction of its own.
    func turn<Result>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
        guard case .record(let container) = self else { return try look(body) }
        return try container.transaction { context in
            context.author = PurgeRun.author
            return try body(context)
        }
    }
}

/// How many rows one transaction of a purge takes, because other writers wait for its end.
struct PurgePace {
    /// How long a transaction should take.
    private static let aim = Duration.milliseconds(100)

    private let range: ClosedRange<Int>
    /// How many rows the next transaction takes.
    private(set) var rows: Int

    /// Begins with a number of rows that is fast on any machine.
    ///
    /// - Parameter range: The least number, so that the purge comes to an end, and the greatest, so that
    ///   the rows fit into memory.
    init(_ range: ClosedRange<Int> = 64...8192) {
        self.range = range
        rows = min(max(512, range.lowerBound), range.upperBound)
    }

    /// Adapts the number to the time that a transaction has taken for some rows.
    mutating func note(_ taken: Int, in time: Duration) {
        // A transaction with few rows tells little.
        guard taken >= rows / 4 || time > Self.aim else { return }
        let fitting = Double(taken) * (Self.aim / max(time, .microseconds(1)))
        // It at most doubles, because the disk may become busy.
        let next = Int(min(fitting, 2 * Double(rows)))
        rows = min(max(next, range.lowerBound), range.upperBound)
    }
}
