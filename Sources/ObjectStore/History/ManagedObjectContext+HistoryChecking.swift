extension ManagedObjectContext {
    /// Checks that the history agrees with the rows.
    ///
    /// Every save must begin with the values that the one before left, and the stored rows must
    /// have the values that the last one left. This finds changes made to the store without the
    /// history. It begins anew after a save that was recorded without its changes. Use a context
    /// that reads one state, such as that of ``PersistentContainer/read(_:)``.
    ///
    /// - Parameter limit: The greatest number of findings.
    /// - Returns: The findings, each as a sentence; empty if all is well.
    /// - Throws: ``StoreError``.
    public func historyFindings(limit: Int = 100) throws -> [String] {
        try historyFindings(limit: limit, following: 200_000)
    }

    /// Checks in several passes, each of which follows at most a number of objects.
    package func historyFindings(limit: Int, following most: Int) throws -> [String] {
        var findings: [String] = []
        var share = HistoryShare(most: most)
        repeat {
            var check = HistoryCheck(model: model, share: share, limit: limit)
            var token: HistoryToken?
            while true {
                let saves = try history(after: token, limit: 500)
                for save in saves { check.follow(save) }
                token = saves.last?.token
                if token == nil { break }
            }
            try source.read { try check.compare(with: $0) }
            // The first pass also followed objects of later passes.
            findings += check.findings.filter { !findings.contains($0) }
            share = check.share
            share.number += 1
        } while share.number < share.count && findings.count < limit
        return Array(findings.prefix(limit))
    }
}

/// The part of the objects that one pass follows, so that their state fits in memory.
///
/// Each share needs one reading of the whole history; the number of shares grows as needed.
private struct HistoryShare {
    /// The greatest number of shares, because each reads the whole history.
    private static let greatest: Int64 = 4096

    /// The most objects that are followed at a time.
    let most: Int
    /// The number of shares; it grows with the number of objects found.
    private(set) var count: Int64 = 1
    /// The present share, from 0.
    var number: Int64 = 0

    func has(_ id: ObjectID) -> Bool { id.key & (count - 1) == number }

    /// Whether this share with a number of objects must be split; the first share decides for all.
    func isTooLarge(_ objects: Int) -> Bool {
        objects > most && number == 0 && count < Self.greatest
    }

    /// Doubles the number of shares.
    mutating func split() { count *= 2 }
}

/// The state of each object according to the history.
private struct HistoryCheck {
    let model: ManagedObjectModel
    private(set) var share: HistoryShare
    /// The greatest number of findings.
    let limit: Int
    private(set) var findings: [String] = []
    /// Whether each object of the history exists.
    private var isPresent: [ObjectID: Bool] = [:]
    /// The values of objects, by property name.
    private var values: [ObjectID: [String: AttributeValue]] = [:]

    init(model: ManagedObjectModel, share: HistoryShare, limit: Int) {
        self.model = model
        self.share = share
        self.limit = limit
    }

    mutating func follow(_ save: HistoryTransaction) {
        // It was recorded without its changes, which may be of any object.
        if !save.isComplete { (isPresent, values) = ([:], [:]) }
        for change in save.changes where share.has(change.id) {
            let wasPresent = isPresent[change.id] ?? (change.kind != .inserted)
            if wasPresent != (change.kind != .inserted) {
                let words = wasPresent ? "was there already" : "was not there any more"
                note("save \(save.token) changes \(name(change.id)), which \(words)")
            }
            for property in change.properties {
                let known = values[change.id]?[property.name]
                if let known, known != property.before {
                    note(
                        "save \(save.token) found \(name(change.id)).\(property.name) to be "
                            + "\(property.before), and it had been made \(known)"
                    )
                }
            }
            isPresent[change.id] = change.kind != .deleted
            if change.kind == .deleted { values[change.id] = nil }
            if change.kind == .updated {
                for property in change.properties {
                    values[change.id, default: [:]][property.name] = property.after
                }
            }
        }
        lighten()
    }

    /// Leaves objects to later shares if there are too many.
    private mutating func lighten() {
        while share.isTooLarge(isPresent.count) {
            share.split()
            isPresent = isPresent.filter { share.has($0.key) }
            values = values.filter { share.has($0.key) }
        }
    }

    mutating func compare(with reading: any StoreReading) throws {
        for entity in model.entities {
            let keys = isPresent.keys.filter { $0.entity == entity.index }.map(\.key).sorted()
            for page in keys.pages(of: 1000) {
                let rows = try reading.rows(of: entity, keys: Array(page))
                let found = Dictionary(
                    rows.map { ($0.id.key, $0.values) },
                    uniquingKeysWith: { first, _ in first }
                )
                for key in page { compare(entity, key, found[key]) }
            }
        }
    }

    private mutating func compare(
        _ entity: ManagedObjectModel.Entity,
        _ key: Int64,
        _ found: RowValues?
    ) {
        let id = ObjectID(entity: entity.index, key: key)
        guard let found else {
            if isPresent[id] == true {
                note("\(name(id)) is gone, and the history does not say why")
            }
            return
        }
        if isPresent[id] == false {
            note("\(name(id)) is there, and the history says that it was deleted")
        }
        for (property, value) in (values[id] ?? [:]).sorted(by: { $0.key < $1.key }) {
            // The objects do not have a property that the model no longer has.
            guard let slot = entity.slot(of: property),
                found[slot] != value
            else { continue }
            note(
                "\(name(id)).\(property) is \(found[slot]), and the history says \(value)"
            )
        }
    }

    private mutating func note(_ finding: String) {
        if findings.count < limit { findings.append(finding) }
    }

    private func name(_ id: ObjectID) -> String { "\(model.entities[id.entity].name) \(id.key)" }
}
