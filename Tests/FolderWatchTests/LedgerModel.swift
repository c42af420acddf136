internal import FolderWatch
internal import SeededRandom
internal import Testing

/// A folder that exists only here, somebody who uses it, and a ledger that is told of it.
///
/// Events come late, or not at all; a change need not show in what a look at the file tells. Whatever
/// happens, every version of a file that stays must be handed out, and never twice at a time.
struct LedgerModel {
    struct File {
        /// Counts what was written, whether it shows or not.
        var version = 0
        var state: FileState
    }

    static let grace = Duration.seconds(60)

    let mostPending: Int
    var random: SeededGenerator
    var ledger: FileLedger
    var now = Moment(sinceStart: .zero)
    var files: [[UInt8]: File] = [:]
    /// Events that have happened, and that the ledger was not told of yet.
    var events: [(FileEvent, [UInt8])] = []
    /// What is handed out and not concluded.
    var given: [WatchedFile] = []
    /// The version of each file in which it was handed out last.
    var lastGiven: [[UInt8]: Int] = [:]
    /// Since when, and in which state, files are waited for.
    var waits: [[UInt8]: (since: Moment, state: FileState)] = [:]
    var handedOut = 0
    private var changes: Int64 = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        mostPending = 1 + random.number(below: 6)
        ledger = FileLedger(
            folderCount: 1,
            grace: Self.grace,
            mostPending: mostPending,
            lookAgain: .seconds(2)
        )
    }

    func look(_ name: [UInt8]) -> FileLook {
        files[name].map { .found($0.state) } ?? .gone
    }

    private mutating func chance(_ number: Int, in total: Int) -> Bool {
        random.number(below: total) < number
    }

    private mutating func randomName() -> [UInt8] { [UInt8(0x61 + random.number(below: 20))] }

    mutating func write() {
        let name = randomName()
        let isNew = files[name] == nil
        changes += 1
        let kind: FileState.Kind = chance(1, in: 12) ? .fifo : .regular
        var file =
            files[name]
            ?? File(
                state: FileState(
                    kind: kind,
                    inode: UInt64(changes),
                    byteCount: chance(1, in: 3) ? 0 : 1,
                    modified: 0,
                    changed: 0
                )
            )
        let isTold = chance(4, in: 5)
        // Two writes within one tick of the file system's clock look the same.
        if isNew || !isTold || chance(3, in: 4) {
            file.state.modified = changes
            file.state.changed = changes
            if file.state.kind == .regular, !isNew { file.state.byteCount = changes }
        }
        file.version = Int(changes)
        files[name] = file
        guard isTold else { return }
        if isNew, chance(1, in: 2) {
            events.append((.created(file.state), name))
        } else {
            events.append((.written, name))
        }
    }

    mutating func touch() {
        let name = randomName()
        guard files[name] != nil else { return }
        changes += 1
        files[name]?.version = Int(changes)
        files[name]?.state.changed = changes
        if chance(4, in: 5) { events.append((.touched, name)) }
    }

    mutating func remove() {
        files[randomName()] = nil
    }

    mutating func deliver() {
        guard !events.isEmpty else { return }
        let (event, name) = events.removeFirst()
        if case .created(let state) = event { waits[name] = (now, state) }
        ledger.note(event, folder: 0, name: name, now: now)
    }

    mutating func loseEvents() {
        // What was lost shows, or the file is handed out: the model makes it show.
        for (_, name) in events where files[name] != nil {
            changes += 1
            files[name]?.state.changed = changes
            files[name]?.version = Int(changes)
        }
        events = []
        ledger.noteLostEvents(folder: 0)
        scan(.changes)
    }

    mutating func scan(_ depth: ScanDepth) {
        ledger.beginScan(folder: 0)
        var isComplete = true
        scan: for name in files.keys.sorted(by: { $0[0] < $1[0] }) {
            switch ledger.see(folder: 0, name: name, depth: depth, now: now) {
            case .next: break
            case .look: ledger.compare(folder: 0, name: name, look: look(name), now: now)
            case .end:
                isComplete = false
                break scan
            }
        }
        ledger.endScan(folder: 0, isComplete: isComplete)
    }

    mutating func pass(_ duration: Duration) {
        now = now + duration
        ledger.passTime(to: now)
        if ledger.wantsNames(of: 0) { scan(.names) }
    }

    /// Takes what is next; false when nothing is pending.
    mutating func take() -> Bool {
        guard let taken = ledger.take() else { return false }
        let name = taken.name
        #expect(!given.contains { $0.name == name }, "It is handed out twice at a time")
        // The file is looked at a moment later.
        let look = chance(1, in: 20) ? .failed : look(name)
        let version = files[name]?.version
        if chance(1, in: 10) { write() }
        if chance(1, in: 10) { deliver() }
        guard
            case .given(let attempt, let isOverdue) = ledger.decide(
                on: taken,
                look: look,
                now: now
            )
        else { return true }
        guard case .found(let state) = look else {
            Issue.record("A file that was not found is handed out")
            return true
        }
        #expect(state.kind == .regular)
        if isOverdue {
            let wait = waits[name]
            #expect(wait?.state == state, "It is overdue although it has changed")
            #expect(wait.map { now - $0.since >= Self.grace } ?? false, "It is overdue too early")
        }
        handedOut += 1
        lastGiven[name] = version
        given.append(WatchedFile(taken, path: name, isOverdue: isOverdue, attempt: attempt))
        return true
    }

    mutating func conclude(_ wanted: FileOutcome? = nil) {
        guard !given.isEmpty else { return }
        let file = given.remove(at: random.number(below: given.count))
        let outcome: FileOutcome =
            if let wanted {
                wanted
            } else {
                switch random.number(below: 4) {
                case 0: .finished
                case 1: .incomplete
                case 2:
                    .troubled(
                        after: .seconds(random.number(below: 20)),
                        wasOverdue: file.isOverdue
                    )
                default: .finished
                }
            }
        guard let news = ledger.newsSinceGiven(file) else {
            Issue.record("A file that was handed out is not known")
            return
        }
        if outcome == .finished, chance(2, in: 3) { files[file.name] = nil }
        let look = chance(1, in: 20) ? .failed : look(file.name)
        if chance(1, in: 10) { write() }
        if chance(1, in: 10) { deliver() }
        ledger.conclude(file, outcome, news: news, look: look, now: now)
        if outcome == .incomplete, case .found(let state) = look {
            waits[file.name] = (now, state)
        }
    }

    mutating func step() {
        switch random.number(below: 100) {
        case 0..<30: write()
        case 30..<36: touch()
        case 36..<42: remove()
        case 42..<62: deliver()
        case 62..<78: _ = take()
        case 78..<92: conclude()
        case 92..<96: pass(.seconds(random.number(below: 40)))
        case 96..<98: scan(.changes)
        case 98: scan(.names)
        default: loseEvents()
        }
        #expect(ledger.tally(of: 0).pending <= mostPending)
        #expect(ledger.nameCount <= 2 * mostPending + given.count)
        #expect(ledger.tally(of: 0).inWork == given.count)
    }

    /// Lets everything come to rest: whatever is handed out is finished, and stays.
    mutating func settle() {
        while !events.isEmpty { deliver() }
        for _ in 0..<10_000 {
            while !given.isEmpty { finishStaying() }
            scan(.changes)
            pass(Self.grace)
            var hasTaken = false
            while takeSteadily() { hasTaken = true }
            if !hasTaken, given.isEmpty, !ledger.hasMore(in: 0) { return }
        }
        Issue.record("It does not come to rest")
    }

    private mutating func takeSteadily() -> Bool {
        guard let taken = ledger.take() else { return false }
        let look = look(taken.name)
        if case .given(let attempt, let isOverdue) = ledger.decide(
            on: taken,
            look: look,
            now: now
        ) {
            handedOut += 1
            lastGiven[taken.name] = files[taken.name]?.version
            let name = taken.name
            given.append(WatchedFile(taken, path: name, isOverdue: isOverdue, attempt: attempt))
        }
        return true
    }

    private mutating func finishStaying() {
        let file = given.removeLast()
        guard let news = ledger.newsSinceGiven(file) else { return }
        ledger.conclude(file, .finished, news: news, look: look(file.name), now: now)
    }
}
