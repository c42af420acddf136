internal import Foundation
internal import ObjectStore

/// The saves of a history, put together to what people know as one change each.
///
/// Filing a tag takes several saves, of which the last keeps the scan; so does a correction. What was
/// saved in another way, as an import, cannot be taken back, but others may depend on it.
struct ChangeLog {
    /// One change, and how it was made.
    struct Entry {
        /// How a change was made.
        enum Origin {
            case scan(Scan)
            case correction(Correction)
            case other
        }

        let saves: [HistoryTransaction]
        let origin: Origin

        /// The number of the change: that of its last save.
        var number: Int64 { saves.last?.token.rawValue ?? 0 }

        /// Whether people may take it back.
        var isUndoable: Bool {
            switch origin {
            case .scan(let scan): scan.outcome.isFiled
            case .correction(let correction): correction.kind == .file || correction.kind == .edit
            case .other: false
            }
        }
    }

    /// What has last made a change count, or not count.
    struct Standing {
        /// The change itself, or the undoing or redoing of it that came last.
        var last: Entry
        var isUndone: Bool
    }

    /// The changes, undone or not, in their order; what undid and redid them is not among them.
    private(set) var entries: [Entry] = []
    /// How the changes stand, by their numbers.
    private(set) var standings: [Int64: Standing] = [:]
    /// Whether there is nothing before the first entry.
    let isWhole: Bool

    /// How many saves before the last one of a change are read, so that it is whole: each takes few.
    private static let margin: Int64 = 16

    /// Reads the changes from a save on.
    ///
    /// - Parameters:
    ///   - number: The save; what is before it may be left out.
    ///   - context: The context of a transaction, or one that reads from one state.
    /// - Throws: `StoreError`.
    init(from number: Int64, in context: ManagedObjectContext) throws {
        let start = max(number, Self.margin) - Self.margin
        var saves: [HistoryTransaction]
        do {
            let token = start > 0 ? HistoryToken(rawValue: start) : nil
            saves = try context.history(after: token)
            isWhole = token == nil
        } catch let error as StoreError where error.code == .historyExpired {
            saves = try context.history(after: nil)
            isWhole = true
        }
        let reading = ChangeReading(context)
        for entry in try reading.entries(of: saves) { add(entry) }
    }

    private mutating func add(_ entry: Entry) {
        if case .correction(let correction) = entry.origin, let number = correction.change,
            !entry.isUndoable
        {
            standings[number] = Standing(last: entry, isUndone: correction.kind == .undo)
        } else {
            entries.append(entry)
            standings[entry.number] = Standing(last: entry, isUndone: false)
        }
    }

    /// The change with a number.
    func entry(_ number: Int64) -> Entry? { entries.first { $0.number == number } }
}

/// Puts saves together.
private struct ChangeReading {
    private let context: ManagedObjectContext
    private let scan: Int?
    private let correction: Int?
    private let journal: Int?

    init(_ context: ManagedObjectContext) {
        self.context = context
        func index(_ name: String) -> Int? {
            context.model.entities.first { $0.name == name }?.index
        }
        scan = index("Scan")
        correction = index("Correction")
        journal = index("JournalEntry")
    }

    func entries(of saves: [HistoryTransaction]) throws -> [ChangeLog.Entry] {
        var entries: [ChangeLog.Entry] = []
        /// Saves of which the last may be still to come.
        var open: [HistoryTransaction] = []
        func close() {
            entries += open.map { ChangeLog.Entry(saves: [$0], origin: .other) }
            open = []
        }
        for save in saves {
            if save.changes.allSatisfy({ $0.id.entity == journal }) { continue }
            if open.last.map({ $0.author != save.author }) ?? false { close() }
            open.append(save)
            // Saves of programs that do not say who they are, and of whole files.
            guard save.author != nil, save.author != ImportRun.author else {
                close()
                continue
            }
            if let origin = try origin(of: save) {
                entries.append(ChangeLog.Entry(saves: open, origin: origin))
                open = []
            }
        }
        close()
        return entries
    }

    /// How the change was made that ends with a save; nil where it does not end.
    private func origin(of save: HistoryTransaction) throws -> ChangeLog.Entry.Origin? {
        let made = save.changes.first { $0.id.entity == correction && $0.kind == .inserted }
        if let made, let correction = try context.existingObject(Correction.self, id: made.id) {
            return .correction(correction)
        }
        guard let kept = save.changes.first(where: { $0.id.entity == scan }) else { return nil }
        return try context.existingObject(Scan.self, id: kept.id).map { .scan($0) } ?? .other
    }
}
