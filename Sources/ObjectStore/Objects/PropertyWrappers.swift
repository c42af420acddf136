// The wrappers hold nothing: each finds the object it stands in through the enclosing-instance
// subscript and asks that object's context. `wrappedValue` is demanded by the language and marked
// unavailable, so that using a wrapper outside a class is an error of the compiler; its body can
// never run.

/// A property whose value the object's context keeps.
@propertyWrapper
public struct Attribute<Value: AttributeConvertible> {
    /// Declares the property; its name and rules stand in the ``EntityDescription``.
    public init() {}

    /// Not for use: wrapped properties belong into a ``ManagedObject``.
    @available(*, unavailable, message: "@Attribute belongs into a ManagedObject class")
    public var wrappedValue: Value {
        get { fatalError("unreachable: unavailable") }
        set { fatalError("unreachable: unavailable") }
    }

    /// Reads and writes the value in the context of the enclosing object.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped keyPath: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get { Value(attributeValue: object.context.value(of: object, at: keyPath)) }
        set { object.context.assign(newValue.attributeValue, to: object, at: keyPath) }
    }
}

/// A relationship to one object or none.
@propertyWrapper
public struct ToOne<Target: ManagedObject> {
    /// Declares the relationship; its inverse and rules stand in the ``EntityDescription``.
    public init() {}

    /// Not for use: wrapped properties belong into a ``ManagedObject``.
    @available(*, unavailable, message: "@ToOne belongs into a ManagedObject class")
    public var wrappedValue: Target? {
        get { fatalError("unreachable: unavailable") }
        set { fatalError("unreachable: unavailable") }
    }

    /// Reads and writes the target in the context of the enclosing object.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped keyPath: ReferenceWritableKeyPath<Object, Target?>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Target? {
        get {
            let value = object.context.value(of: object, at: keyPath)
            return value.reference.map { object.context.object(Target.self, id: $0) }
        }
        set {
            object.context.assign(newValue, to: object, at: keyPath)
        }
    }
}

/// A relationship to any number of objects: all whose inverse points here.
@propertyWrapper
public struct ToMany<Target: ManagedObject> {
    /// Declares the relationship; its inverse stands in the ``EntityDescription``.
    public init() {}

    /// Not for use: wrapped properties belong into a ``ManagedObject``.
    @available(*, unavailable, message: "@ToMany belongs into a ManagedObject class")
    public var wrappedValue: [Target] {
        get { fatalError("unreachable: unavailable") }
        set { fatalError("unreachable: unavailable") }
    }

    /// Reads the objects that point here, unsaved changes included, in the order of their identity;
    /// writing makes exactly the given ones point here.
    ///
    /// The first reading asks the store, for other objects too that were fetched with this one. What
    /// others save later is seen once this object is fetched or refreshed, or their changes are merged.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped keyPath: ReferenceWritableKeyPath<Object, [Target]>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> [Target] {
        get { object.context.members(Target.self, of: object, at: keyPath) }
        set { object.context.setMembers(newValue, of: object, at: keyPath) }
    }
}
