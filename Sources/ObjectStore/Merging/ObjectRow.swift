/// The values of one object in a context, and what has happened to them since they were read.
struct ObjectRow: Sendable {
    /// The row as it was read or last saved; nil for an object that was never saved.
    var stored: StoredRow?
    /// The values as they are now.
    var values: [AttributeValue]
    /// When each value was assigned since the last save, by the context's clock; 0 where it was not.
    ///
    /// Only assigned values take part in merging.
    var assignedAt: [UInt64]
    /// The position among the objects of the context, so that saves go in the order of insertion.
    var order: UInt64
    var isDeleted = false

    /// An object that was never saved.
    init(inserting values: [AttributeValue], order: UInt64) {
        self.values = values
        self.assignedAt = Array(repeating: 0, count: values.count)
        self.order = order
    }

    /// An object as it was read.
    init(_ stored: StoredRow, order: UInt64) {
        self.stored = stored
        self.values = stored.values
        self.assignedAt = Array(repeating: 0, count: stored.values.count)
        self.order = order
    }

    func isAssigned(_ slot: Int) -> Bool { assignedAt[slot] != 0 }

    /// Whether any value was assigned.
    var isAssigned: Bool { assignedAt.contains { $0 != 0 } }
}
