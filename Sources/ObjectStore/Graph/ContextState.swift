/// Everything that a context keeps, guarded by its lock.
struct ContextState: Sendable {
    let model: ManagedObjectModel
    let source: any RowSource
    var graph = ObjectGraph()
    var mergePolicy: MergePolicy
    /// The author of the changes, for the history.
    var author: String?
    var undo = UndoStack()
    /// The save that is under way.
    var pendingSave: PendingSave?
    /// The observers of property changes.
    var observers = PropertyObservers()
    /// Makes the context merge what other contexts save.
    var following: ContextFollowing?
    /// The present identity of each object that had a provisional one; other tasks may still hold
    /// the old.
    var forwarded = ObjectMap<ObjectID>()
    /// The targets of references, if the references were read but not the targets.
    var unread = ObjectSet()
    /// Which objects with changes the store has.
    var onRecord = ObjectsOnRecord()
    /// The objects that were found together.
    var companions = Companions()
    /// The places of the properties that this and other contexts have used.
    var places: PlaceCache
    /// A failed read that a property could not throw; the next fetch or save throws it.
    var failure: (any Error)? {
        didSet { failureCount += 1 }
    }
    /// How often that was set, so that a later failure is told from an earlier one.
    private(set) var failureCount = 0
}
