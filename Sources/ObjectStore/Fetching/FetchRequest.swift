/// Which objects to fetch, and in which order.
///
/// ```swift
/// let heavy = try context.fetch(
///     FetchRequest(Luggage.self).where(\.owner, is: passenger).sorted(by: \.weight, .descending)
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

    private enum Condition {
        case equals(AttributeValue)
        case hasPrefix(String)
        case isMissing(Bool)
    }

    private var conditions: [(AnyKeyPath, Condition)] = []
    private var order: [(AnyKeyPath, Direction)] = []
    private var limit: Int?

    /// All objects of a class.
    public init(_ type: Object.Type = Object.self) {}

    /// Those in which an attribute has a value.
    public func `where`<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Object, Value>,
        is value: Value
    ) -> Self {
        with { $0.conditions.append((keyPath, .equals(value.attributeValue))) }
    }

    /// Those in which a relationship leads to an object, or nowhere.
    public func `where`<Target: ManagedObject>(
        _ keyPath: KeyPath<Object, Target?>,
        is target: Target?
    ) -> Self {
        let value = target.map { AttributeValue.reference($0.objectID) } ?? .null
        return with { $0.conditions.append((keyPath, .equals(value))) }
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
        with { $0.conditions.append((keyPath, .hasPrefix(prefix))) }
    }

    /// Those in which an attribute has any value, or has none.
    public func `where`<Value: AttributeType>(
        _ keyPath: KeyPath<Object, Value?>,
        isMissing: Bool
    ) -> Self {
        with { $0.conditions.append((keyPath, .isMissing(isMissing))) }
    }

    /// Sorted by an attribute, after the attributes named before.
    public func sorted<Value: AttributeConvertible>(
        by keyPath: KeyPath<Object, Value>,
        _ direction: Direction = .ascending
    ) -> Self {
        with { $0.order.append((keyPath, direction)) }
    }

    /// Not more than a number of objects, which is at least 0.
    public func limited(to limit: Int) -> Self {
        precondition(limit >= 0, "a limit is at least 0")
        return with { $0.limit = limit }
    }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }

    func query(in model: ManagedObjectModel, state: inout ContextState) -> StoreQuery {
        guard let entity = model.entity(of: Object.self) else {
            preconditionFailure("\(Object.self) is not an entity of this context's model")
        }
        func column(_ keyPath: AnyKeyPath, _ state: inout ContextState) -> Int {
            guard case .slot(_, let slot) = state.place(of: keyPath, model) else {
                preconditionFailure("\(keyPath) is a relationship to many, which has no column")
            }
            return slot
        }
        let filters = conditions.map { keyPath, condition -> StoreFilter in
            let column = column(keyPath, &state)
            return switch condition {
            // No store keeps such a value, and some would take it for another.
            case .equals(let value) where value.reasonNotStorable != nil:
                .isOneOf(column: column, [])
            case .hasPrefix(let prefix) where prefix.utf8.contains(0):
                .isOneOf(column: column, [])
            case .equals(let value): .equals(column: column, value)
            case .hasPrefix(let prefix): .hasPrefix(column: column, prefix)
            case .isMissing(true): .equals(column: column, .null)
            case .isMissing(false): .not(.equals(column: column, .null))
            }
        }
        return StoreQuery(
            entity: entity,
            filter: filters.isEmpty ? nil : .and(filters),
            order: order.map {
                StoreOrder(column: column($0, &state), isDescending: $1 == .descending)
            },
            limit: limit
        )
    }
}
