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
    /// others had inserted, that one gets its own values back and stays.
    ///
    /// While another task saves this context, it waits for the save to end. In a transaction of the store, for
    /// which that save may be waiting, nothing is undone then.
    ///
    /// - Returns: Whether a step was undone: there was one, and no group was open.
    @discardableResult
    public func undo() -> Bool {
        go { $0.undo.undo(from: $0.graph) }
    }

    /// Redoes the step that was undone last; the next change drops it.
    ///
    /// As with ``undo()``, an object that others inserted stays: also if the step deleted one with the same
    /// unique values, under another identity. It waits for a save as that does.
    ///
    /// - Returns: Whether a step was redone: there was one, and no group was open.
    @discardableResult
    public func redo() -> Bool {
        go { $0.undo.redo(from: $0.graph) }
    }

    private func go(_ take: (inout ContextState) -> UndoStack.Step?) -> Bool {
        whenSaved { state in
            guard state.pendingSave == nil, let step = take(&state) else { return false }
            let past = step.past.graph
            // What the store had then, and is not here, may be there or not.
            for id in step.touched where past.rows[id]?.stored != nil { state.load(id) }
            state.graph.goBack(to: past, of: step.touched)
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
            guard let group = state.undo.endGroup(number) else { return }
            let touched = state.graph.takeTouched()
            // A group in it may have changed something, and failed.
            if touched.isEmpty { return }
            state.undo.push(named: group.name, before: group.before, touched: touched)
        }
    }

    @inline(never)
    private func cancelGroup(_ number: UInt64) {
        // When it is known what of it is saved, and stays.
        whenSaved { $0.cancelGroup(number) }
    }
}

extension ContextState {
    /// Ends a group, and discards its changes that are not saved.
    fileprivate mutating func cancelGroup(_ number: UInt64) {
        guard let beginning = undo.cancelGroup(number) else { return graph.rollback() }
        let present = graph
        graph.restore(beginning)
        // In a transaction of the store it cannot wait for a running save, which stores what the group inserted.
        for id in pendingSave?.base.changed ?? ChangedObjects()
        where graph.rows[id] == nil && present.rows[id] != nil {
            pendingSave?.base.set(nil, for: id)
        }
    }
}
