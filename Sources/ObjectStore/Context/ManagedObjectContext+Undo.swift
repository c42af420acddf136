internal import Synchronization

extension ManagedObjectContext {
    /// The greatest number of steps that can be undone.
    ///
    /// The default is 0: a context for one piece of work keeps no steps. A smaller limit drops the
    /// oldest steps; one below 0 counts as 0.
    public var undoLimit: Int {
        get { state.withLock { $0.undo.limit } }
        set {
            state.withLock { state in
                state.undo.limit = max(0, newValue)
                if state.graph.keepsSteps != (newValue > 0) {
                    state.graph.keepsSteps = newValue > 0
                }
            }
        }
    }

    /// Whether there is a step to undo.
    public var canUndo: Bool { state.withLock { !$0.undo.undoable.isEmpty } }

    /// Whether there is a step to redo.
    public var canRedo: Bool { state.withLock { !$0.undo.redoable.isEmpty } }

    /// The name of the step that `undo()` would undo, if it has one.
    public var undoName: String? { state.withLock { $0.undo.undoable.last?.name } }

    /// The name of the step that `redo()` would redo, if it has one.
    public var redoName: String? { state.withLock { $0.undo.redoable.last?.name } }

    /// Undoes the last step.
    ///
    /// Every change is a step of its own, unless it is made in a group. Changes that were saved
    /// meanwhile are undone too, as changes for the next save. Where a save merged an object with one that
    /// others had inserted, that one gets its own values back and stays. Where it merged two objects of this context, they
    /// stay one, also if they had different unique values before. An object whose deletion is undone comes back,
    /// though others may have deleted it too, with what others had made lead to it before the deletion was saved.
    ///
    /// A step restores the objects that it changed, as they were: also over what others have saved of the same
    /// properties since. What leads to an object that others have deleted leads nowhere then; if they delete it later,
    /// the save says so, as of any reference that was assigned, but for what the delete rule takes with it: that is
    /// deleted too. What others have made
    /// lead to an object whose insertion is undone leads to a deleted object until the save, which applies the delete rule.
    ///
    /// While another task saves this context, it waits for the save to end. In a transaction of the store, for
    /// which that save may be waiting, nothing is undone then.
    ///
    /// - Returns: Whether a step was undone: there was one, no group was open, and what others may have changed could
    ///   be read; ``checkReads()`` throws why it could not.
    @discardableResult
    public func undo() -> Bool {
        go(undoing: true)
    }

    /// Redoes the step that was undone last; the next change drops it.
    ///
    /// As with ``undo()``, an object that others inserted stays: also if the step deleted one with the same
    /// unique values, under another identity. It waits for a save as that does.
    ///
    /// - Returns: Whether a step was redone; as with ``undo()``.
    @discardableResult
    public func redo() -> Bool {
        go(undoing: false)
    }

    private func go(undoing: Bool) -> Bool {
        whenSaved { state in
            guard state.pendingSave == nil, !state.undo.isInGroup else { return false }
            // Before anything is changed: it may fail.
            guard let step = state.undo.next(undoing: undoing),
                let gone = state.loadObjects(of: step)
            else { return false }
            state.undo.go(undoing: undoing, from: state.graph)
            state.graph.goBack(to: step.past.graph, of: step.touched, without: gone)
            return true
        }
    }

    /// Combines several changes into one undo step.
    ///
    /// Groups may be nested: the outermost is the step. An error thrown in a group discards its
    /// changes, as in ``transaction(_:)``, and waits for a save that another task has begun: what is saved stays.
    ///
    /// - Parameters:
    ///   - name: The name of the step, for a menu or a report.
    ///   - body: Changes objects of this context.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public func undoGroup<Result, Failure: Error>(
        named name: String? = nil,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let group = state.withLock { $0.undo.beginGroup(named: name, in: $0.graph) }
        do throws(Failure) {
            let result = try body()
            endGroup(group)
            return result
        } catch {
            cancelGroup(group)
            throw error
        }
    }

    // Not inlined: every group of a program would have all of this.

    @inline(never)
    private func endGroup(_ number: UInt64) {
        state.withLock { state in
            let group = state.undo.endGroup(number)
            state.keepStepOfGroups(named: group?.name)
        }
    }

    @inline(never)
    private func cancelGroup(_ number: UInt64) {
        // When it is known what of it is saved, and stays.
        whenSaved { $0.cancelGroup(number) }
    }
}

extension ContextState {
    /// Makes a step of what groups have changed, when none is open any more.
    fileprivate mutating func keepStepOfGroups(named name: String?) {
        if undo.isInGroup { return }
        var touched = graph.takeTouched()
        // A group in it may have changed something, and failed.
        guard let (before, besides) = undo.takeBeforeGroup(), !touched.isEmpty else { return }
        touched.formUnion(besides)
        undo.push(named: name, before: before, touched: touched)
    }

    /// Ends a group, and discards its changes that are not saved.
    fileprivate mutating func cancelGroup(_ number: UInt64) {
        guard let group = undo.cancelGroup(number) else { return }
        graph.restore(group.beginning)
        // In a transaction of the store it cannot wait for a running save, which stores what the group changed.
        if let save = pendingSave, save.revision > group.revision {
            for id in save.base.changed where graph.rows[id] == nil {
                pendingSave?.base.set(nil, for: id)
            }
            graph.touch(asIn: save.base)
        }
        // Whatever was kept of before it is no step's any more.
        if graph.touched.isEmpty { _ = undo.takeBeforeGroup() }
        // What it has saved, or others have changed beside it.
        keepStepOfGroups(named: nil)
    }

    /// Reads the objects of a step that are not here, and whether what it would lead to again is still there.
    ///
    /// - Returns: What is no longer there; nil if they could not be read, which ``failure`` tells.
    fileprivate mutating func loadObjects(of step: UndoStack.Step) -> ObjectSet? {
        let earlier = failure
        failure = nil
        let past = step.past.graph
        // What is not here may be there or not.
        for id in step.touched where past.rows[id]?.stored != nil && failure == nil { load(id) }
        if failure != nil { return nil }
        var targets = ObjectSet()
        for id in past.changed {
            guard let row = past.rows[id] else { continue }
            for slot in model.entities[id.entity].referenceSlots where row.isAssigned(slot) {
                guard let target = row[slot].reference, !target.isProvisional else { continue }
                // What the step itself brings back, or is to be inserted again, is not there yet.
                let isInserted =
                    past.rows[target].map { $0.stored == nil } ?? false
                    || graph.rows[target].map { $0.stored == nil } ?? false
                if !isInserted { targets.insert(target) }
            }
        }
        do {
            for entity in model.entities where targets.count(of: entity.index) > 0 {
                let keys = targets.part(of: entity.index, provisional: false).map(\.key)
                let found = try source.read { try $0.rows(of: entity, keys: keys) }
                for row in found { targets.remove(row.id) }
            }
            failure = earlier
            return targets
        } catch {
            failure = error
            return nil
        }
    }
}
