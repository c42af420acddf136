/// What an event says about a file.
package enum FileEvent: Hashable, Sendable {
    /// The file was written and closed, or moved there complete.
    case written
    /// Its permissions, owner, times or links were changed.
    case touched
    /// It was created: by a link, or by a program that begins to write it.
    case created(FileState)

    var marks: FileRecord.Marks { self == .touched ? .touched : .written }

    /// The state of the file if a program has only begun to write it.
    ///
    /// Nobody links an empty file into a folder for its content, so an empty new file waits for its
    /// writer.
    var isBeginning: FileState? {
        guard case .created(let state) = self, state.kind == .regular, state.byteCount == 0 else {
            return nil
        }
        return state
    }
}

extension FileLedger {
    /// Records an event.
    package mutating func note(
        _ event: FileEvent,
        folder: Int,
        name: [UInt8],
        now: Moment
    ) {
        let key = FileKey(folder: folder, name: name)
        let known = records[key]
        let record = known ?? newRecord(in: folder)
        switch known?.phase {
        case .pending, .inWork, .delayed:
            // News of the file does not end an error that it met: the news is only remembered.
            var record = record
            record.marks.formUnion(event.marks)
            set(key, record)
        case .waiting, .settled, nil:
            if let state = event.isBeginning {
                var record = newRecord(in: folder)
                record.digest = state.digest
                let due = now + grace
                park(key, name, record, .waiting(due: due), due: due)
                return
            }
            var marks = event.marks
            if known?.phase == .settled { marks.insert(.wasSettled) }
            lineUp(key, name, record, marks, now)
        }
    }

    /// Records that events of a folder were lost.
    package mutating func noteLostEvents(folder: Int) {
        for (key, record) in records where Int(record.folder) == folder {
            guard case .inWork = record.phase else { continue }
            records[key]?.marks.insert(.written)
        }
    }

    func newRecord(in folder: Int) -> FileRecord {
        FileRecord(
            folder: Int32(folder),
            name: nil,
            phase: .settled,
            digest: nil,
            scan: facts[folder].scan
        )
    }
}

/// The depth of a folder scan.
package enum ScanDepth: Int, Comparable, Sendable {
    /// Looks for unknown names, until there are enough.
    case names
    /// Looks for all names, and for changes of the files that wait or stay.
    case changes

    package static func < (left: ScanDepth, right: ScanDepth) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The next step of a scan after a name that it has found.
package enum ScanStep: Sendable {
    /// Continue.
    case next
    /// Examine the file and report the result, then continue.
    case look
    /// End the scan: there are enough names.
    case end
}

extension FileLedger {
    package mutating func beginScan(folder: Int) {
        facts[folder].scan &+= 1
        facts[folder].hasMore = false
        facts[folder].isScanned = true
    }

    /// Records that a scan has found a name.
    package mutating func see(
        folder: Int,
        name: [UInt8],
        depth: ScanDepth,
        now: Moment
    ) -> ScanStep {
        let key = FileKey(folder: folder, name: name)
        guard var record = records[key] else {
            lineUp(key, name, newRecord(in: folder), [], now)
            return afterLiningUp(in: folder, depth)
        }
        record.scan = facts[folder].scan
        records[key] = record
        switch record.phase {
        case .pending, .inWork: return .next
        case .waiting(let due), .delayed(let due):
            if due <= now {
                lineUp(key, name, record, marksOfDue(record), now)
                return afterLiningUp(in: folder, depth)
            }
            guard depth == .changes, case .waiting = record.phase else { return .next }
            return .look
        case .settled: return depth == .changes ? .look : .next
        }
    }

    private func afterLiningUp(in folder: Int, _ depth: ScanDepth) -> ScanStep {
        depth == .names && facts[folder].tally.pending >= mostPending ? .end : .next
    }

    /// Records the result for a file that the scan was told to examine.
    package mutating func compare(
        folder: Int,
        name: [UInt8],
        look: FileLook,
        now: Moment
    ) {
        let key = FileKey(folder: folder, name: name)
        guard let record = records[key] else { return }
        switch record.phase {
        case .pending, .inWork, .delayed: return
        case .waiting, .settled: break
        }
        switch look {
        case .gone: set(key, nil)
        case .failed: return
        case .found(let state):
            if state.kind == .folder && handsOutFolders {
                // A folder's own state does not show what has changed in it.
                return lineUp(key, name, record, .written, now)
            }
            guard state.digest != record.digest else { return }
            var marks: FileRecord.Marks = .touched
            if record.phase == .settled { marks.insert(.wasSettled) }
            lineUp(key, name, record, marks, now)
        }
    }

    /// Ends a scan.
    ///
    /// - Parameters:
    ///   - folder: The index of the folder.
    ///   - isComplete: Whether it reached the end of the folder, so that files it did not see are gone.
    package mutating func endScan(folder: Int, isComplete: Bool) {
        facts[folder].isScanned = false
        guard isComplete else {
            facts[folder].hasMore = true
            return
        }
        let scan = facts[folder].scan
        let gone = records.filter { _, record in
            guard Int(record.folder) == folder, record.scan != scan else { return false }
            switch record.phase {
            case .pending, .inWork: return false
            case .waiting, .delayed, .settled: return true
            }
        }
        for key in gone.keys { set(key, nil) }
    }
}
