internal import ObjectStore

// The values that rows lack which were made with an older model.

extension SQLiteSchema {
    /// An attribute or reference of an entity.
    struct Place {
        let entity: ManagedObjectModel.Entity
        let slot: Int

        var name: String { entity.columns[slot].name }
        var table: String { entity.name.quoted }
        var column: String { name.quoted }
        /// Whether the class computes another default for each object.
        var isComputed: Bool { entity.columns[slot].computedPosition != nil }
        /// Whether a uniqueness constraint has it.
        var isUnique: Bool { entity.constraints.joined().contains(slot) }
        /// Whether the rows without a value are found without looking at all.
        fileprivate var leadsIndex: Bool { entity.constraints.contains { $0.first == slot } }
    }

    /// All of the model.
    var places: [Place] {
        model.entities.flatMap { entity in
            entity.columns.indices.map { Place(entity: entity, slot: $0) }
        }
    }

    /// The attributes that each object must have.
    var requiredPlaces: [Place] {
        places.filter { place in
            guard case .attribute(let attribute) = place.entity.columns[place.slot].kind else {
                return false
            }
            return !attribute.isOptional
        }
    }

    /// Those that are filled at each opening: the rows without are found at once.
    var placesFilledAtOpening: [Place] {
        requiredPlaces.filter { $0.isComputed && $0.leadsIndex }
    }

    /// Whether there are rows to fill at an opening.
    func hasRowsToFill(in db: SQLiteConnection) throws -> Bool {
        try placesFilledAtOpening.contains { place in
            let rows = "SELECT 1 FROM \(place.table) WHERE \(place.column) IS NULL LIMIT 1"
            return try db.value(rows) != nil
        }
    }

    /// Gives attributes their defaults in the rows that lack them, and records that, within the present transaction.
    func fillRows(at places: [Place], in db: SQLiteConnection) throws {
        let before = db.totalChangedCount
        try fill(places, in: db)
        if db.totalChangedCount != before { try recordUnknownChanges(in: db) }
    }

    /// The same, for who records it together with more.
    func fill(_ places: [Place], in db: SQLiteConnection) throws {
        for place in places {
            if place.isComputed {
                try fillEach(at: place, where: "\(place.column) IS NULL", in: db)
            } else {
                let value = try defaultValue(at: place, in: db)
                if value.isNull { continue }
                try fillAll(at: place, with: value, where: "\(place.column) IS NULL", in: db)
            }
        }
    }

    /// Sets an attribute to one value; a row to which a constraint forbids it stays without.
    func fillAll(
        at place: Place,
        with value: AttributeValue,
        where condition: String = "true",
        in db: SQLiteConnection
    ) throws {
        try db.run("\(assignment(at: place)) WHERE \(condition)", [value])
    }

    /// Sets an attribute to the defaults that the class computes for each object.
    ///
    /// A row to which a constraint forbids all of several stays without.
    func fillEach(
        at place: Place,
        where condition: String = "true",
        in db: SQLiteConnection
    ) throws {
        let dates = try StoredDates(in: db)
        let statement = try SQLiteStatement("\(assignment(at: place)) WHERE id = ?", in: db)
        for row in try db.rows("SELECT id FROM \(place.table) WHERE \(condition)") {
            for _ in 1...3 {
                let value = place.entity.newValues()[place.slot]
                try statement.run(
                    dates.stored(value, in: place.entity.columns[place.slot]),
                    row[0]
                )
                if db.changedCount > 0 { break }
            }
        }
    }

    private func assignment(at place: Place) -> String {
        "UPDATE OR IGNORE \(place.table) SET \(place.column) = ?, version = \(Self.otherVersion)"
    }

    /// The default that all objects have; null if there is none, or the class computes it.
    func defaultValue(at place: Place, in db: SQLiteConnection) throws -> AttributeValue {
        let column = place.entity.columns[place.slot]
        guard case .attribute(let attribute) = column.kind else { return .null }
        return try StoredDates(in: db).stored(attribute.defaultValue, in: column)
    }

    /// In how many rows a column lacks a value, as a sentence; nil if in none.
    func sentence(
        onRowsWithout column: String,
        of entity: String,
        in db: SQLiteConnection
    ) throws -> String? {
        let missing = try db.count(ofRowsWithout: column, in: entity)
        if missing == 0 { return nil }
        return "\(entity).\(column) is required, and missing in \(missing) of its objects"
    }
}

extension SQLiteConnection {
    /// The number of rows in which a column has no value.
    func count(ofRowsWithout column: String, in table: String) throws -> Int {
        let (table, name) = (table.quoted, column.quoted)
        let sql = "SELECT count(*) FROM \(table) WHERE \(name) IS NULL"
        return Int(try value(sql)?.integer ?? 0)
    }
}
