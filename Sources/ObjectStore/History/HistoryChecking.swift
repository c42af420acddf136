extension ManagedObjectContext {
    /// Looks whether the history and the rows tell the same.
    ///
    /// Every save must begin with what the one before has left, and the last one must have left what is
    /// stored. Somebody who has changed the store past the history is thus found. Use a context that
    /// reads from one state, as that of ``PersistentContainer/read(_:)``.
    ///
    /// - Parameter limit: The greatest number of findings.
    /// - Returns: What was found, each as a sentence; empty where all is well.
    /// - Throws: ``StoreError``.
    public func historyFindings(limit: Int = 100) throws -> [String] {
        var check = HistoryCheck(model: model)
        var token: HistoryToken?
        while true {
            let saves = try history(after: token, limit: 500)
            for save in saves { check.follow(save) }
            token = saves.last?.token
            if token == nil { break }
        }
        try source.read { try check.compare(with: $0) }
        return Array(check.findings.prefix(limit))
    }
}

/// What the history says about each object that it has.
private struct HistoryCheck {
    let model: ManagedObjectModel
    private(set) var findings: [String] = []
    /// Whether each object is there, of those that the history has.
    private var isPresent: [ObjectID: Bool] = [:]
    /// The values that objects were given, by the names of their properties.
    private var values: [ObjectID: [String: AttributeValue]] = [:]

    init(model: ManagedObjectModel) {
        self.model = model
    }

    mutating func follow(_ save: HistoryTransaction) {
        for change in save.changes {
            let wasPresent = isPresent[change.id] ?? (change.kind != .inserted)
            if wasPresent != (change.kind != .inserted) {
                let words = wasPresent ? "was there already" : "was not there any more"
                findings.append("save \(save.token) changes \(name(change.id)), which \(words)")
            }
            for property in change.properties {
                let known = values[change.id]?[property.name]
                if let known, known != property.before {
                    findings.append(
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
    }

    mutating func compare(with reading: any StoreReading) throws {
        for entity in model.entities {
            let keys = isPresent.keys.filter { $0.entity == entity.index }.map(\.key).sorted()
            for start in stride(from: 0, to: keys.count, by: 1000) {
                let page = Array(keys[start..<min(start + 1000, keys.count)])
                let rows = try reading.rows(of: entity, keys: page)
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
        _ found: [AttributeValue]?
    ) {
        let id = ObjectID(entity: entity.index, key: key)
        guard let found else {
            if isPresent[id] == true {
                findings.append("\(name(id)) is gone, and the history does not say why")
            }
            return
        }
        if isPresent[id] == false {
            findings.append("\(name(id)) is there, and the history says that it was deleted")
        }
        for (property, value) in (values[id] ?? [:]).sorted(by: { $0.key < $1.key }) {
            // A property that the model no longer has is none of its objects.
            guard let slot = entity.columns.firstIndex(where: { $0.name == property }),
                found[slot] != value
            else { continue }
            findings.append(
                "\(name(id)).\(property) is \(found[slot]), and the history says \(value)"
            )
        }
    }

    private func name(_ id: ObjectID) -> String { "\(model.entities[id.entity].name) \(id.key)" }
}
