internal import FoundationEssentials
internal import Synchronization
internal import SystemSupport

/// A working copy of objects: read from a store, changed in memory, saved as a whole.
///
/// Make one for each piece of work with ``PersistentContainer/makeContext(mergePolicy:)``. A
/// context may be used from any task. Changes of several tasks in one context mix, as in any shared
/// state, so give each task its own.
public final class ManagedObjectContext: Sendable {
    /// The model of the objects.
    public let model: ManagedObjectModel

    let source: any RowSource
    let state: Mutex<ContextState>
    /// The handles that the program holds; no other lock is taken, and nothing released, under this one.
    let handles = Mutex(HandleTable())
    /// Serialises the saves of this context; never locked while ``state`` is locked.
    let saving = Lock()
    /// Reports what this context saves.
    let hub = ChangeHub()
    /// Reports what the contexts of the container save.
    let containerReport: any SaveReporting
    /// Takes note of what is read here, if this context only finds out what a class declares.
    @usableFromInline let probe: PropertyProbe?

    init(
        model: ManagedObjectModel,
        source: any RowSource,
        mergePolicy: MergePolicy,
        containerReport: any SaveReporting,
        probe: PropertyProbe? = nil
    ) {
        self.probe = probe
        self.model = model
        self.source = source
        self.containerReport = containerReport
        state = Mutex(
            ContextState(
                model: model,
                source: source,
                mergePolicy: mergePolicy,
                places: model.usedPlaces.withLock { $0 }
            )
        )
    }

    /// A context without a model, for the object of a ``ClassProbe``.
    static func forProbing() -> ManagedObjectContext {
        let (store, model) = (InMemoryStore(), ManagedObjectModel.empty)
        return ManagedObjectContext(
            model: model,
            source: StoreSource(store: store),
            mergePolicy: .error,
            containerReport: StoreChanges(of: store, model),
            probe: PropertyProbe()
        )
    }

    /// How saves settle conflicts.
    public var mergePolicy: MergePolicy {
        get { state.withLock { $0.mergePolicy } }
        set {
            // The old one is released without the lock: what a closure holds may use this context as it goes.
            var policy = newValue
            state.withLock { swap(&$0.mergePolicy, &policy) }
        }
    }

    /// Whether there are unsaved changes.
    public var hasChanges: Bool {
        state.withLock { !$0.isUnchanged }
    }

    /// Runs a change under the lock, records the undo step, and notifies observers after unlocking.
    ///
    /// - Parameters:
    ///   - isStep: Whether edits in it can be undone.
    ///   - body: The change.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; observers are notified of what changed until then.
    func change<Result, Failure: Error>(
        isStep: Bool = true,
        _ body: (inout ContextState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var notifications: [@Sendable () -> Void] = []
        defer { Self.send(notifications) }
        return try change(isStep: isStep, notifying: &notifications, body)
    }

    // Not inlined, nor what follows: every change would have all of it.
    @inline(never)
    static func send(_ notifications: [@Sendable () -> Void]) {
        for notify in notifications { notify() }
    }

    /// Runs a change under the lock, and gives the notifications to send when no lock is held.
    func change<Result, Failure: Error>(
        isStep: Bool,
        notifying notifications: inout [@Sendable () -> Void],
        _ body: (inout ContextState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = try state.withLock { state throws(Failure) -> Unlocked<Result> in
            // Keeping a reference to the graph makes the next edit copy what it touches.
            let before = isStep && state.undo.limit > 0 ? state.graph : nil
            // Even if it throws: until then something may have changed.
            defer { notifications = state.takeNotifications() }
            let result = try body(&state)
            if let before { state.keepStep(before: before) }
            return Unlocked(value: result)
        }
        return result.value
    }

    /// Throws if a property could not be read since the last fetch or save.
    ///
    /// A property cannot throw, so it returned a missing value then.
    ///
    /// - Throws: ``StoreError``.
    public func checkReads() throws {
        try state.withLock { try $0.throwFailure() }
    }

    /// Discards every change since the last save, and the steps that could be undone.
    ///
    /// In a group that then fails they stay discarded.
    public func rollback() {
        change(isStep: false) { state in
            state.graph.rollback()
            state.undo.removeAll(in: state.graph)
            // What a running save stores is no longer a change.
            state.pendingSave?.base = state.graph
        }
    }

    /// Groups changes, so that an error thrown among them discards them all.
    ///
    /// It stores nothing; call `save()` for that. If the group fails, objects inserted in it are
    /// deleted. If the group has saved, the saved part stays and the unsaved part is discarded. The
    /// changes of a group are undone together.
    ///
    /// - Parameter body: Changes objects of this context.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func transaction<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try undoGroup(body)
    }
}

/// A value that leaves the lock.
///
/// Unchecked because the caller's closure made it and it returns to the caller: it never leaves the
/// task.
private struct Unlocked<Value>: @unchecked Sendable {
    let value: Value
}

extension ContextState {
    /// Keeps the state before an edit: for the open group, or as a step of its own.
    @inline(never)
    fileprivate mutating func keepStep(before: ObjectGraph) {
        guard graph.edits != before.edits, undo.limit > 0, !undo.keepsForGroup(before: before)
        else { return }
        undo.push(named: nil, before: UndoStack.Past(before), touched: graph.takeTouched())
    }

    /// Throws the failure of a property that could not be read, once.
    mutating func throwFailure() throws {
        guard let failure else { return }
        self.failure = nil
        throw failure
    }
}

extension ManagedObjectContext {
    /// Forgets every object that was read or changed, and the steps that could be undone.
    ///
    /// Use it for work on more objects than fit in memory: read or save a part, reset, and continue
    /// with the next. Unsaved changes are lost. A handle that is still held reads its row anew; a
    /// handle of an object that was never saved reads as deleted. Earlier provisional identities
    /// become invalid.
    public func reset() {
        change(isStep: false) { state in
            state.graph.forget()
            state.undo.removeAll(in: state.graph)
            state.pendingSave?.isForgotten = true
            state.forwarded = ObjectMap()
            state.unread = ObjectSet()
            state.onRecord = ObjectsOnRecord()
            state.companions = Companions()
        }
    }
}

extension ManagedObjectContext {
    /// Reads an object again, with what others saved meanwhile.
    ///
    /// While another task saves this context, it waits for the save to end, as fetching does.
    ///
    /// - Parameters:
    ///   - object: An object of this context; an object that was never saved stays as it is.
    ///   - keepingChanges: Whether unsaved assignments stay.
    /// - Throws: ``StoreError``; the object is then unchanged.
    public func refresh(_ object: ManagedObject, keepingChanges: Bool = true) throws {
        // A row that is newer than a save that is about to end would become older by it.
        try whenSaved { state in
            let id = object.objectID
            guard !id.isProvisional else { return }
            let entity = model.entities[id.entity]
            let rows = try source.read { try $0.rows(of: entity, keys: [id.key]) }
            state.graph.refresh(id, rows.first, keepingChanges: keepingChanges)
            // In a transaction of the store it does not wait.
            if !keepingChanges { state.pendingSave?.base.set(state.graph.rows[id], for: id) }
            state.register(rows, of: entity)
            state.graph.members.setUnloaded([id])
        }
    }
}

extension ObjectGraph {
    /// Applies a row as it is in the store now; nil if it is gone.
    fileprivate mutating func refresh(_ id: ObjectID, _ stored: StoredRow?, keepingChanges: Bool) {
        let known = rows[id]
        if !keepingChanges { lost.drop(of: id) }
        guard keepingChanges, var kept = known, kept.isChanged else {
            set(stored.map(ObjectRow.init), for: id)
            return
        }
        // If the row is gone, the changes stay: the merge policy decides at the save.
        guard let stored else { return }
        kept.base(on: ObjectRow.Stored(stored))
        set(kept, for: id)
    }
}

extension CodingUserInfoKey {
    /// The key of the context into which a decoder decodes objects.
    ///
    /// ```swift
    /// let decoder = JSONDecoder()
    /// decoder.userInfo[.context] = context
    /// let luggage = try context.transaction {
    ///     try decoder.decode(Luggage.self, from: payload)
    /// }
    /// ```
    ///
    /// If decoding fails half way, the transaction removes what it has inserted.
    public static let context: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "ObjectStore.context") else {
            // The initializer is failable by declaration only; it accepts every text.
            preconditionFailure("a text is always a key")
        }
        return key
    }()
}

extension Decoder {
    /// The context that `userInfo[.context]` carries.
    ///
    /// - Returns: The context into which to decode objects.
    /// - Throws: `DecodingError.valueNotFound` if there is none.
    public func managedObjectContext() throws -> ManagedObjectContext {
        if let context = userInfo[.context] as? ManagedObjectContext { return context }
        throw DecodingError.valueNotFound(
            ManagedObjectContext.self,
            DecodingError.Context(
                codingPath: codingPath,
                debugDescription:
                    "set decoder.userInfo[.context] to the context that the objects belong into"
            )
        )
    }
}
