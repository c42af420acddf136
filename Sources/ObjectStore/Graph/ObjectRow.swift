/// The values of one object in a context, and their changes since they were read.
struct ObjectRow: Sendable {
    /// The values that the store has, and how many saves have changed them.
    struct Stored: Sendable {
        let version: Int64
        let values: RowValues

        init(_ row: StoredRow) {
            version = row.version
            values = row.values
        }
    }

    /// The present values of a row that has changes.
    private struct Edits: Sendable {
        var stored: Stored?
        var values: [AttributeValue]
        /// The time of each assignment since the last save, by the context's clock.
        ///
        /// 0 if the value was not assigned; empty if none was.
        var assignedAt: [UInt64] = []
        var deletedAt: UInt64?

        mutating func setAssignmentTime(_ time: UInt64, of slot: Int) {
            if assignedAt.isEmpty { assignedAt = Array(repeating: 0, count: values.count) }
            assignedAt[slot] = time
        }
    }

    private enum Content: Sendable {
        /// As most objects are, which are only read.
        case stored(Stored)
        /// One, in an array, because a context keeps many rows, and this is the size of a reference.
        case edited([Edits])
    }

    private var content: Content

    private init(_ edits: Edits) {
        content = .edited([edits])
    }

    /// Makes an object that was never saved.
    init(inserting values: [AttributeValue]) {
        self.init(Edits(values: values))
    }

    /// Makes an object that is to be saved again, all its values assigned.
    init(inserting values: [AttributeValue], assignedAt time: UInt64) {
        self.init(Edits(values: values, assignedAt: values.map { _ in time }))
    }

    /// Makes an object from a row that was read.
    init(_ stored: StoredRow) { self.init(Stored(stored)) }

    private init(_ stored: Stored) {
        content = .stored(stored)
    }

    /// Changes the row.
    private mutating func edit<Result>(_ body: (inout Edits) -> Result) -> Result {
        var edits: [Edits]
        switch content {
        case .stored(let stored): edits = [Edits(stored: stored, values: Array(stored.values))]
        case .edited(let known): edits = known
        }
        // So that the edits have one owner and are changed in their place.
        content = .edited([])
        defer { content = .edited(edits) }
        return body(&edits[0])
    }

    /// The row as it was read or last saved; nil for an object that was never saved.
    var stored: Stored? {
        get {
            switch content {
            case .stored(let stored): stored
            case .edited(let edits): edits[0].stored
            }
        }
        set {
            // The values stay as they are.
            edit { $0.stored = newValue }
        }
    }

    /// The present values.
    var values: [AttributeValue] {
        get {
            switch content {
            case .stored(let stored): Array(stored.values)
            case .edited(let edits): edits[0].values
            }
        }
        set { edit { $0.values = newValue } }
    }

    /// The present value in a column, which is read without reading the others.
    subscript(slot: Int) -> AttributeValue {
        get {
            switch content {
            case .stored(let stored): stored.values[slot]
            case .edited(let edits): edits[0].values[slot]
            }
        }
        set { edit { $0.values[slot] = newValue } }
    }

    /// The value that a property shows: null if the object is deleted.
    func shownValue(_ slot: Int) -> AttributeValue { isDeleted ? .null : self[slot] }

    /// Assigns a value at a time of the context's clock.
    mutating func assign(_ value: AttributeValue, at slot: Int, time: UInt64) {
        edit { edits in
            edits.values[slot] = value
            edits.setAssignmentTime(time, of: slot)
        }
    }

    /// The time of a value's assignment; 0 if it was not assigned.
    ///
    /// Only assigned values take part in merging.
    func assignmentTime(of slot: Int) -> UInt64 {
        guard case .edited(let edits) = content, !edits[0].assignedAt.isEmpty else { return 0 }
        return edits[0].assignedAt[slot]
    }

    mutating func setAssignmentTime(_ time: UInt64, of slot: Int) {
        edit { $0.setAssignmentTime(time, of: slot) }
    }

    func isAssigned(_ slot: Int) -> Bool { assignmentTime(of: slot) != 0 }

    /// Whether any value was assigned.
    var isAssigned: Bool {
        guard case .edited(let edits) = content else { return false }
        return edits[0].assignedAt.contains { $0 != 0 }
    }

    var isDeleted: Bool { deletedAt != nil }

    /// The time of deletion, by the context's clock: nil if not deleted, 0 if not known.
    var deletedAt: UInt64? {
        guard case .edited(let edits) = content else { return nil }
        return edits[0].deletedAt
    }

    /// Makes references follow objects that were merged into others or got a key.
    mutating func forwardReferences(
        _ forwarding: ObjectMap<ObjectID>,
        in slots: some Sequence<Int>
    ) {
        for slot in slots {
            if let target = self[slot].reference, forwarding.contains(target) {
                self[slot] = .reference(forwarding.final(target))
            }
        }
    }

    mutating func delete(at time: UInt64) {
        edit { $0.deletedAt = time }
    }

    /// The row as it was read or last saved.
    var withoutChanges: ObjectRow? { stored.map { ObjectRow($0) } }

    /// Whether there is something to save.
    var isChanged: Bool { stored == nil || isDeleted || isAssigned }
}
