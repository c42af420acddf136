public import FoundationEssentials

/// Describes which objects to fetch, and in which order.
///
/// ```swift
/// let heavy = try context.fetch(
///     FetchRequest(Luggage.self, predicate: #Predicate { $0.weight > 50 && $0.arrivedAt == nil })
///         .sorted(by: \.weight, .descending)
///         .limited(to: 20)
/// )
/// ```
///
/// Key paths are those of properties that the context keeps; others throw ``UnsupportedPredicateError``. What a class
/// computes in a getter is asked once to find that out, of an object without values: a getter that ends the program
/// for one, as `owner!.name` does, ends it here as well.
public struct FetchRequest<Object: ManagedObject>: Sendable {
    /// The direction of a sort.
    public enum Direction: Sendable {
        /// Smallest first; objects without a value come before all others.
        case ascending
        /// Greatest first; objects without a value come after all others.
        case descending
    }

    private struct Order: Sendable {
        let property: PropertyPath
        let direction: Direction
    }

    var conditions: [Condition] = []
    private var order: [Order] = []
    private var offset = 0
    private var limit: Int?
    /// Whether values are read only on demand.
    private(set) var isFaulting = false
    /// The relationships that the fetch reads together with the objects.
    private(set) var prefetched: [PropertyPath] = []

    /// Selects all objects of a class.
    public init(_ type: Object.Type = Object.self) {}

    /// Selects the objects of a class that fulfil a predicate.
    ///
    /// Text is compared, searched and sorted by its UTF-8, in every store.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: A condition on declared properties, as `#Predicate` makes it. Fetching throws
    ///     ``UnsupportedPredicateError`` if no store could answer it.
    public init(_ type: Object.Type = Object.self, predicate: Predicate<Object>) {
        conditions = [.predicate(predicate)]
    }

    /// Selects objects in which an attribute has a value.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        is value: Value
    ) -> Self {
        with { $0.conditions.append(.equals(PropertyPath(keyPath), value.attributeValue)) }
    }

    /// Selects objects in which a relationship leads to an object, or to none if nil.
    public func `where`<Target: ManagedObject>(
        _ keyPath: KeyPath<Object, Target?>,
        is target: Target?
    ) -> Self {
        let value = target.map { AttributeValue.reference($0.objectID) } ?? .null
        return with { $0.conditions.append(.equals(PropertyPath(keyPath), value)) }
    }

    /// Selects objects in which an attribute that is stored as text begins with a text, in the form of its texts.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; for a UUID, its text in upper case.
    ///   - prefix: The beginning.
    /// - Returns: The narrower request.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        hasPrefix prefix: String
    ) -> Self {
        with { $0.conditions.append(.hasPrefix(PropertyPath(keyPath), prefix)) }
    }

    /// Selects objects in which an attribute is missing, or is not missing.
    public func `where`<Value: AttributeType>(
        _ keyPath: KeyPath<Object, Value?>,
        isMissing: Bool
    ) -> Self {
        with { $0.conditions.append(.isMissing(PropertyPath(keyPath), isMissing)) }
    }

    /// Sorts by an attribute, after the attributes given before.
    public func sorted<Value: AttributeConvertible>(
        by keyPath: KeyPath<Object, Value>,
        _ direction: Direction = .ascending
    ) -> Self {
        with { $0.order.append(Order(property: PropertyPath(keyPath), direction: direction)) }
    }

    /// Limits the number of objects.
    ///
    /// - Parameter limit: At least 0; fetching throws ``UnsupportedPredicateError`` if it is less.
    /// - Returns: The request with the limit.
    public func limited(to limit: Int) -> Self {
        with { $0.limit = limit }
    }

    /// Skips a number of objects at the beginning.
    ///
    /// - Parameter offset: At least 0; fetching throws ``UnsupportedPredicateError`` if it is less.
    /// - Returns: The request with the offset.
    public func skipping(_ offset: Int) -> Self {
        with { $0.offset = offset }
    }

    /// Fetches faults: objects whose values are not read yet.
    ///
    /// Use it for long lists if the program looks at only some objects. The first read of a
    /// property loads the values of that object and of up to 1,000 others of the list, so reading
    /// them all takes few queries. A fault shows what the store holds when it is loaded; an object
    /// that is gone by then is ``ManagedObject/isDeleted``.
    public func asFaults() -> Self {
        with { $0.isFaulting = true }
    }

    /// Reads the members of a to-many relationship together with the objects.
    ///
    /// Without it, the first access of a relationship reads it for many objects at a time. With it,
    /// no later query is needed.
    ///
    /// - Parameter keyPath: The relationship.
    /// - Returns: The request with prefetching.
    public func prefetching<Target: ManagedObject>(_ keyPath: KeyPath<Object, [Target]>) -> Self {
        with { $0.prefetched.append(PropertyPath(keyPath)) }
    }

    /// Reads the targets of a to-one relationship together with the objects.
    ///
    /// - Parameter keyPath: The relationship.
    /// - Returns: The request with prefetching.
    public func prefetching<Target: ManagedObject>(_ keyPath: KeyPath<Object, Target?>) -> Self {
        with { $0.prefetched.append(PropertyPath(keyPath)) }
    }

    /// The request with other relationships to read together with the objects.
    func prefetching(_ relationships: [PropertyPath]) -> Self {
        with { $0.prefetched = relationships }
    }

    func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension FetchRequest {
    /// The store query of this request.
    func query(in state: inout ContextState) throws -> StoreQuery {
        let model = state.model
        let entity = model.describedEntity(of: Object.self)
        for (what, number) in [("limited(to:", limit ?? 0), ("skipping(", offset)] where number < 0
        {
            throw UnsupportedPredicateError(
                expression: "\(what)\(what.hasSuffix(":") ? " " : "")\(number))",
                reason: "there are no fewer than no objects; use a number from 0 on"
            )
        }
        let filter = try filter(entity, &state)
        if let filter, filter.isTooDeep { throw UnsupportedPredicateError.tooDeep("the condition") }
        return StoreQuery(
            model: model,
            entity: entity,
            filter: try filter.map { try state.resolve($0) },
            order: try order.map { try storeOrder($0, &state) },
            offset: offset,
            limit: limit
        )
    }

    private func storeOrder(_ order: Order, _ state: inout ContextState) throws -> StoreOrder {
        StoreOrder(
            column: try orderedSlot(try state.slot(of: order.property.keyPath), state.model),
            isDescending: order.direction == .descending
        )
    }

    /// The slot of an attribute whose stored values sort as its values do.
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
