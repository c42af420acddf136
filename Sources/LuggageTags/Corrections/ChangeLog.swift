internal import Foundation
internal import ObjectStore

/// The saves of a history, put together to what people know as one change each.
///
/// Filing a tag takes several saves, of which the last keeps the scan; so does a correction. What was
/// saved in another way, as an import, cannot be taken back, but others may depend on it. A log is a
/// value: begun in one state of the record, it can be read on in a later one.
struct ChangeLog {
    /// One change, and how it was made.
    struct Entry {
        /// How a change was made, with the object that tells about it.
        enum Origin {
            case scan(ObjectID, isFiled: Bool)
            case correction(ObjectID, Correction.Kind, change: Int64?)
            case other
        }

        let saves: [HistoryTransaction]
        let origin: Origin

        /// The number of the change: that of its last save.
        var number: Int64 { saves.last?.token.rawValue ?? 0 }

        /// What the saves have done to objects.
        var changes: [HistoryChange] { saves.flatMap(\.changes) }

        /// Whether the saves have changed one of some objects.
        func touches(_ objects: Set<ObjectID>) -> Bool {
            saves.contains { $0.changes.contains { objects.contains($0.id) } }
        }

        /// Whether people may take it back.
        var isUndoable: Bool {
            switch origin {
            case .scan(_, let isFiled): isFiled
            case .correction(_, let kind, _): [.file, .edit, .dismiss].contains(kind)
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

    /// The save from which on the changes are wanted; 0 where there is nothing before.
    private var start: Int64
    /// The last save that was read.
    private var end: HistoryToken?
    /// Whether anything was asked of the history yet.
    private var isBegun = false
    /// Saves that were read, and of which the last may be still to come.
    private var open: [HistoryTransaction] = []
    /// The change that is wanted, where it is only one.
    private let subject: Int64?
    /// The objects that this change concerns, once it is found.
    private var concerned: Set<ObjectID>?

    /// How many saves before the last one of a change are read, so that it is whole: each takes few.
    private static let margin: Int64 = 16

    /// How many saves are in memory at a time, apart from those of the changes that are kept.
    private static let pageSize = 500

    /// Prepares to read the changes from a save on.
    ///
    /// - Parameter number: The save; what is before it may be left out.
    init(from number: Int64) {
        self.init(from: number, subject: nil)
    }

    /// Prepares to read a change, and of those after it what concerns the same objects.
    ///
    /// - Parameter number: The number of the change.
    init(about number: Int64) {
        self.init(from: number, subject: number)
    }

    private init(from number: Int64, subject: Int64?) {
        let place = max(number, Self.margin) - Self.margin
        start = place > 0 ? number : 0
        end = place > 0 ? HistoryToken(rawValue: place) : nil
        self.subject = subject
    }

    /// Whether there is nothing before the first entry.
    var isWhole: Bool { start == 0 }

    /// The change with a number.
    func entry(_ number: Int64) -> Entry? { entries.first { $0.number == number } }

    /// The last changes that count, or that are taken back.
    ///
    /// - Parameters:
    ///   - limit: The greatest number of changes.
    ///   - isUndone: Whether to give those that are taken back.
    /// - Returns: The changes, the last one first; of those that are taken back, the one that was taken
    ///   back last. Nil where there may be others before the log.
    func last(_ limit: Int, areUndone isUndone: Bool) -> [Entry]? {
        let found = entries.filter {
            // The first entries may lack their beginnings.
            $0.isUndoable && $0.number > start && standings[$0.number]?.isUndone == isUndone
        }
        // What was taken back lately may be old.
        let hasAll = !isUndone || standings.allSatisfy { !$0.value.isUndone || $0.key > start }
        guard isWhole || found.count >= limit && hasAll else { return nil }
        func turn(_ entry: Entry) -> Int64 {
            isUndone ? standings[entry.number]?.last.number ?? 0 : entry.number
        }
        return Array(found.sorted { turn($0) > turn($1) }.prefix(limit))
    }
}

extension ChangeLog {
    /// Reads on, to the last save that there is.
    ///
    /// - Parameter context: A context that reads from one state, or that of a transaction.
    /// - Returns: How many saves were read.
    /// - Throws: `StoreError`, of the code `historyExpired` where saves that were still to be read are
    ///   no longer in the history.
    @discardableResult
    mutating func readOn(in context: ManagedObjectContext) throws -> Int {
        var count = 0
        while true {
            let saves = try nextSaves(in: context)
            guard let last = saves.last else { return count }
            let origins = try ChangeOrigins(of: saves, in: context)
            for save in saves { read(save, origins) }
            end = last.token
            count += saves.count
        }
    }

    private mutating func nextSaves(
        in context: ManagedObjectContext
    ) throws -> [HistoryTransaction] {
        defer { isBegun = true }
        do {
            return try context.history(after: end, limit: Self.pageSize)
        } catch let error as StoreError where error.code == .historyExpired && !isBegun {
            // What is kept begins later, or all of it is before the number that was given.
            start = 0
            end = nil
            return try context.history(after: nil, limit: Self.pageSize)
        }
    }

    private mutating func read(_ save: HistoryTransaction, _ origins: ChangeOrigins) {
        if origins.isOfJournal(save) { return }
        if open.last.map({ $0.author != save.author }) ?? false { close() }
        open.append(save)
        // Saves of programs that do not say who they are, of whole files, and of purges.
        guard let author = save.author, ![ImportRun.author, PurgeRun.author].contains(author) else {
            return close()
        }
        if let origin = origins.origin(of: save) {
            add(Entry(saves: open, origin: origin))
            open = []
        }
    }

    /// Takes the saves that belong to no change of somebody's for one change each.
    ///
    /// Nobody saves a part of a change: once the last save is read, none is still to come.
    mutating func close() {
        for save in open { add(Entry(saves: [save], origin: .other)) }
        open = []
    }

    private mutating func add(_ entry: Entry) {
        if case .correction(_, let kind, let number?) = entry.origin, !entry.isUndoable {
            if subject != nil && standings[number] == nil { return }
            standings[number] = Standing(last: entry, isUndone: kind == .undo)
        } else if isWanted(entry) {
            entries.append(entry)
            standings[entry.number] = Standing(last: entry, isUndone: false)
        }
    }

    /// Whether a change is to be kept, where the log is about one.
    private mutating func isWanted(_ entry: Entry) -> Bool {
        guard let subject else { return true }
        if entry.number == subject { concerned = entry.objects }
        guard let concerned else { return false }
        return entry.touches(concerned)
    }
}

extension ChangeLog.Entry {
    /// The objects that it has changed, and those to which they led or lead.
    fileprivate var objects: Set<ObjectID> {
        var objects: Set<ObjectID> = []
        for change in changes {
            objects.insert(change.id)
            for value in change.properties.flatMap({ [$0.before, $0.after] }) {
                if case .reference(let id) = value { objects.insert(id) }
            }
        }
        return objects
    }
}

/// How the changes were made that end with one of some saves.
private struct ChangeOrigins {
    private let scan: Int?
    private let correction: Int?
    private let journal: Int?
    private var origins: [ObjectID: ChangeLog.Entry.Origin] = [:]

    /// Reads the scans and corrections that the saves have changed.
    init(of saves: [HistoryTransaction], in context: ManagedObjectContext) throws {
        let model = context.model
        func index(_ name: String) -> Int? { model.entities.first { $0.name == name }?.index }
        scan = index("Scan")
        correction = index("Correction")
        journal = index("JournalEntry")
        let objects = Set(saves.flatMap(\.changes).map(\.id))
        let outcome = model.property(\Scan.outcome)
        for scan in try context.snapshots(of: Scan.self, objects) {
            origins[scan.id] = .scan(scan.id, isFiled: scan[outcome].isFiled)
        }
        let (kind, change) = (model.property(\Correction.kind), model.property(\Correction.change))
        for correction in try context.snapshots(of: Correction.self, objects) {
            origins[correction.id] = .correction(
                correction.id,
                correction[kind],
                change: correction[change]
            )
        }
    }

    /// Whether a save is only about which files were filed.
    func isOfJournal(_ save: HistoryTransaction) -> Bool {
        save.changes.allSatisfy { $0.id.entity == journal }
    }

    /// How the change was made that ends with a save; nil where it does not end.
    func origin(of save: HistoryTransaction) -> ChangeLog.Entry.Origin? {
        let made = save.changes.first { $0.id.entity == correction && $0.kind == .inserted }
        if let made, let origin = origins[made.id] { return origin }
        guard let kept = save.changes.first(where: { $0.id.entity == scan }) else { return nil }
        return origins[kept.id] ?? .other
    }
}
