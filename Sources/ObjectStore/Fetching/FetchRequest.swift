public import Foundation

/// Which objects to fetch, and in which order.
///
/// ```swift
/// let heavy = try context.fetch(
///     FetchRequest(Luggage.self, predicate: #Predicate { $0.weight > 50 && $0.arrivedAt == nil })
///         .sorted(by: \.weight, .descending)
///         .limited(to: 20)
/// )
/// ```
public struct FetchRequest<Object: ManagedObject> {
    /// The direction of a sort.
    public enum Direction: Sendable {
        /// Smallest first; objects without a value come before all others.
        case ascending
        /// Greatest first; objects without a value come after all others.
        case descending
    }

    private enum Order {
        case property(AnyKeyPath, Direction)
        case descriptor(SortDescriptor<Object>)
    }

    var conditions: [Condition] = []
    private var order: [Order] = []
    private var offset = 0
    private var limit: Int?
    /// Whether values are read only when they are needed.
    private(set) var isFaulting = false
    /// The relationships that are read together with the objects.
    private(set) var prefetched: [AnyKeyPath] = []

    /// All objects of a class.
    public init(_ type: Object.Type = Object.self) {}

    /// Those objects of a class that fulfil a predicate.
    ///
    /// Text is compared, searched and sorted by its UTF-8, in every store.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: A condition on declared properties, as `#Predicate` makes it. Fetching throws
    ///     ``UnsupportedPredicateError`` where no store could answer it.
    ///   - sortBy: The order; of texts, only `.lexical` ones.
    public init(
        _ type: Object.Type = Object.self,
        predicate: Predicate<Object>,
        sortBy: [SortDescriptor<Object>] = []
    ) {
        conditions = [.predicate(predicate)]
        order = sortBy.map { .descriptor($0) }
    }

    /// Those in which an attribute has a value.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        is value: Value
    ) -> Self {
        with { $0.conditions.append(.equals(keyPath, value.attributeValue)) }
    }

    /// Those in which a relationship leads to an object, or nowhere.
    public func `where`<Target: ManagedObject>(
        _ keyPath: KeyPath<Object, Target?>,
        is target: Target?
    ) -> Self {
        let value = target.map { AttributeValue.reference($0.objectID) } ?? .null
        return with { $0.conditions.append(.equals(keyPath, value)) }
    }

    /// Those in which an attribute that is kept as text begins with a text, byte for byte.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; for a UUID, its text in upper case.
    ///   - prefix: The beginning.
    /// - Returns: The narrower request.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        hasPrefix prefix: String
    ) -> Self {
        with { $0.conditions.append(.hasPrefix(keyPath, prefix)) }
    }

    /// Those in which an attribute has any value, or has none.
    public func `where`<Value: AttributeType>(
        _ keyPath: KeyPath<Object, Value?>,
        isMissing: Bool
    ) -> Self {
        with { $0.conditions.append(.isMissing(keyPath, isMissing)) }
    }

    /// Sorted by an attribute, after the attributes named before.
    public func sorted<Value: AttributeConvertible>(
        by keyPath: KeyPath<Object, Value>,
        _ direction: Direction = .ascending
    ) -> Self {
        with { $0.order.append(.property(keyPath, direction)) }
    }

    /// Not more than a number of objects, which is at least 0.
    public func limited(to limit: Int) -> Self {
        precondition(limit >= 0, "a limit is at least 0")
        return with { $0.limit = limit }
    }

    /// Without a number of objects at the beginning.
    public func skipping(_ offset: Int) -> Self {
        precondition(offset >= 0, "a fetch cannot skip fewer than no objects")
        return with { $0.offset = offset }
    }

    /// As faults: objects whose values are not read yet.
    ///
    /// For long lists of which only some objects are looked at. The first property of one that is
    /// read loads its values and those of up to 1,000 like it, so that reading all of them takes few
    /// turns. What is read then is what the store holds then; an object that is gone by then is
    /// ``ManagedObject/isDeleted``.
    public func asFaults() -> Self {
        with { $0.isFaulting = true }
    }

    /// With what a relationship to many leads to, read together with the objects.
    ///
    /// Relationships are read for many objects at a time anyway, when the first of them is asked for
    /// it. This reads them at once, so that no other query comes later.
    ///
    /// - Parameter keyPath: The relationship.
    /// - Returns: The request that does so.
    public func prefetching<Target: ManagedObject>(_ keyPath: KeyPath<Object, [Target]>) -> Self {
        with { $0.prefetched.append(keyPath) }
    }

    /// With the targets of a relationship to one, read together with the objects.
    ///
    /// - Parameter keyPath: The relationship.
    /// - Returns: The request that does so.
    public func prefetching<Target: ManagedObject>(_ keyPath: KeyPath<Object, Target?>) -> Self {
        with { $0.prefetched.append(keyPath) }
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension FetchRequest {
    /// The request for a store.
    ///
    /// - Throws: ``UnsupportedPredicateError``.
    func query(in model: ManagedObjectModel, state: inout ContextState) throws -> StoreQuery {
        let entity = model.describedEntity(of: Object.self)
        return StoreQuery(
            model: model,
            entity: entity,
            filter: try filter(entity, model, &state).map { try state.resolve($0) },
            order: try order.map { try storeOrder($0, model, &state) },
            offset: offset,
            limit: limit
        )
    }

    private func storeOrder(
        _ order: Order,
        _ model: ManagedObjectModel,
        _ state: inout ContextState
    ) throws -> StoreOrder {
        switch order {
        case .property(let keyPath, let direction):
            return StoreOrder(
                column: try orderedSlot(state.slot(of: keyPath, model), model),
                isDescending: direction == .descending
            )
        case .descriptor(let descriptor):
            guard let keyPath = descriptor.keyPath,
                case .slot(_, let slot) = model.place(of: keyPath)
            else {
                throw UnsupportedPredicateError(
                    expression: "SortDescriptor",
                    reason: "it does not sort by a property that has a column"
                )
            }
            if let comparator = descriptor.stringComparator, comparator != .lexical {
                throw UnsupportedPredicateError(
                    expression: "SortDescriptor",
                    reason: "stores sort text by its UTF-8; use comparator: .lexical"
                )
            }
            return StoreOrder(
                column: try orderedSlot(slot, model),
                isDescending: descriptor.order == .reverse
            )
        }
    }

    /// The slot of an attribute whose kept values are in the order of its values.
    func orderedSlot(_ slot: Int, _ model: ManagedObjectModel) throws -> Int {
        guard let entity = model.entity(of: Object.self),
            case .attribute(let attribute) = entity.columns[slot].kind, !attribute.isOrdered
        else { return slot }
        throw UnsupportedPredicateError(
            expression: "sorting by \(entity.name).\(attribute.name)",
            reason: "its values are kept in a form that has another order"
        )
    }
}
