/// The state of the files in the folders, which decides which file to hand out next.
///
/// It only decides and does nothing: the caller examines files and folders, supplies the time, and
/// reports what it found. Names are kept for files that are pending, handed out or, up to a limit,
/// waiting; for all others only a record of some 60 bytes.
package struct FileLedger {
    /// A file that was taken from the queue, to be examined before it is handed out.
    package struct Taken {
        /// The index of its folder.
        package let folder: Int
        package let name: [UInt8]
        let ticket: UInt64
        let marks: FileRecord.Marks
        var key: FileKey { FileKey(folder: folder, name: name) }
    }

    /// The number of files of a folder in each phase.
    package struct Tally: Hashable, Sendable {
        /// Files to be handed out.
        package var pending = 0
        /// Files that are handed out.
        package var inWork = 0
        /// Files that were incomplete.
        package var waiting = 0
        /// Files that met a transient error.
        package var delayed = 0
        /// Files that stay as they are.
        package var settled = 0
        /// Names kept of files that wait or are delayed.
        var parkedNames = 0
    }

    struct FolderFacts {
        var tally = Tally()
        /// The number of scans.
        var scan: UInt32 = 0
        /// Whether there may be files to hand out whose names are not kept.
        var hasMore = false
        /// Whether a scan is running, which may find files.
        var isScanned = false
    }

    let grace: Duration
    let mostPending: Int
    /// The time after which a file that could not be examined is examined again.
    let lookAgain: Duration
    /// Whether folders are handed out like files.
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
    ///   - folderCount: The number of folders.
    ///   - grace: How long an incomplete file may stay without news.
    ///   - mostPending: The most names of pending files that are kept per folder, and the same
    ///     number of waiting ones.
    ///   - lookAgain: The time after which a file that could not be examined is examined again.
    ///   - handsOutFolders: Whether folders are handed out like files.
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

    /// Whether a file of this kind is handed out.
    func isWanted(_ kind: FileState.Kind) -> Bool {
        kind == .regular || kind == .folder && handsOutFolders
    }

    /// The number of files of a folder in each phase.
    package func tally(of folder: Int) -> Tally { facts[folder].tally }

    /// Whether a folder may have files to hand out whose names are not kept.
    package func hasMore(in folder: Int) -> Bool {
        facts[folder].hasMore || facts[folder].isScanned
    }

    /// Whether no file is pending or handed out, and no scan may change that.
    package var isIdle: Bool {
        facts.indices.allSatisfy { folder in
            let tally = facts[folder].tally
            return tally.pending == 0 && tally.inWork == 0 && !hasMore(in: folder)
        }
    }

    /// Whether to scan a folder for more names, because few of the kept ones are left.
    package func wantsNames(of folder: Int) -> Bool {
        facts[folder].hasMore && facts[folder].tally.pending <= mostPending / 4
    }

    /// The number of remembered files, with or without a name.
    package var count: Int { records.count }

    /// The number of kept names.
    package var nameCount: Int {
        facts.reduce(0) { sum, folder in
            sum + folder.tally.pending + folder.tally.inWork + folder.tally.parkedNames
        }
    }

    /// The number of due times, stale ones included.
    package var dueTimeCount: Int { dueTimes.count }

    /// Takes the file that has been pending longest from the queue.
    package mutating func take() -> Taken? {
        while let entry = queue.popFirst() {
            guard var record = records[entry.key], let name = record.name,
                record.phase == .pending(order: entry.order)
            else { continue }
            lastTicket += 1
            let marks = record.marks
            record.phase = .inWork(ticket: lastTicket)
            // Later events may or may not already show when the file is examined.
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

    /// When the next waiting or delayed file is due; nil if there is none.
    package mutating func nextDue() -> Moment? {
        while let entry = dueTimes.first {
            if isDue(entry) { return entry.due }
            dueTimes.removeFirst()
        }
        return nil
    }

    /// Queues the files that are due.
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

    /// The marks of a file whose time has come.
    func marksOfDue(_ record: FileRecord) -> FileRecord.Marks {
        if case .waiting = record.phase { .overdue } else { record.marks }
    }

    private func isDue(_ entry: DueTimes.Entry) -> Bool {
        switch records[entry.key]?.phase {
        case .waiting(entry.due), .delayed(entry.due): true
        default: false
        }
    }

    /// Queues a file; if the queue is full, a later scan finds it.
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
            // A file without a record counts as new in a scan.
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

    /// Makes a file wait until it is due.
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

    /// Records that a file stays as it is.
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

    /// Replaces the record of a file, or removes it if nil.
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
