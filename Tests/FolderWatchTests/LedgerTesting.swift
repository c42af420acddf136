internal import FolderWatch
internal import Testing

/// What tests of the ledger say to it.
protocol LedgerTesting {}

extension LedgerTesting {
    var start: Moment { Moment(sinceStart: .zero) }
    var name: [UInt8] { [0x61] }

    func makeLedger(mostPending: Int = 4) -> FileLedger {
        FileLedger(
            folderCount: 1,
            grace: .seconds(60),
            mostPending: mostPending,
            lookAgain: .seconds(2)
        )
    }

    func state(
        _ changed: Int64 = 1,
        kind: FileState.Kind = .regular,
        byteCount: Int64 = 1
    ) -> FileState {
        FileState(kind: kind, inode: 1, byteCount: byteCount, modified: 1, changed: changed)
    }

    /// Takes the next file, of which a look tells this, and hands it out.
    func give(
        _ ledger: inout FileLedger,
        _ look: FileState,
        at now: Moment
    ) throws -> WatchedFile {
        guard let taken = ledger.take() else { throw NotGiven(decision: nil) }
        let decision = ledger.decide(on: taken, look: .found(look), now: now)
        guard case .given(let attempt, let isOverdue) = decision else {
            throw NotGiven(decision: decision)
        }
        return WatchedFile(taken, path: taken.name, isOverdue: isOverdue, attempt: attempt)
    }

    func expectNothing(
        _ ledger: inout FileLedger,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let taken = ledger.take()
        #expect(taken == nil, sourceLocation: location)
    }

    func expectUnknown(
        _ file: WatchedFile,
        _ ledger: inout FileLedger,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let news = ledger.newsSinceGiven(file)
        #expect(news == nil, sourceLocation: location)
    }

    func conclude(
        _ ledger: inout FileLedger,
        _ file: WatchedFile,
        _ outcome: FileOutcome,
        _ look: FileLook,
        at now: Moment
    ) throws {
        let since = ledger.newsSinceGiven(file)
        let news = try #require(since)
        ledger.conclude(file, outcome, news: news, look: look, now: now)
    }

    /// Scans a folder that has these files.
    func scan(
        _ ledger: inout FileLedger,
        _ files: [[UInt8]: FileState],
        _ depth: ScanDepth = .changes,
        at now: Moment? = nil
    ) {
        ledger.beginScan(folder: 0)
        var isComplete = true
        for (name, state) in files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let step = ledger.see(folder: 0, name: name, depth: depth, now: now ?? start)
            if case .look = step {
                ledger.compare(folder: 0, name: name, look: .found(state), now: now ?? start)
            } else if case .end = step {
                isComplete = false
                break
            }
        }
        ledger.endScan(folder: 0, isComplete: isComplete)
    }
}

struct NotGiven: Error {
    let decision: TakenFile?
}
