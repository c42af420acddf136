/// The values of one object in a context, in the order of its columns, and their changes since they
/// were read.
struct ObjectRow: Sendable {
    /// The values that the store has, and the version of the row, which every save of it changes.
    struct Stored: Sendable {
        let version: Int64
        let values: RowValues

        init(version: Int64, values: RowValues) {
            self.version = version
            self.values = values
        }

        init(_ row: StoredRow) {
            version = row.version
            values = row.values
        }
    }

    private enum Content: Sendable {
        /// As most objects are, which are only read.
        case stored(Stored)
        case edited(EditedRow)
        /// While it is being changed, so that what is changed has one owner.
        case taken
    }

    private var content: Content

    /// Makes an object that was never saved.
    init(inserting values: some Collection<AttributeValue>) {
        content = .edited(EditedRow(values, stored: nil))
    }

    /// Makes an object that is to be saved again, all values assigned that it has or that were cleared.
    ///
    /// - Parameters:
    ///   - row: The object before its deletion.
    ///   - deleted: What its row had at the deletion, which others may have changed until then.
    ///   - time: The time of the context's clock.
    init(inserting row: ObjectRow, after deleted: RowValues?, assignedAt time: UInt64) {
        var row = row
        if let deleted { row.takeUnassigned(deleted) }
        let edits = EditedRow(row, stored: nil, assignedAt: time)
        edits.head.deletedValues = deleted
        content = .edited(edits)
        // What is missing, and was missing then, clears nobody's value.
        for slot in indices where self[slot].isNull && !isOwnChange(slot) {
            setAssignmentTime(0, of: slot)
        }
    }

    /// Makes an object from a row that was read.
    init(_ stored: StoredRow) { self.init(Stored(stored)) }

    private init(_ stored: Stored) {
        content = .stored(stored)
    }

    /// The changes; nil if there are none.
    private var edits: EditedRow? {
        if case .edited(let edits) = content { edits } else { nil }
    }

    /// Changes the row.
    private mutating func edit(_ body: (EditedRow) -> Void) {
        var edits =
            switch content {
            case .stored(let stored): EditedRow(stored.values, stored: stored)
            case .edited(let known): known
            // Nobody can: Swift gives one at a time access to what is changed.
            case .taken: preconditionFailure("a row is changed while it is being changed")
            }
        content = .taken
        defer { content = .edited(edits) }
        edits.becomeOnlyOwner()
        body(edits)
    }

    /// The row as it was read or last saved; nil for an object that was never saved.
    var stored: Stored? {
        get { if case .stored(let stored) = content { stored } else { edits?.head.stored } }
        set {
            // The values stay as they are.
            edit { edits in
                edits.head.stored = newValue
                if newValue != nil { edits.head.deletedValues = nil }
            }
        }
    }

    /// The value that a property shows: null if the object is deleted.
    func shownValue(_ slot: Int) -> AttributeValue { isDeleted ? .null : self[slot] }

    /// The block of all its values, if it has no changes.
    var block: PackedRow.Block? {
        if case .stored(let stored) = content { stored.values.block } else { nil }
    }

    /// Assigns a value at a time of the context's clock.
    mutating func assign(_ value: AttributeValue, at slot: Int, time: UInt64) {
        edit { $0[slot] = EditedRow.Cell(value: value, assignedAt: time) }
    }

    /// The time of a value's assignment; 0 if it was not assigned.
    ///
    /// Only assigned values take part in merging.
    func assignmentTime(of slot: Int) -> UInt64 {
        edits?[slot].assignedAt ?? 0
    }

    mutating func setAssignmentTime(_ time: UInt64, of slot: Int) {
        edit { $0[slot].assignedAt = time }
    }

    func isAssigned(_ slot: Int) -> Bool { assignmentTime(of: slot) != 0 }

    /// Whether any value was assigned.
    var isAssigned: Bool { edits?.isAssigned ?? false }

    var isDeleted: Bool { deletedAt != nil }

    /// The time of deletion, by the context's clock; nil if not deleted.
    var deletedAt: UInt64? { edits?.head.deletedAt }

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

    /// What the row had whose saved deletion was undone; nil for another object.
    var deletedValues: RowValues? { edits?.head.deletedValues }

    /// Takes the stored values of the slots that were not assigned.
    mutating func takeUnassigned(_ stored: RowValues) {
        for slot in stored.indices where !isAssigned(slot) { self[slot] = stored[slot] }
    }

    /// Whether a value was assigned, and not only restored with its object.
    func isOwnChange(_ slot: Int) -> Bool {
        isAssigned(slot) && deletedValues.map { $0[slot] != self[slot] } ?? true
    }

    /// Becomes a change of the row that is there again, if the saved deletion of this one was undone.
    ///
    /// - Parameter present: The values of that row.
    mutating func meet(_ present: RowValues) {
        guard stored == nil else { return }
        for slot in indices where !isOwnChange(slot) { setAssignmentTime(0, of: slot) }
        // As the row that was deleted: no row has this version.
        stored = Stored(version: 0, values: deletedValues ?? present)
    }

    /// Becomes changes of a row that was read since.
    mutating func base(on stored: Stored) {
        meet(stored.values)
        self.stored = stored
        takeUnassigned(stored.values)
    }

    mutating func delete(at time: UInt64) {
        edit { $0.head.deletedAt = time }
    }

    /// The row as it was read or last saved.
    var withoutChanges: ObjectRow? { stored.map { ObjectRow($0) } }

    /// Whether there is something to save.
    var isChanged: Bool { stored == nil || isDeleted || isAssigned }
}

extension ObjectRow: RandomAccessCollection, MutableCollection {
    var startIndex: Int { 0 }

    var endIndex: Int {
        if case .stored(let stored) = content { stored.values.count } else { edits?.count ?? 0 }
    }

    /// The present value in a column, which is read without reading the others.
    subscript(slot: Int) -> AttributeValue {
        get {
            if case .stored(let stored) = content { return stored.values[slot] }
            return edits?[slot].value ?? .null
        }
        set { edit { $0[slot].value = newValue } }
    }

    /// Takes other values; the times of the assignments stay.
    mutating func replaceValues(with values: some Collection<AttributeValue>) {
        for (slot, value) in values.enumerated() { self[slot] = value }
    }
}
