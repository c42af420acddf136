/// The values of one object in a context, and their changes since they were read.
struct ObjectRow: Sendable {
    /// The changes of a row; nil for most objects, which are only read.
    private struct Edits: Sendable {
        var values: [AttributeValue]
        /// The time of each assignment since the last save, by the context's clock.
        ///
        /// 0 if the value was not assigned; empty if none was.
        var assignedAt: [UInt64] = []
    }

    private var read: StoredRow?
    /// The present values, if they differ from those that were read.
    private var edits: Edits?
    var isDeleted = false
    /// The time of deletion, by the context's clock; 0 if not deleted or not known.
    var deletedAt: UInt64 = 0

    /// Makes an object that was never saved.
    init(inserting values: [AttributeValue]) {
        edits = Edits(values: values)
    }

    /// Makes an object that is to be saved again, all its values assigned.
    init(inserting values: [AttributeValue], assignedAt time: UInt64) {
        edits = Edits(values: values, assignedAt: values.map { _ in time })
    }

    /// Makes an object from a row that was read.
    init(_ stored: StoredRow) {
        read = stored
    }

    /// The row as it was read or last saved; nil for an object that was never saved.
    var stored: StoredRow? {
        get { read }
        set {
            // The values stay as they are.
            if edits == nil { edits = Edits(values: values) }
            read = newValue
        }
    }

    /// The present values.
    var values: [AttributeValue] {
        get { edits?.values ?? read?.values ?? [] }
        _modify {
            var changed = edits ?? Edits(values: read?.values ?? [])
            edits = nil
            defer { edits = changed }
            yield &changed.values
        }
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
        guard let edits, !edits.assignedAt.isEmpty else { return 0 }
        return edits.assignedAt[slot]
    }

    mutating func setAssignmentTime(_ time: UInt64, of slot: Int) {
        var changed = edits ?? Edits(values: values)
        edits = nil
        if changed.assignedAt.isEmpty {
            changed.assignedAt = Array(repeating: 0, count: changed.values.count)
        }
        changed.assignedAt[slot] = time
        edits = changed
    }

    func isAssigned(_ slot: Int) -> Bool { assignmentTime(of: slot) != 0 }

    /// Whether any value was assigned.
    var isAssigned: Bool { edits?.assignedAt.contains { $0 != 0 } ?? false }

    /// Whether there is something to save.
    var isChanged: Bool { read == nil || isDeleted || isAssigned }
}
