internal import FolderWatch
internal import Testing

/// What the ledger decides, case by case.
struct LedgerTests: LedgerTesting {
    @Test(
        "After a file was finished, it depends on what has happened whether it is handed out again",
        arguments: [
            // What is there when it is finished, what comes later, and whether it is handed out again.
            (1, nil, false),
            (2, nil, true),
            (1, "written", true),
            (1, "touched, the same", false),
            (1, "touched", true),
            (1, "scanned, the same", false),
            (1, "scanned", true),
            (0, nil, false),
            (0, "written", true),
            (0, "scanned", true),
        ] as [(Int64, String?, Bool)]
    )
    func finished(found: Int64, later: String?, isGiven: Bool) throws {
        var ledger = makeLedger()
        ledger.note(.written, folder: 0, name: name, now: start)
        let file = try give(&ledger, state(1), at: start)
        expectNothing(&ledger)
        try conclude(
            &ledger,
            file,
            .finished,
            found == 0 ? .gone : .found(state(found)),
            at: start
        )
        var now = state(1)
        switch later {
        case "written": ledger.note(.written, folder: 0, name: name, now: start)
        case "touched, the same": ledger.note(.touched, folder: 0, name: name, now: start)
        case "touched":
            now = state(3)
            ledger.note(.touched, folder: 0, name: name, now: start)
        case "scanned, the same", "scanned":
            if later == "scanned" { now = state(3) }
            scan(&ledger, [name: now])
        default: if found != 0 { now = state(found) }
        }
        let again = try? give(&ledger, now, at: start)
        #expect((again != nil) == isGiven)
        #expect(again.map { $0.attempt == 1 } ?? true)
    }

    @Test(
        "What happens while a file is in work is made up for afterwards",
        arguments: [
            ("written", true), ("touched", false), ("lost", true), ("begun anew", true),
        ]
    )
    func inWork(news: String, isGivenAgain: Bool) throws {
        var ledger = makeLedger()
        ledger.note(.written, folder: 0, name: name, now: start)
        let file = try give(&ledger, state(), at: start)
        switch news {
        case "written": ledger.note(.written, folder: 0, name: name, now: start)
        case "touched": ledger.note(.touched, folder: 0, name: name, now: start)
        case "begun anew":
            ledger.note(.created(state(byteCount: 0)), folder: 0, name: name, now: start)
        default: ledger.noteLostEvents(folder: 0)
        }
        expectNothing(&ledger)
        try conclude(&ledger, file, .finished, .found(state()), at: start)
        let again = ledger.take()
        #expect((again != nil) == isGivenAgain)
    }

    @Test("What is said of a file twice, or too late, changes nothing")
    func twice() throws {
        var ledger = makeLedger()
        ledger.note(.written, folder: 0, name: name, now: start)
        let file = try give(&ledger, state(), at: start)
        try conclude(&ledger, file, .troubled(after: .zero, wasOverdue: false), .failed, at: start)
        expectUnknown(file, &ledger)
        ledger.passTime(to: start)
        let again = try give(&ledger, state(), at: start)
        expectUnknown(file, &ledger)
        #expect(again.attempt == 2)
        #expect(ledger.tally(of: 0).inWork == 1)
    }

    @Test("A file that is tried again keeps its turn, whatever happens to it")
    func delayed() throws {
        var ledger = makeLedger()
        ledger.note(.written, folder: 0, name: name, now: start)
        let file = try give(&ledger, state(), at: start)
        let outcome = FileOutcome.troubled(after: .seconds(10), wasOverdue: false)
        try conclude(&ledger, file, outcome, .failed, at: start)
        ledger.note(.written, folder: 0, name: name, now: start)
        scan(&ledger, [name: state(2)])
        expectNothing(&ledger)
        let due = ledger.nextDue()
        #expect(due == start + .seconds(10))
        ledger.passTime(to: start + .seconds(9))
        expectNothing(&ledger)
        ledger.passTime(to: start + .seconds(10))
        let given = try give(&ledger, state(2), at: start)
        #expect(given.attempt == 2)
        let none = ledger.nextDue()
        #expect(none == nil)
    }

    @Test("Who waits for a file gets it when the grace period is over, and news begins it anew")
    func waiting() throws {
        var ledger = makeLedger()
        ledger.note(.created(state(byteCount: 0)), folder: 0, name: name, now: start)
        expectNothing(&ledger)
        let due = ledger.nextDue()
        #expect(due == start + .seconds(60))
        ledger.note(.written, folder: 0, name: name, now: start + .seconds(50))
        let file = try give(&ledger, state(2), at: start + .seconds(50))
        #expect(!file.isOverdue)
        try conclude(&ledger, file, .incomplete, .found(state(2)), at: start + .seconds(50))
        ledger.passTime(to: start + .seconds(109))
        expectNothing(&ledger)
        ledger.passTime(to: start + .seconds(110))
        let given = try give(&ledger, state(2), at: start + .seconds(110))
        #expect(given.isOverdue)
    }

    @Test("A file that has changed is not overdue, although there was no event")
    func changedQuietly() throws {
        var ledger = makeLedger()
        ledger.note(.written, folder: 0, name: name, now: start)
        let file = try give(&ledger, state(), at: start)
        try conclude(&ledger, file, .incomplete, .found(state()), at: start)
        ledger.passTime(to: start + .seconds(60))
        let given = try give(&ledger, state(2), at: start + .seconds(60))
        #expect(!given.isOverdue)
    }

    @Test("A file that cannot be looked at is looked at again later")
    func unknowable() throws {
        var ledger = makeLedger()
        ledger.note(.written, folder: 0, name: name, now: start)
        let next = ledger.take()
        let taken = try #require(next)
        #expect(ledger.decide(on: taken, look: .failed, now: start) == .dropped)
        let due = ledger.nextDue()
        #expect(due == start + .seconds(2))
        ledger.passTime(to: start + .seconds(2))
        let given = try give(&ledger, state(), at: start)
        #expect(given.attempt == 1)
    }

    @Test(
        "What is no regular file is counted once, and again when it is replaced",
        arguments: [
            .fifo, .device, .socket, .symbolicLink, .folder, .other,
        ] as [FileState.Kind]
    )
    func otherKinds(kind: FileState.Kind) throws {
        var ledger = makeLedger()
        var thing = state(kind: kind)
        for (changed, decision) in [(1, TakenFile.skipped(kind)), (2, .dropped), (3, .dropped)] {
            thing.changed = Int64(changed)
            ledger.note(.touched, folder: 0, name: name, now: start)
            let next = ledger.take()
            let taken = try #require(next)
            #expect(ledger.decide(on: taken, look: .found(thing), now: start) == decision)
            // Whatever is put into a folder changes its times.
            scan(&ledger, [name: state(100, kind: kind)])
            expectNothing(&ledger)
        }
        scan(&ledger, [name: state()])
        let given = try give(&ledger, state(), at: start)
        #expect(given.name == name)
    }

    @Test("Files are handed out in the order of their oldest news")
    func order() throws {
        var ledger = makeLedger(mostPending: 10)
        for number in [3, 1, 2, 3, 1] as [UInt8] {
            ledger.note(.written, folder: 0, name: [number], now: start)
        }
        scan(&ledger, [[1]: state(), [9]: state()])
        var names: [[UInt8]] = []
        while let taken = ledger.take() { names.append(taken.name) }
        #expect(names == [[3], [1], [2], [9]])
    }
}
