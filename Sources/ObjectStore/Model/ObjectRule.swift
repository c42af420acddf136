/// A rule about several properties of an object, which must be fulfilled to be saved.
///
/// ```swift
/// ObjectRule(\.arrivedAt) { bag in
///     guard let departed = bag[\.departedAt], let arrived = bag[\.arrivedAt] else { return nil }
///     return arrived >= departed ? nil : "must not be before departedAt"
/// }
/// ```
public struct ObjectRule<Object: ManagedObject>: Sendable {
    let keyPath: PropertyPath
    let violation: @Sendable (ObjectValues<Object>) -> String?

    /// Makes a rule.
    ///
    /// It is applied to what is about to be stored, after merging. The closure is called while a
    /// context and its store may be locked, so it must use neither.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute or to-one relationship that a broken rule is reported of.
    ///   - violation: Returns the reason why the values break the rule, which follows the name of the
    ///     property, or nil if they are valid.
    public init(
        _ keyPath: any PartialKeyPath<Object> & Sendable,
        _ violation: @escaping @Sendable (ObjectValues<Object>) -> String?
    ) {
        self.keyPath = PropertyPath(keyPath)
        self.violation = violation
    }
}

/// The values of one object that is about to be saved.
public struct ObjectValues<Object: ManagedObject> {
    let values: [AttributeValue]
    let places: PropertySlots

    /// The value of an attribute.
    public subscript<Value: AttributeConvertible>(_ keyPath: KeyPath<Object, Value>) -> Value {
        Value(attributeValue: value(keyPath))
    }

    /// The target of a to-one relationship.
    public subscript<Target: ManagedObject>(_ keyPath: KeyPath<Object, Target?>) -> ObjectID? {
        value(keyPath).reference
    }

    private func value(_ keyPath: AnyKeyPath) -> AttributeValue {
        places[keyPath].map { values[$0] } ?? .null
    }
}

/// A rule of an entity, whatever its class.
struct EntityRule: Sendable {
    let slot: Int
    let violation: @Sendable ([AttributeValue]) -> String?
}
