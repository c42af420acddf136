/// The values of one object in a context, and what has happened to them since they were read.
struct ObjectRow: Sendable {
    /// The row as it was read or last saved; nil for an object that was never saved.
    var stored: StoredRow?
    /// The values as they are now.
    var values: [AttributeValue]
    /// When each value was assigned since the last save, by the context's clock; 0 where it was not.
    ///
    /// Empty while none is: most objects are only read.
    private var assignedAt: [UInt64] = []
    /// The position among the objects of the context, so that saves go in the order of insertion.
    var order: UInt64
    var isDeleted = false
    /// When it was deleted, by the context's clock; 0 where it was not, or that is not known.
    var deletedAt: UInt64 = 0

    /// An object that was never saved.
    init(inserting values: [AttributeValue], order: UInt64) {
        self.values = values
        self.order = order
    }

    /// An object as it was read.
    init(_ stored: StoredRow, order: UInt64) {
        self.stored = stored
        self.values = stored.values
        self.order = order
    }

    /// Assigns a value at a time of the context's clock.
    mutating func assign(_ value: AttributeValue, at slot: Int, time: UInt64) {
        values[slot] = value
        setAssignmentTime(time, of: slot)
    }

    /// When a value was assigned; 0 where it was not.
    ///
    /// Only assigned values take part in merging.
    func assignmentTime(of slot: Int) -> UInt64 { assignedAt.isEmpty ? 0 : assignedAt[slot] }

    mutating func setAssignmentTime(_ time: UInt64, of slot: Int) {
        if assignedAt.isEmpty { assignedAt = Array(repeating: 0, count: values.count) }
        assignedAt[slot] = time
    }

    func isAssigned(_ slot: Int) -> Bool { assignmentTime(of: slot) != 0 }

    /// Whether any value was assigned.
    var isAssigned: Bool { assignedAt.contains { $0 != 0 } }

    /// Whether there is something to save.
    var isChanged: Bool { stored == nil || isDeleted || isAssigned }
}
