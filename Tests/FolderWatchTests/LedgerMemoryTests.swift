internal import FolderWatch
internal import Testing

/// How little the ledger remembers.
struct LedgerMemoryTests: LedgerTesting {
    @Test(
        "Of a folder that has many, few names are held, and none is forgotten",
        arguments: [1, 3, 64]
    )
    func many(mostPending: Int) throws {
        var ledger = makeLedger(mostPending: mostPending)
        var files: [[UInt8]: FileState] = [:]
        for number in 0..<200 as Range<UInt8> {
            files[[number]] = state()
            ledger.note(.written, folder: 0, name: [number], now: start)
        }
        #expect(ledger.nameCount == mostPending)
        #expect(ledger.hasMore(in: 0))
        // All of them are incomplete: not even then is more than that remembered by name.
        var given: Set<[UInt8]> = []
        while given.count < 200 {
            if ledger.wantsNames(of: 0) { scan(&ledger, files, .names) }
            let file = try give(&ledger, state(), at: start)
            let isFirst = given.insert(file.name).inserted
            #expect(isFirst)
            try conclude(&ledger, file, .incomplete, .found(state()), at: start)
            #expect(ledger.nameCount <= 2 * mostPending)
        }
        expectNothing(&ledger)
        #expect(ledger.tally(of: 0).waiting == 200)
        given = []
        let later = start + .seconds(60)
        ledger.passTime(to: later)
        while given.count < 200 {
            if ledger.wantsNames(of: 0) { scan(&ledger, files, .names, at: later) }
            let file = try give(&ledger, state(), at: later)
            #expect(file.isOverdue)
            let isFirst = given.insert(file.name).inserted
            #expect(isFirst)
            try conclude(&ledger, file, .finished, .gone, at: later)
            files[file.name] = nil
            #expect(ledger.nameCount <= 2 * mostPending)
        }
        #expect(ledger.count == 0)
    }

    @Test("What is gone is forgotten by a scan that has come to the end")
    func forgetting() throws {
        var ledger = makeLedger()
        for number in 1...3 as ClosedRange<UInt8> {
            ledger.note(.written, folder: 0, name: [number], now: start)
            let file = try give(&ledger, state(), at: start)
            try conclude(&ledger, file, .finished, .found(state()), at: start)
        }
        #expect(ledger.count == 3)
        ledger.beginScan(folder: 0)
        ledger.endScan(folder: 0, isComplete: false)
        #expect(ledger.count == 3)
        scan(&ledger, [[2]: state()])
        #expect(ledger.count == 1)
        scan(&ledger, [:])
        #expect(ledger.count == 0)
    }

    @Test("Waiting for the same file over and over costs no memory")
    func overAndOver() throws {
        var ledger = makeLedger()
        for round in 1...100_000 {
            ledger.note(.written, folder: 0, name: name, now: start)
            let file = try give(&ledger, state(), at: start)
            #expect(file.attempt == round)
            try conclude(&ledger, file, .incomplete, .found(state()), at: start)
        }
        #expect(ledger.dueTimeCount < 100)
    }
}
