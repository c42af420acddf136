/// What was found where a file was looked at.
package enum FileLook: Hashable, Sendable {
    /// There is something of that name.
    case found(FileState)
    /// There is nothing.
    case gone
    /// It cannot be told.
    case failed
}

/// What becomes of a file that was taken out of the line and looked at.
package enum TakenFile: Hashable, Sendable {
    /// It is handed out.
    case given(attempt: Int, isOverdue: Bool)
    /// It is of a kind that is not handed out, and was not counted in this state before.
    case skipped(FileState.Kind)
    /// It is not handed out now.
    case dropped
}

/// What the one to whom a file was handed out says of it.
package enum FileOutcome: Hashable, Sendable {
    /// It is gone, or stays as it is.
    case finished
    /// It is incomplete.
    case incomplete
    /// It met with transient trouble; it had been overdue, or not.
    case troubled(after: Duration, wasOverdue: Bool)
}

extension FileLedger {
    /// Decides about a file that was taken out of the line.
    package mutating func decide(on taken: Taken, look: FileLook, now: Moment) -> TakenFile {
        let key = taken.key
        guard var record = records[key], record.phase == .inWork(ticket: taken.ticket) else {
            return .dropped
        }
        switch look {
        case .gone:
            giveUp(key, taken.name, record, now)
            return .dropped
        case .failed:
            let due = now + lookAgain
            record.marks.formUnion(taken.marks)
            park(key, taken.name, record, .delayed(due: due), due: due)
            return .dropped
        case .found(let state):
            let isSame = state.digest == record.digest
            guard isWanted(state.kind) else {
                if record.marks.isEmpty {
                    settle(key, record, state.digest)
                } else {
                    lineUp(key, taken.name, record, record.marks, now)
                }
                return isSame ? .dropped : .skipped(state.kind)
            }
            let marks = taken.marks.union(record.marks)
            // Of a folder, nothing that was found says whether there is news of what is in it.
            let isWithoutNews =
                isSame && !marks.contains(.written) && state.kind == .regular
            if isWithoutNews, marks.contains(.wasSettled) {
                settle(key, record, state.digest)
                return .dropped
            }
            record.digest = state.digest
            record.attempts += record.attempts < .max ? 1 : 0
            set(key, record)
            return .given(
                attempt: Int(record.attempts),
                isOverdue: isWithoutNews && marks.contains(.overdue)
            )
        }
    }

    /// Whether a file is handed out under this ticket; events from now on are told apart.
    ///
    /// - Returns: What has happened to it since it was handed out, or nil if it is not handed out.
    package mutating func newsSinceGiven(_ file: WatchedFile) -> FileNewsSinceGiven? {
        let key = FileKey(folder: file.folder, name: file.name)
        guard let record = records[key], record.phase == .inWork(ticket: file.ticket) else {
            return nil
        }
        records[key]?.marks = []
        return FileNewsSinceGiven(marks: record.marks)
    }

    /// Takes to account what became of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - outcome: What the one to whom it was handed out says.
    ///   - news: What had happened to it before it was looked at.
    ///   - look: What was found there now; of no account where the trouble was transient.
    ///   - now: The time.
    package mutating func conclude(
        _ file: WatchedFile,
        _ outcome: FileOutcome,
        news: FileNewsSinceGiven,
        look: FileLook,
        now: Moment
    ) {
        let key = FileKey(folder: file.folder, name: file.name)
        guard var record = records[key], record.phase == .inWork(ticket: file.ticket) else {
            return
        }
        if case .troubled(let delay, let wasOverdue) = outcome {
            let due = now + max(.zero, delay)
            record.marks = wasOverdue ? .overdue : []
            park(key, file.name, record, .delayed(due: due), due: due)
            return
        }
        switch look {
        case .gone:
            giveUp(key, file.name, record, now)
            return
        case .found(let state):
            let marks = news.marks.union(record.marks)
            if state.digest != record.digest || marks.contains(.written) {
                if outcome == .finished { record.attempts = 0 }
                lineUp(key, file.name, record, record.marks.union(.written), now)
                return
            }
        case .failed:
            // The next scan that can look at it finds that it differs from this.
            record.digest = nil
        }
        if outcome == .finished {
            settle(key, record, record.digest)
        } else {
            let due = now + grace
            record.marks = []
            park(key, file.name, record, .waiting(due: due), due: due)
        }
    }

    /// Forgets a file that is gone, unless something has happened while that was found out.
    private mutating func giveUp(
        _ key: FileKey,
        _ name: [UInt8],
        _ record: FileRecord,
        _ now: Moment
    ) {
        guard record.marks.isEmpty else {
            lineUp(key, name, record, record.marks, now)
            return
        }
        set(key, nil)
    }
}

/// What has happened to a file since it was handed out.
package struct FileNewsSinceGiven: Sendable {
    let marks: FileRecord.Marks
}
