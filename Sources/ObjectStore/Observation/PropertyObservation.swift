internal import Synchronization

/// A change of an observed property.
public struct PropertyChange<Value: Sendable>: Sendable {
    /// The old value.
    public let old: Value
    /// The new value.
    public let new: Value
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
        context.state.withLock { $0.observers[key] = nil }
    }
}

/// An observer of one value of an object.
struct PropertyObserver: Sendable {
    var id: ObjectID
    let slot: Int
    let notify: @Sendable (AttributeValue, AttributeValue) -> Void
}

/// A weak reference to an observed handle.
///
/// Unchecked for the reason given at ``WeakHandle``; the handler receives it in the task that
/// changes the object.
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
    ///   - handler: Is called after the change, in the task that made it, once for each change and
    ///     once for each save that changes the value. It may use the context.
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
}

extension ManagedObjectContext {
    fileprivate func addObserver(
        of object: ManagedObject,
        _ keyPath: AnyKeyPath,
        _ notify: @escaping @Sendable (AttributeValue, AttributeValue) -> Void
    ) -> UInt64 {
        state.withLock { state in
            state.lastObserver += 1
            // Loaded now, so that the first read later is no change.
            state.load(object.objectID)
            if case .slot(_, let slot) = state.place(of: keyPath) {
                let observer = PropertyObserver(id: object.objectID, slot: slot, notify: notify)
                state.observers[state.lastObserver] = observer
            }
            return state.lastObserver
        }
    }
}

extension ContextState {
    /// The notifications of observers after a change.
    func notifications(since before: ObjectGraph) -> [@Sendable () -> Void] {
        if observers.isEmpty { return [] }
        var notifications: [@Sendable () -> Void] = []
        for (_, observer) in observers.sorted(by: { $0.key < $1.key }) {
            let old = before.value(of: observer.id, slot: observer.slot) ?? .null
            let id = forwarded[observer.id] ?? observer.id
            let new = graph.value(of: id, slot: observer.slot) ?? .null
            if old != new { notifications.append { observer.notify(old, new) } }
        }
        return notifications
    }

    /// Makes observers follow objects that a save merged or gave a key.
    mutating func forwardObservers() {
        for (key, observer) in observers {
            if let id = forwarded[observer.id] { observers[key]?.id = id }
        }
    }
}
