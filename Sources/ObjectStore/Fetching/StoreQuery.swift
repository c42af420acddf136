/// Describes which rows of an entity a store finds, and in which order.
public struct StoreQuery: Sendable {
    /// The model, whose entities expressions refer to by their positions.
    public let model: ManagedObjectModel
    /// The entity.
    public let entity: ManagedObjectModel.Entity
    /// The condition on the rows; nil for all rows.
    public var filter: StoreExpression?
    /// The order; equal rows are in the order of their keys.
    public var order: [StoreOrder]
    /// The number of rows to skip at the beginning.
    public var offset: Int
    /// The greatest number of rows, or nil for all.
    public var limit: Int?
    /// The positions of columns that are not read: the rows have null in them.
    public var omittedColumns: Set<Int>
    /// Whether it matters in which order keys come, and which of them the limit leaves out; rows have an order always.
    package var hasOrder = true

    /// Describes a query.
    public init(
        model: ManagedObjectModel,
        entity: ManagedObjectModel.Entity,
        filter: StoreExpression? = nil,
        order: [StoreOrder] = [],
        offset: Int = 0,
        limit: Int? = nil,
        omittedColumns: Set<Int> = []
    ) {
        self.model = model
        self.entity = entity
        self.filter = filter
        self.order = order
        self.offset = offset
        self.limit = limit
        self.omittedColumns = omittedColumns
    }

    /// The rows whose to-one relationship leads to an object.
    init(model: ManagedObjectModel, entity: Int, whose column: Int, leadsTo id: ObjectID) {
        self.init(
            model: model,
            entity: model.entities[entity],
            filter: .equal(.column(column), .constant(.reference(id)))
        )
    }
}

/// One column to sort by.
public struct StoreOrder: Sendable {
    /// The position of the column.
    public let column: Int
    /// Whether the greatest value comes first.
    public let isDescending: Bool

    /// Describes an order; rows without a value come first, or last if descending.
    public init(column: Int, isDescending: Bool = false) {
        self.column = column
        self.isDescending = isDescending
    }
}

extension StoreQuery {
    /// Whether a row fulfils the condition.
    func selects(_ row: StoredRow, among related: any RelatedRows) throws -> Bool {
        try filter.map { try $0.value(of: row, among: related) == .integer(1) } ?? true
    }

    /// Sorts rows and applies offset and limit, as every store does.
    func arrange(_ rows: [StoredRow]) -> [StoredRow] {
        limited(sorted(rows))
    }

    /// Sorts rows.
    // Not inlined: each place that sorts would have a sorting of its own.
    @inline(never)
    func sorted(_ rows: [StoredRow]) -> [StoredRow] { rows.sorted(by: isInOrder) }

    /// Whether a row comes before another.
    func isInOrder(_ a: StoredRow, _ b: StoredRow) -> Bool {
        for term in order {
            let (mine, others) = (a.values[term.column], b.values[term.column])
            if mine != others { return (mine < others) != term.isDescending }
        }
        return a.id < b.id
    }

    /// Sorted rows and others, which are sorted too, in one order.
    func merged(_ rows: [StoredRow], _ others: [StoredRow]) -> [StoredRow] {
        if others.isEmpty { return rows }
        var merged: [StoredRow] = []
        merged.reserveCapacity(rows.count + others.count)
        var next = others.startIndex
        for row in rows {
            while next < others.endIndex, isInOrder(others[next], row) {
                merged.append(others[next])
                next += 1
            }
            merged.append(row)
        }
        return merged + others[next...]
    }

    /// Applies offset and limit to sorted rows.
    func limited(_ rows: [StoredRow]) -> [StoredRow] {
        if offset == 0 && limit == nil { return rows }
        let rest = rows.dropFirst(offset)
        return Array(limit.map { rest.prefix($0) } ?? rest)
    }

    /// The rows with null in the omitted columns, as every store returns them.
    func omitting(_ rows: [StoredRow]) -> [StoredRow] {
        if omittedColumns.isEmpty { return rows }
        return rows.map { row in
            var row = row
            row.values = RowValues(
                row.values.indices.map { omittedColumns.contains($0) ? .null : row.values[$0] }
            )
            return row
        }
    }

    /// The number of rows up to the last that is wanted; nil for all.
    var end: Int? {
        guard let limit else { return nil }
        let (end, isBeyond) = limit.addingReportingOverflow(offset)
        return isBeyond ? nil : end
    }

    /// The entities, besides its own, that decide which rows are selected; its own too if related rows of it do.
    var relatedEntities: Set<Int> {
        filter?.relatedEntities(from: entity.index, in: model) ?? []
    }

    /// Passes rows that were selected on in batches, without the omitted columns.
    func pass(
        _ rows: [StoredRow],
        inBatchesOf size: Int,
        to body: ([StoredRow]) throws -> Void
    ) throws {
        for page in omitting(rows).pages(of: max(1, size)) { try body(Array(page)) }
    }

    /// The same query without offset and limit, for callers that sort the rows afterwards.
    var unlimited: StoreQuery {
        var copy = self
        copy.offset = 0
        copy.limit = nil
        return copy
    }

    /// The same in any order, to look for keys, or to count.
    var unordered: StoreQuery {
        var copy = self
        copy.order = []
        copy.hasOrder = false
        return copy
    }
}
