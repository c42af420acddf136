internal import Synchronization

/// An object of an entity: a handle on values that its context keeps.
///
/// A handle holds its context and its identity and nothing else, so reading and writing a property
/// reads and writes the context. Declare an entity as a final class whose properties are wrapped
/// in ``Attribute``, ``ToOne`` and ``ToMany``, and describe them in an ``EntityDescription``:
///
/// ```swift
/// final class Passenger: ManagedObject {
///     @Attribute var familyName: String
///     @ToMany var luggage: [Luggage]
/// }
/// ```
///
/// Handles stay in the task that got them; hand the ``objectID`` to another one.
open class ManagedObject {
    /// The context that keeps the values.
    public let context: ManagedObjectContext

    /// The entity, by its position in the model.
    let entity: Int

    /// The key changes once, when a save gives the object its row: its own, or that of the object
    /// it was merged with.
    private let key: Atomic<Int64>

    /// Makes a handle on an object that the context knows; for the context's own use.
    ///
    /// - Parameter reference: Which object of which context.
    public required init(_ reference: ObjectReference) {
        context = reference.context
        entity = reference.id.entity
        key = Atomic(reference.id.key)
    }

    /// Inserts a new object into a context, to be stored by its next save.
    ///
    /// - Parameter context: A context whose model describes this class.
    public convenience init(context: ManagedObjectContext) {
        self.init(context.insertObject(of: Self.self))
        context.register(self)
    }

    /// The identity: provisional until the first save, then that of the row.
    public var objectID: ObjectID {
        ObjectID(entity: entity, key: key.load(ordering: .relaxed))
    }

    /// Whether the object was deleted here, or was gone from the store when the context last read it.
    public var isDeleted: Bool { context.isDeleted(self) }

    func forward(to id: ObjectID) {
        key.store(id.key, ordering: .relaxed)
    }
}

/// Which object of which context a handle is to stand for.
public struct ObjectReference: Sendable {
    let context: ManagedObjectContext
    let id: ObjectID
}

extension ManagedObject: Hashable {
    /// Whether both are the same handle.
    ///
    /// A context gives the same handle for the same object, except to those who hold one that a save
    /// has merged into another: such handles differ, and their ``objectID`` is equal.
    public static func == (a: ManagedObject, b: ManagedObject) -> Bool { a === b }

    /// Hashes the handle.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
