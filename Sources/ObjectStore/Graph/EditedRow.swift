/// The values of a row that has changes, in one block of memory, which a save goes through several times.
///
/// Unchecked because rows that share a block only read it: each becomes its only owner before it changes it.
@safe struct EditedRow: @unchecked Sendable {
    /// What there is of each row once.
    struct Head {
        /// The row as it was read or last saved; nil for an object that was never saved.
        var stored: ObjectRow.Stored?
        var deletedAt: UInt64?
        /// What the row had whose saved deletion was undone.
        var deletedValues: RowValues?
        let count: Int
    }

    /// A present value.
    struct Cell {
        var value: AttributeValue
        /// The time of its assignment since the last save, by the context's clock; 0 if it was not assigned.
        var assignedAt: UInt64
    }

    private final class Block: ManagedBuffer<Head, Cell> {
        deinit {
            _ = unsafe withUnsafeMutablePointers { unsafe $1.deinitialize(count: $0.pointee.count) }
        }
    }

    private var block: ManagedBuffer<Head, Cell>

    init(
        _ values: some Collection<AttributeValue>,
        stored: ObjectRow.Stored?,
        assignedAt time: UInt64 = 0
    ) {
        let head = Head(stored: stored, count: values.count)
        self.init(head, values.lazy.map { Cell(value: $0, assignedAt: time) })
    }

    private init(_ head: Head, _ cells: some Sequence<Cell>) {
        block = Block.create(minimumCapacity: head.count) { _ in head }
        unsafe block.withUnsafeMutablePointerToElements { place in
            var place = unsafe place
            for cell in cells {
                unsafe place.initialize(to: cell)
                unsafe place += 1
            }
        }
    }

    /// Copies the block, unless nobody else has it.
    mutating func becomeOnlyOwner() {
        if isKnownUniquelyReferenced(&block) { return }
        self = EditedRow(head, (0..<count).lazy.map { [self] in self[$0] })
    }

    var count: Int { head.count }

    // By address, for which Swift does not look at each access whether there is another.
    var head: Head {
        get { unsafe block.withUnsafeMutablePointerToHeader { unsafe $0.pointee } }
        nonmutating _modify {
            defer { withExtendedLifetime(block) {} }
            yield unsafe &block.withUnsafeMutablePointerToHeader { unsafe $0 }.pointee
        }
    }

    /// The value in a column.
    subscript(slot: Int) -> Cell {
        get { withExtendedLifetime(block) { unsafe place(of: slot).pointee } }
        nonmutating _modify {
            defer { withExtendedLifetime(block) {} }
            yield unsafe &place(of: slot).pointee
        }
    }

    /// The address of a value, as long as there is the block.
    private func place(of slot: Int) -> UnsafeMutablePointer<Cell> {
        unsafe block.withUnsafeMutablePointers { head, cells in
            let count = unsafe head.pointee.count
            precondition(slot >= 0 && slot < count, "there is no column \(slot)")
            return unsafe cells + slot
        }
    }

    /// Whether any value was assigned.
    var isAssigned: Bool { (0..<count).contains { self[$0].assignedAt != 0 } }
}
