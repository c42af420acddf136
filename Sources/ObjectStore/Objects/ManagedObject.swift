internal import Synchronization

/// An object of an entity: a handle to values that its context keeps.
///
/// A handle holds its context and its identity, and no values: reading and writing a property reads and
/// writes the context. Declare an entity as a final class whose properties are wrapped in
/// ``Attribute``, ``ToOne`` and ``ToMany``, and describe them in an ``EntityDescription``:
///
/// ```swift
/// final class Passenger: ManagedObject {
///     @Attribute var familyName: String
///     @ToMany var luggage: [Luggage]
/// }
/// ```
///
/// A handle stays in the task that got it; pass its ``objectID`` to other tasks.
open class ManagedObject {
    /// The context that keeps the values.
    public let context: ManagedObjectContext

    /// Where the values are; used only under the lock of the context's state.
    @exclusivity(unchecked) final var place = RowPlace()

    /// The entity, by its position in the model; short, so that a handle takes no more memory with its place.
    private let entity: UInt32

    /// Changes once, when a save gives the object its own row or merges it into another object.
    private let key: Atomic<Int64>

    /// Makes a handle to an object that the context knows; for internal use by contexts.
    ///
    /// - Parameter reference: The object and its context.
    public required init(_ reference: ObjectReference) {
        context = reference.context
        entity = UInt32(truncatingIfNeeded: reference.id.entity)
        key = Atomic(reference.id.key)
    }

    deinit {
        context.handles.withLock { $0.remove(self) }
    }

    /// Inserts a new object into a context; the next save stores it.
    ///
    /// - Parameter context: A context whose model describes this class.
    public convenience init(context: ManagedObjectContext) {
        self.init(context.insertObject(of: Self.self))
        context.register(CollectionOfOne(self))
    }

    /// The identity: provisional until the first save, then the identity of the row.
    public var objectID: ObjectID {
        ObjectID(entity: Int(entity), key: key.load(ordering: .relaxed))
    }

    /// Whether the object was deleted here, or was no longer in the store at the last reading.
    public var isDeleted: Bool { context.isDeleted(self) }

    func forward(to id: ObjectID) {
        key.store(id.key, ordering: .relaxed)
    }
}

/// The object and the context that a handle stands for.
public struct ObjectReference: Sendable {
    let context: ManagedObjectContext
    let id: ObjectID
}

extension ManagedObject: Hashable {
    /// Whether both are the same handle.
    ///
    /// A context returns one handle per object. The exception is a held handle whose object a save
    /// merged into another: such handles differ, and their ``objectID`` is equal.
    public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }

    /// Hashes the handle.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension ManagedObject {
    /// Every rule of the model that the object breaks, as a save after merging reports them.
    public var validationFailures: [ValidationFailure] { context.failures(of: self) }
}

extension ManagedObjectContext {
    fileprivate func failures(of object: ManagedObject) -> [ValidationFailure] {
        state.withLock { state in
            let id = object.objectID
            state.load(id)
            guard let row = state.graph.rows[id], !row.isDeleted else { return [] }
            var failures: [ValidationFailure] = []
            model.entities[id.entity].check(row, of: id, into: &failures)
            return failures
        }
    }
}
