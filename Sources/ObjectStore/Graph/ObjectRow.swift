/// The values of one object in a context, and their changes since they were read.
struct ObjectRow: Sendable {
    /// The values that the store has, and how many saves have changed them.
    struct Stored: Sendable {
        let version: Int64
        let values: [AttributeValue]

        init(_ row: StoredRow) {
            version = row.version
            values = row.values
        }
    }

    /// The changes of a row.
    private struct Edits: Sendable {
        var values: [AttributeValue]
        /// The time of each assignment since the last save, by the context's clock.
        ///
        /// 0 if the value was not assigned; empty if none was.
        var assignedAt: [UInt64] = []
        var deletedAt: UInt64?
    }

    private var read: Stored?
    /// One, or none for most objects, which are only read.
    ///
    /// An array, because a context keeps many rows, and this is the size of a reference.
    private var edits: [Edits] = []

    /// Makes an object that was never saved.
    init(inserting values: [AttributeValue]) {
        edits = [Edits(values: values)]
    }

    /// Makes an object that is to be saved again, all its values assigned.
    init(inserting values: [AttributeValue], assignedAt time: UInt64) {
        edits = [Edits(values: values, assignedAt: values.map { _ in time })]
    }

    /// Makes an object from a row that was read.
    init(_ stored: StoredRow) { self.init(Stored(stored)) }

    /// Makes an object without changes.
    private init(_ stored: Stored) {
        read = stored
    }

    private mutating func beginEditing() {
        if edits.isEmpty { edits = [Edits(values: read?.values ?? [])] }
    }

    /// The row as it was read or last saved; nil for an object that was never saved.
    var stored: Stored? {
        get { read }
        set {
            // The values stay as they are.
            beginEditing()
            read = newValue
        }
    }

    /// The present values.
    var values: [AttributeValue] {
        get { edits.isEmpty ? read?.values ?? [] : edits[0].values }
        _modify {
            beginEditing()
            yield &edits[0].values
        }
    }

    /// The value that a property shows: null if the object is deleted.
    func shownValue(_ slot: Int) -> AttributeValue {
        // Not of `values`, which would be copied: every read of a property comes here.
        if edits.isEmpty { return read?.values[slot] ?? .null }
        return edits[0].deletedAt == nil ? edits[0].values[slot] : .null
    }

    /// Assigns a value at a time of the context's clock.
    mutating func assign(_ value: AttributeValue, at slot: Int, time: UInt64) {
        values[slot] = value
        setAssignmentTime(time, of: slot)
    }

    /// The time of a value's assignment; 0 if it was not assigned.
    ///
    /// Only assigned values take part in merging.
    func assignmentTime(of slot: Int) -> UInt64 {
        edits.isEmpty || edits[0].assignedAt.isEmpty ? 0 : edits[0].assignedAt[slot]
    }

    mutating func setAssignmentTime(_ time: UInt64, of slot: Int) {
        beginEditing()
        if edits[0].assignedAt.isEmpty {
            edits[0].assignedAt = Array(repeating: 0, count: edits[0].values.count)
        }
        edits[0].assignedAt[slot] = time
    }

    func isAssigned(_ slot: Int) -> Bool { assignmentTime(of: slot) != 0 }

    /// Whether any value was assigned.
    var isAssigned: Bool { !edits.isEmpty && edits[0].assignedAt.contains { $0 != 0 } }

    var isDeleted: Bool { deletedAt != nil }

    /// The time of deletion, by the context's clock: nil if not deleted, 0 if not known.
    var deletedAt: UInt64? { edits.isEmpty ? nil : edits[0].deletedAt }

    mutating func delete(at time: UInt64) {
        beginEditing()
        edits[0].deletedAt = time
    }

    /// The row as it was read or last saved.
    var withoutChanges: ObjectRow? { read.map { ObjectRow($0) } }

    /// Whether there is something to save.
    var isChanged: Bool { read == nil || isDeleted || isAssigned }
}
