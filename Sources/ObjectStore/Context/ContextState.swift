/// Everything that a context keeps, guarded by its lock.
struct ContextState: Sendable {
    var graph = ObjectGraph()
    var mergePolicy: MergePolicy
    /// Who makes the changes, for the history.
    var author: String?
    var undo = UndoStack()
    /// The save that is under way.
    var pendingSave: PendingSave?
    /// Who is told of changes of properties, in the order of asking.
    var observers: [UInt64: PropertyObserver] = [:]
    var lastObserver: UInt64 = 0
    /// What makes the context take over what others save.
    var following: ContextFollowing?
    /// The handle of each object, while somebody holds it.
    var handles: [ObjectID: WeakHandle] = [:]
    /// Where objects are now that had a provisional identity, which other tasks may still hold.
    var forwarded: [ObjectID: ObjectID] = [:]
    /// The number of handles at which those that nobody holds are cleared away.
    var handleLimit = 1024
    /// The targets of references that were read, but have not been read themselves.
    var unread: [Int: Set<ObjectID>] = [:]
    /// The objects that were found together.
    var companions = Companions()
    /// Places of properties by the identity of the key path that asks.
    ///
    /// Most uses in a program have one key path for good, and comparing identities is far quicker
    /// than comparing key paths. It is kept alive here, since another one could get its identity.
    var places: [ObjectIdentifier: (PropertyPath, place: ManagedObjectModel.PropertyPlace)] = [:]
    /// A failure to read that a property could not throw; the next fetch or save does.
    var failure: (any Error)?
}

/// A handle that the context does not keep alive.
///
/// Unchecked because handles are not sendable, so that a program keeps them in one task. The context
/// may nevertheless keep them under its lock: a handle is a constant context and an atomic key.
struct WeakHandle: @unchecked Sendable {
    weak var object: ManagedObject?
}

/// Handles on their way under the lock of their context, unchecked for the same reason.
struct Handles: @unchecked Sendable {
    let objects: [ManagedObject]
}
