/// Where the row of an object was at its last reading, for as long as no row of its context changes.
///
/// To find a row takes four places of memory one after the other, each of which is far away if objects are read in
/// no order; to go to it from here takes one. It is no reference, because counting them at each reading takes longer
/// than the reading: the graph keeps the row, and says in its version when it may have let it go.
///
/// Unchecked because the lock of the context's state guards both.
@safe struct RowPlace: @unchecked Sendable {
    private var block: Unmanaged<PackedRow.Block>?
    /// The version of the graph's rows; 0, which no graph with rows has, if there is no place.
    private var version: UInt32 = 0

    init() {}

    /// Takes the place of a row without changes; there is none for another one, or in a graph that has changed too
    /// often for its version to be noted.
    init(of row: ObjectRow, at version: UInt64) {
        guard let block = row.block, let version = UInt32(exactly: version) else { return }
        unsafe self.block = Unmanaged.passUnretained(block)
        self.version = version
    }

    /// The value in a column; nil if the row may have changed since.
    @inline(__always)
    func value(_ slot: Int, at version: UInt64) -> AttributeValue? {
        guard self.version == version, let block = unsafe block else { return nil }
        return unsafe block._withUnsafeGuaranteedRef { PackedRow($0).value(in: slot) }
    }
}
