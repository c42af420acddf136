internal import Synchronization

/// A change of an observed property.
public struct PropertyChange<Value: Sendable>: Sendable {
    /// The old value.
    public let old: Value
    /// The new value.
    public let new: Value

    /// Describes a change.
    public init(old: Value, new: Value) {
        self.old = old
        self.new = new
    }
}

/// A change of an observed to-many relationship.
public struct MembersChange: Sendable {
    /// The objects that have become members, in the order of identity.
    public let inserted: [ObjectID]
    /// The objects that are members no more, in the order of identity.
    public let removed: [ObjectID]
}

/// Keeps an observation active until it is released or cancelled.
public final class ObservationToken: Sendable {
    private let context: ManagedObjectContext
    private let key: UInt64

    init(_ context: ManagedObjectContext, _ key: UInt64) {
        self.context = context
        self.key = key
    }

    deinit {
        cancel()
    }

    /// Ends the observation; a call that is running in another task may still finish.
    public func cancel() {
        context.removeObserver(key)
    }
}

/// A weak reference to an observed handle.
///
/// Unchecked because handles are not Sendable; the handler receives it in the task that changes the
/// object.
private struct ObservedObject<Object: ManagedObject>: @unchecked Sendable {
    weak var object: Object?
}

/// Gives ``observe(_:_:)`` the class of the object; every ``ManagedObject`` conforms to it.
public protocol ObservableManagedObject: ManagedObject {}

extension ManagedObject: ObservableManagedObject {}

extension ObservableManagedObject {
    /// Calls a handler after every change of an attribute: assignment, undo, rollback, refresh and
    /// merge.
    ///
    /// ```swift
    /// let token = luggage.observe(\.arrivedAt) { luggage, change in
    ///     print(luggage.identifier, "arrived at", change.new ?? "-")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - handler: Is called after the change, by whoever made it (by a thread of its own after an awaited save),
    ///     once for each change and once for each save that changes the value. It may use the context.
    /// - Returns: A token that keeps the observation active.
    public func observe<Value: AttributeConvertible>(
        _ keyPath: KeyPath<Self, Value>,
        _ handler: @escaping @Sendable (Self, PropertyChange<Value>) -> Void
    ) -> ObservationToken {
        let observed = ObservedObject(object: self)
        let key = context.addObserver(of: self, keyPath) { old, new in
            guard let object = observed.object else { return }
            let change = PropertyChange(
                old: Value(attributeValue: old),
                new: Value(attributeValue: new)
            )
            handler(object, change)
        }
        return ObservationToken(context, key)
    }

    /// Calls a handler after every change of a to-one relationship, as
    /// ``observe(_:_:)-(KeyPath<Self,Value>,_)`` does of an attribute.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - handler: Gets the identities of the targets. A save that gives the target its row is no
    ///     change.
    /// - Returns: A token that keeps the observation active.
    public func observe<Target: ManagedObject>(
        _ keyPath: KeyPath<Self, Target?>,
        _ handler: @escaping @Sendable (Self, PropertyChange<ObjectID?>) -> Void
    ) -> ObservationToken {
        let observed = ObservedObject(object: self)
        let key = context.addObserver(of: self, keyPath) { old, new in
            guard let object = observed.object else { return }
            handler(object, PropertyChange(old: old.reference, new: new.reference))
        }
        return ObservationToken(context, key)
    }

    /// Calls a handler after every change of the members of a to-many relationship, from either side.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - handler: Gets the identities of the objects that came and went. A save that gives them
    ///     their rows is no change.
    /// - Returns: A token that keeps the observation active.
    public func observe<Member: ManagedObject>(
        _ keyPath: KeyPath<Self, [Member]>,
        _ handler: @escaping @Sendable (Self, MembersChange) -> Void
    ) -> ObservationToken {
        let observed = ObservedObject(object: self)
        let key = context.addObserver(ofMembers: self, keyPath) { change in
            guard let object = observed.object else { return }
            handler(object, change)
        }
        return ObservationToken(context, key)
    }
}
