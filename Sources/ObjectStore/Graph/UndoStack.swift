/// The graphs that undo and redo restore.
///
/// A graph is a value that shares its storage with later ones, so a step costs what it changed.
/// Every kind of edit is undone in the same way: the earlier graph is restored.
struct UndoStack: Sendable {
    /// One undo step.
    struct Step: Sendable {
        let name: String?
        var past: Past
        /// The objects that the step changed; the others stay unchanged.
        var touched: ObjectSet
    }

    /// A graph to restore.
    struct Past: Sendable {
        var graph: ObjectGraph
        /// What it had counted before any save based it on other rows.
        let revision: UInt64

        init(_ graph: ObjectGraph) {
            self.graph = graph
            revision = graph.revision
        }
    }

    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []

    /// The greatest number of steps to keep; 0 for none.
    var limit = 0 {
        didSet { trim() }
    }

    /// An open group.
    private struct Group {
        let number: UInt64
        let name: String?
        /// The graph to which an error leads back; nil if all of it was saved since, or forgotten.
        var beginning: ObjectGraph?
        /// What the context's graph had counted then.
        let revision: UInt64
    }

    /// The open groups: each in the one before, or beside it in another task.
    private var groups: [Group] = []
    private var lastGroup: UInt64 = 0
    /// The graph before the first change of the outermost group, for its step.
    private var beforeGroup: Past?

    /// Keeps the graph before an edit for the open group, and returns whether a group is open.
    mutating func keepsForGroup(before: ObjectGraph) -> Bool {
        if groups.isEmpty { return false }
        beforeGroup = beforeGroup ?? Past(before)
        return true
    }

    /// Adds a step and drops the steps that could be redone.
    mutating func push(named name: String?, before: Past, touched: ObjectSet) {
        undoable.append(Step(name: name, past: before, touched: touched))
        redoable = []
        trim()
    }

    private mutating func trim() {
        undoable.removeFirst(max(0, undoable.count - limit))
        if limit == 0 { (redoable, beforeGroup) = ([], nil) }
    }

    /// Begins a group.
    ///
    /// - Returns: Its number.
    mutating func beginGroup(named name: String?, in graph: ObjectGraph) -> UInt64 {
        lastGroup += 1
        groups.append(
            Group(number: lastGroup, name: name, beginning: graph, revision: graph.revision)
        )
        return lastGroup
    }

    private mutating func removeGroup(_ number: UInt64) -> Group? {
        groups.firstIndex { $0.number == number }.map { groups.remove(at: $0) }
    }

    /// Ends a group.
    ///
    /// - Returns: The new step: the outermost group, if it changed anything.
    mutating func endGroup(_ number: UInt64) -> (before: Past, name: String?)? {
        let group = removeGroup(number)
        guard groups.isEmpty, let before = beforeGroup else { return nil }
        beforeGroup = nil
        return (before, group?.name)
    }

    /// Ends a group whose changes are to be discarded.
    ///
    /// - Returns: The graph to restore; nil if everything is to be discarded that is not saved.
    mutating func cancelGroup(_ number: UInt64) -> ObjectGraph? {
        let group = removeGroup(number)
        if groups.isEmpty { beforeGroup = nil }
        return group?.beginning
    }

    /// Takes the last step off the undo stack, and adds the present to the redo stack.
    mutating func undo(from present: ObjectGraph) -> Step? {
        guard groups.isEmpty, let step = undoable.popLast() else { return nil }
        redoable.append(Step(name: step.name, past: Past(present), touched: step.touched))
        return step
    }

    /// Takes the last step off the redo stack, and adds the present to the undo stack.
    mutating func redo(from present: ObjectGraph) -> Step? {
        guard groups.isEmpty, let step = redoable.popLast() else { return nil }
        undoable.append(Step(name: step.name, past: Past(present), touched: step.touched))
        return step
    }

    /// Forgets every step, and to what an error in a group would lead back.
    mutating func removeAll() {
        undoable = []
        redoable = []
        beforeGroup = nil
        for index in groups.indices { groups[index].beginning = nil }
    }

    /// Bases every step on the rows that a save has stored.
    ///
    /// An error in a group, however, discards nothing that is saved.
    mutating func rebase(on outcome: SaveOutcome, of save: PendingSave) {
        for index in groups.indices {
            if save.revision > groups[index].revision {
                // It began in the group: all that there was before is saved.
                groups[index].beginning = nil
            } else {
                groups[index].beginning?.apply(outcome, savedFrom: save.base)
            }
        }
        if undoable.isEmpty && redoable.isEmpty && beforeGroup == nil { return }
        let settled = outcome.settled(savedFrom: save.base)
        for index in undoable.indices { undoable[index].rebase(on: outcome, of: save, settled) }
        for index in redoable.indices { redoable[index].rebase(on: outcome, of: save, settled) }
        beforeGroup?.rebase(on: outcome, of: save, settled)
    }
}

extension UndoStack.Step {
    fileprivate mutating func rebase(
        on outcome: SaveOutcome,
        of save: PendingSave,
        _ settled: [SettledObject]
    ) {
        past.rebase(on: outcome, of: save, settled)
        touched.follow(outcome.forwarding)
    }
}

extension UndoStack.Past {
    fileprivate mutating func rebase(
        on outcome: SaveOutcome,
        of save: PendingSave,
        _ settled: [SettledObject]
    ) {
        if revision >= save.revision {
            // It has what the save has, and what was edited meanwhile: only that is to be undone.
            graph.apply(outcome, savedFrom: save.base)
        } else {
            graph.take(settled)
            graph.rebase(on: outcome, savedFrom: save.base)
        }
    }
}
