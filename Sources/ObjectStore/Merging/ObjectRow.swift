/// The values of one object in a context, and what has happened to them since they were read.
struct ObjectRow: Sendable {
    /// What was changed of a row; most objects are only read, and then there is none.
    private struct Edits: Sendable {
        var values: [AttributeValue]
        /// When each value was assigned since the last save, by the context's clock.
        ///
        /// 0 where it was not; empty while none is.
        var assignedAt: [UInt64] = []
    }

    private var read: StoredRow?
    /// The values where they are not simply those that were read.
    private var edits: Edits?
    /// The position among the objects of the context, so that saves go in the order of insertion.
    var order: UInt64
    var isDeleted = false
    /// When it was deleted, by the context's clock; 0 where it was not, or that is not known.
    var deletedAt: UInt64 = 0

    /// An object that was never saved.
    init(inserting values: [AttributeValue], order: UInt64) {
        edits = Edits(values: values)
        self.order = order
    }

    /// An object as it was read.
    init(_ stored: StoredRow, order: UInt64) {
        read = stored
        self.order = order
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

    /// The values as they are now.
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

    /// When a value was assigned; 0 where it was not.
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
