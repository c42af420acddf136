internal import Synchronization

/// A change of an observed property.
public struct PropertyChange<Value: Sendable>: Sendable {
    /// The value before.
    public let old: Value
    /// The value now.
    public let new: Value
}

/// Keeps an observation going; it ends when this is let go or cancelled.
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

    /// Ends the observation; a call that is under way in another task may still come to its end.
    public func cancel() {
        context.state.withLock { $0.observers[key] = nil }
    }
}

/// Somebody who is told when a value of an object changes.
struct PropertyObserver: Sendable {
    var id: ObjectID
    let slot: Int
    let notify: @Sendable (AttributeValue, AttributeValue) -> Void
}

/// An observed handle, which observing does not keep alive.
///
/// Unchecked for the reason that ``WeakHandle`` gives; the handler gets it in the task that changes the
/// object.
private struct ObservedObject<Object: ManagedObject>: @unchecked Sendable {
    weak var object: Object?
}

/// What lets ``observe(_:_:)`` know the class of the object; every ``ManagedObject`` has it.
public protocol ObservableManagedObject: ManagedObject {}

extension ManagedObject: ObservableManagedObject {}

extension ObservableManagedObject {
    /// Tells of every change of an attribute: by assignment, undo, rollback, refreshing and merging.
    ///
    /// ```swift
    /// let token = luggage.observe(\.arrivedAt) { luggage, change in
    ///     print(luggage.identifier, "arrived at", change.new ?? "-")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - handler: Is called after the change, by the task that made it, once for each change and
    ///     once for each save that changes the value. It may use the context.
    /// - Returns: A token that keeps the observation going.
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
            // What is read for the first time later is no change.
            state.load(object.objectID, model: model, source: source)
            if case .slot(_, let slot) = state.place(of: keyPath, model) {
                let observer = PropertyObserver(id: object.objectID, slot: slot, notify: notify)
                state.observers[state.lastObserver] = observer
            }
            return state.lastObserver
        }
    }
}

extension ContextState {
    /// What observers are to be told after a change.
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

    /// Makes observers follow objects that a save has merged or given a key.
    mutating func forwardObservers() {
        for (key, observer) in observers {
            if let id = forwarded[observer.id] { observers[key]?.id = id }
        }
    }
}
