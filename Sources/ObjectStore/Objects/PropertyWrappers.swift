// The wrappers hold no values. Each finds its object through the enclosing-instance subscript and
// asks the object's context. The language requires `wrappedValue`; it is marked unavailable, so the
// compiler rejects a wrapper outside a class, and its body never runs.

/// A property whose value the object's context keeps.
@propertyWrapper
public struct Attribute<Value: AttributeConvertible>: WrappedProperty {
    @usableFromInline let position: UInt8

    /// Declares the property; its rules are in the ``EntityDescription``.
    public init() {
        position = WrappedProperties.note { nil }
    }

    /// Declares the property with the value of a new object: `@Attribute var pieces = 1`.
    ///
    /// One that differs each time, as `UUID()` or `Date()`, is computed for each new object, for which another
    /// object of the class is made; others are computed twice, to describe the entity. So one of few values, as
    /// `Bool.random()`, or one that a counter gives only later, may seem to be always the same: assign it in an
    /// initializer.
    public init(wrappedValue: @autoclosure () -> Value) {
        position = WrappedProperties.note { wrappedValue().attributeValue }
    }

    /// Not for use: wrapped properties belong into a ``ManagedObject``.
    @available(*, unavailable, message: "@Attribute belongs into a ManagedObject class")
    public var wrappedValue: Value {
        get { fatalError("unreachable: unavailable") }
        set { fatalError("unreachable: unavailable") }
    }

    /// Reads and writes the value in the context of the enclosing object.
    @inlinable
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped keyPath: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        get {
            // Inlined into the class, so that the key path of the storage is only made here, and the value is
            // not converted by way of a generic type's tables.
            if let probe = object.context.probe {
                probe.noteRead(object[keyPath: storage].position, keyPath)
            }
            return Value(attributeValue: object.context.value(of: object, at: keyPath))
        }
        set { object.context.assign(newValue.attributeValue, to: object, at: keyPath) }
    }

    var attribute: AttributeDescription? {
        if let type = Value.self as? any AttributeType.Type {
            return AttributeDescription(plain: type, isOptional: false)
        }
        let optional = Value.self as? any OptionalAttribute.Type
        return optional.map { AttributeDescription(plain: $0.wrapped, isOptional: true) }
    }
}

/// An optional of an attribute's type.
private protocol OptionalAttribute {
    static var wrapped: any AttributeType.Type { get }
}

extension Optional: OptionalAttribute where Wrapped: AttributeType {
    static var wrapped: any AttributeType.Type { Wrapped.self }
}

/// A to-one relationship: one object or none.
@propertyWrapper
public struct ToOne<Target: ManagedObject>: WrappedProperty {
    let position: UInt8

    /// Declares the relationship; its inverse and rules are in the ``EntityDescription``.
    public init() {
        position = WrappedProperties.note { nil }
    }

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
            object.context.probe?.noteRead(object[keyPath: storage].position, keyPath)
            let value = object.context.value(of: object, at: keyPath)
            return value.reference.map { object.context.object(Target.self, id: $0) }
        }
        set {
            object.context.assign(newValue, to: object, at: keyPath)
        }
    }
}

/// A to-many relationship: all objects whose inverse points here.
@propertyWrapper
public struct ToMany<Target: ManagedObject>: WrappedProperty {
    let position: UInt8

    /// Declares the relationship; its inverse is in the ``EntityDescription``.
    public init() {
        position = WrappedProperties.note { nil }
    }

    /// Not for use: wrapped properties belong into a ``ManagedObject``.
    @available(*, unavailable, message: "@ToMany belongs into a ManagedObject class")
    public var wrappedValue: [Target] {
        get { fatalError("unreachable: unavailable") }
        set { fatalError("unreachable: unavailable") }
    }

    /// Reads or replaces the objects that point here, unsaved changes included, in the order of
    /// identity.
    ///
    /// Writing makes exactly the given objects point here. The first read asks the store, also for
    /// other objects that were fetched with this one. Later saves by others become visible when
    /// this object is fetched or refreshed, or when their changes are merged.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped keyPath: ReferenceWritableKeyPath<Object, [Target]>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> [Target] {
        get {
            object.context.probe?.noteRead(object[keyPath: storage].position, keyPath)
            return object.context.members(Target.self, of: object, at: keyPath)
        }
        set { object.context.setMembers(newValue, of: object, at: keyPath) }
    }
}
