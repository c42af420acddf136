/// The result of examining a file.
package enum FileLook: Hashable, Sendable {
    /// There is a file with that name.
    case found(FileState)
    /// There is no file.
    case gone
    /// The system could not tell.
    case failed
}

/// The decision about a file that was taken from the queue and examined.
package enum TakenFile: Hashable, Sendable {
    /// It is handed out.
    case given(attempt: Int, isOverdue: Bool)
    /// It is of a kind that is not handed out, and was not counted in this state before.
    case skipped(FileState.Kind)
    /// It is not handed out now.
    case dropped
}

/// The result that the receiver of a file reports.
package enum FileOutcome: Hashable, Sendable {
    /// It is gone, or stays as it is.
    case finished
    case incomplete
    /// It met a transient error after which it is retried; it may have been overdue before.
    case troubled(after: Duration, wasOverdue: Bool)
}

extension FileLedger {
    /// Decides about a file that was taken from the queue.
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
            // A folder's own state does not show whether there is news of its contents.
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

    /// Returns what has happened to a file since it was handed out, and separates it from later events.
    ///
    /// - Returns: The news, or nil if the file is not handed out under this ticket.
    package mutating func newsSinceGiven(_ file: WatchedFile) -> FileNewsSinceGiven? {
        let key = FileKey(folder: file.folder, name: file.name)
        guard let record = records[key], record.phase == .inWork(ticket: file.ticket) else {
            return nil
        }
        records[key]?.marks = []
        return FileNewsSinceGiven(marks: record.marks)
    }

    /// Records the outcome of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - outcome: The outcome, as its receiver reported it.
    ///   - news: What happened to the file before it was examined.
    ///   - look: The present state of the file; ignored after a transient error.
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
            // The next scan that can examine it sees a difference from this.
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

    /// Forgets a file that is gone, unless an event came while that was found out.
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

/// What happened to a file since it was handed out.
package struct FileNewsSinceGiven: Sendable {
    let marks: FileRecord.Marks
}
