/// What is known of the files in the folders, and which of them to hand out next.
///
/// It decides, and does nothing: whoever keeps it looks at files and folders, tells the time, and says
/// what was found. Names are held of files that are pending, handed out or, up to a limit, waiting;
/// of all others only a record of some 60 bytes.
package struct FileLedger {
    /// A file that was taken out of the line, to be looked at before it is handed out.
    package struct Taken {
        /// The index of its folder.
        package let folder: Int
        /// Its name.
        package let name: [UInt8]
        let ticket: UInt64
        let marks: FileRecord.Marks
        var key: FileKey { FileKey(folder: folder, name: name) }
    }

    /// How many files of a folder are in which phase.
    package struct Tally: Hashable, Sendable {
        /// Are to be handed out.
        package var pending = 0
        /// Are handed out.
        package var inWork = 0
        /// Were incomplete.
        package var waiting = 0
        /// Met with transient trouble.
        package var delayed = 0
        /// Stay as they are.
        package var settled = 0
        /// Names held of those that wait or are delayed.
        var parkedNames = 0
    }

    struct FolderFacts {
        var tally = Tally()
        /// Counts the scans.
        var scan: UInt32 = 0
        /// There may be files to hand out of which no name is held.
        var hasMore = false
        /// A scan is going on, which may find some.
        var isScanned = false
    }

    let grace: Duration
    let mostPending: Int
    /// After this time a file is looked at again that could not be looked at.
    let lookAgain: Duration
    /// Whether folders are handed out as files are.
    let handsOutFolders: Bool

    var records: [FileKey: FileRecord] = [:]
    var facts: [FolderFacts]
    private var queue = PendingQueue()
    private var dueTimes = DueTimes()
    private var lastOrder: UInt64 = 0
    private var lastTicket: UInt64 = 0

    /// An empty ledger.
    ///
    /// - Parameters:
    ///   - folderCount: How many folders there are.
    ///   - grace: How long an incomplete file may stay without news.
    ///   - mostPending: How many names of pending files are held for a folder, and how many of waiting.
    ///   - lookAgain: When to look again at a file that could not be looked at.
    ///   - handsOutFolders: Whether folders are handed out as files are.
    package init(
        folderCount: Int,
        grace: Duration,
        mostPending: Int,
        lookAgain: Duration,
        handsOutFolders: Bool = false
    ) {
        self.grace = max(.zero, grace)
        self.mostPending = max(1, mostPending)
        self.lookAgain = lookAgain
        self.handsOutFolders = handsOutFolders
        facts = Array(repeating: FolderFacts(), count: folderCount)
    }

    /// Whether something of this kind is handed out.
    func isWanted(_ kind: FileState.Kind) -> Bool {
        kind == .regular || kind == .folder && handsOutFolders
    }

    /// How many files of a folder are in which phase.
    package func tally(of folder: Int) -> Tally { facts[folder].tally }

    /// Whether a folder may have files to hand out of which no name is held.
    package func hasMore(in folder: Int) -> Bool {
        facts[folder].hasMore || facts[folder].isScanned
    }

    /// Whether nothing is to be handed out, nor handed out, and no scan may change that.
    package var isIdle: Bool {
        facts.indices.allSatisfy { folder in
            let tally = facts[folder].tally
            return tally.pending == 0 && tally.inWork == 0 && !hasMore(in: folder)
        }
    }

    /// Whether a folder should be scanned for more names, since few of those held are left.
    package func wantsNames(of folder: Int) -> Bool {
        facts[folder].hasMore && facts[folder].tally.pending <= mostPending / 4
    }

    /// How many files are remembered, by name or without.
    package var count: Int { records.count }

    /// How many names are held.
    package var nameCount: Int {
        facts.reduce(0) { sum, folder in
            sum + folder.tally.pending + folder.tally.inWork + folder.tally.parkedNames
        }
    }

    /// How many moments are remembered at which files are due, or were to be.
    package var dueTimeCount: Int { dueTimes.count }

    /// Takes the file that has been pending longest out of the line.
    package mutating func take() -> Taken? {
        while let entry = queue.popFirst() {
            guard var record = records[entry.key], let name = record.name,
                record.phase == .pending(order: entry.order)
            else { continue }
            lastTicket += 1
            let marks = record.marks
            record.phase = .inWork(ticket: lastTicket)
            // What happens from now on may or may not show when the file is looked at.
            record.marks = []
            set(entry.key, record)
            return Taken(
                folder: Int(record.folder),
                name: name,
                ticket: lastTicket,
                marks: marks
            )
        }
        return nil
    }

    /// When a file that waits or is delayed is due next; nil when none does.
    package mutating func nextDue() -> Moment? {
        while let entry = dueTimes.first {
            if isDue(entry) { return entry.due }
            dueTimes.removeFirst()
        }
        return nil
    }

    /// Lines up the files that are due.
    package mutating func passTime(to now: Moment) {
        while let entry = dueTimes.first, entry.due <= now {
            dueTimes.removeFirst()
            guard isDue(entry), let record = records[entry.key] else { continue }
            if let name = record.name {
                lineUp(entry.key, name, record, marksOfDue(record), now)
            } else {
                facts[Int(record.folder)].hasMore = true
            }
        }
    }

    /// What is to be remembered of a file whose time has come.
    func marksOfDue(_ record: FileRecord) -> FileRecord.Marks {
        if case .waiting = record.phase { .overdue } else { record.marks }
    }

    private func isDue(_ entry: DueTimes.Entry) -> Bool {
        switch records[entry.key]?.phase {
        case .waiting(entry.due), .delayed(entry.due): true
        default: false
        }
    }

    /// Lines a file up; where too many are in line already, a scan finds it later.
    mutating func lineUp(
        _ key: FileKey,
        _ name: [UInt8],
        _ record: FileRecord,
        _ marks: FileRecord.Marks,
        _ now: Moment
    ) {
        let folder = Int(record.folder)
        var record = record
        record.marks = marks
        record.scan = facts[folder].scan
        guard facts[folder].tally.pending < mostPending else {
            facts[folder].hasMore = true
            // One of which nothing is remembered is as good as new to a scan.
            guard records[key] != nil else { return }
            record.phase = .delayed(due: now)
            record.name = nil
            set(key, record)
            return
        }
        lastOrder += 1
        record.phase = .pending(order: lastOrder)
        record.name = name
        set(key, record)
        queue.append(PendingQueue.Entry(order: lastOrder, key: key))
    }

    /// Lets a file wait until it is due.
    mutating func park(
        _ key: FileKey,
        _ name: [UInt8],
        _ record: FileRecord,
        _ phase: FileRecord.Phase,
        due: Moment
    ) {
        var record = record
        let folder = Int(record.folder)
        set(key, nil)
        record.phase = phase
        record.name = facts[folder].tally.parkedNames < mostPending ? name : nil
        record.scan = facts[folder].scan
        set(key, record)
        dueTimes.insert(DueTimes.Entry(due: due, key: key))
        let parked = facts.reduce(0) { $0 + $1.tally.waiting + $1.tally.delayed }
        guard dueTimes.count > 2 * parked + 64 else { return }
        dueTimes = DueTimes(
            records.compactMap { key, record in
                switch record.phase {
                case .waiting(let due), .delayed(let due): DueTimes.Entry(due: due, key: key)
                default: nil
                }
            }
        )
    }

    /// Remembers that a file stays as it is.
    mutating func settle(_ key: FileKey, _ record: FileRecord, _ digest: UInt64?) {
        var record = record
        record.phase = .settled
        record.name = nil
        record.digest = digest
        record.attempts = 0
        record.marks = []
        record.scan = facts[Int(record.folder)].scan
        set(key, record)
    }

    /// Replaces what is remembered of a file; nil forgets it.
    mutating func set(_ key: FileKey, _ record: FileRecord?) {
        if let old = records[key] { facts[Int(old.folder)].tally.add(old, -1) }
        if let record { facts[Int(record.folder)].tally.add(record, 1) }
        records[key] = record
    }
}

extension FileLedger.Tally {
    mutating func add(_ record: FileRecord, _ number: Int) {
        switch record.phase {
        case .pending: pending += number
        case .inWork: inWork += number
        case .waiting:
            waiting += number
            if record.name != nil { parkedNames += number }
        case .delayed:
            delayed += number
            if record.name != nil { parkedNames += number }
        case .settled: settled += number
        }
    }
}
