internal import DequeModule

/// The rows that undo and redo restore.
///
/// A step has those of the objects that it changed, so it costs what it changed, and so does a save for it.
/// Every kind of edit is undone in the same way: the earlier rows are restored.
struct UndoStack: Sendable {
    /// One undo step.
    struct Step: Sendable {
        let name: String?
        var past: Past
        /// The objects that the step changed.
        var touched: ObjectSet

        init(named name: String?, past: Past, touched: ObjectSet) {
            self.name = name
            self.past = Past(ObjectGraph(past.graph, of: touched), revision: past.revision)
            self.touched = touched
        }
    }

    /// A graph to restore.
    struct Past: Sendable {
        var graph: ObjectGraph
        /// What it had counted before any save based it on other rows.
        let revision: UInt64

        init(_ graph: ObjectGraph, revision: UInt64) {
            (self.graph, self.revision) = (graph, revision)
        }

        init(_ graph: ObjectGraph) { self.init(graph, revision: graph.revision) }
    }

    private(set) var undoable: Deque<Step> = []
    private(set) var redoable: Deque<Step> = []

    /// The greatest number of steps to keep; 0 for none.
    var limit = 0 {
        didSet { trim() }
    }

    /// An open group.
    struct Group {
        let number: UInt64
        let name: String?
        /// The graph to which an error leads back: with what was saved since.
        var beginning: ObjectGraph
        /// What the context's graph had counted then.
        let revision: UInt64
    }

    /// The open groups: each in the one before, or beside it in another task.
    private var groups: [Group] = []
    private var lastGroup: UInt64 = 0
    /// The graph before the first change of the outermost group, for its step, and what saves in it have changed besides.
    private var beforeGroup: (past: Past, besides: ObjectSet)?

    /// Keeps the graph before an edit for the open group, and returns whether a group is open.
    mutating func keepsForGroup(before: ObjectGraph) -> Bool {
        if groups.isEmpty { return false }
        beforeGroup = beforeGroup ?? (Past(before), ObjectSet())
        return true
    }

    /// Adds a step and drops the steps that could be redone.
    mutating func push(named name: String?, before: Past, touched: ObjectSet) {
        undoable.append(Step(named: name, past: before, touched: touched))
        redoable = []
        trim()
    }

    private mutating func trim() {
        undoable.removeFirst(max(0, undoable.count - limit))
        redoable.removeFirst(max(0, undoable.count + redoable.count - limit))
        if limit == 0 { beforeGroup = nil }
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

    /// Whether a group is open.
    var isInGroup: Bool { !groups.isEmpty }

    /// Ends a group.
    mutating func endGroup(_ number: UInt64) -> Group? {
        groups.firstIndex { $0.number == number }.map { groups.remove(at: $0) }
    }

    /// Ends a group whose changes are to be discarded, also from where those begin that were begun in it.
    mutating func cancelGroup(_ number: UInt64) -> Group? {
        guard let group = endGroup(number) else { return nil }
        for index in groups.indices where groups[index].number > number {
            groups[index].beginning.restore(group.beginning)
        }
        return group
    }

    /// Takes the graph before the first change of the open groups, or of those that have ended.
    mutating func takeBeforeGroup() -> (past: Past, besides: ObjectSet)? {
        defer { beforeGroup = nil }
        return beforeGroup
    }

    /// The step to undo or to redo next.
    func next(undoing: Bool) -> Step? { undoing ? undoable.last : redoable.last }

    /// Takes that step off its stack, and adds the present to the other one.
    mutating func go(undoing: Bool, from present: ObjectGraph) {
        guard let step = undoing ? undoable.popLast() : redoable.popLast() else { return }
        let reverse = Step(named: step.name, past: Past(present), touched: step.touched)
        if undoing { redoable.append(reverse) } else { undoable.append(reverse) }
    }

    /// Forgets every step, and what an error in a group would lead back to.
    ///
    /// - Parameter graph: What it leads back to now.
    mutating func removeAll(in graph: ObjectGraph) {
        undoable = []
        redoable = []
        beforeGroup = nil
        for index in groups.indices { groups[index].beginning = graph }
    }

    /// Bases every step on the rows that a save has stored.
    ///
    /// An error in a group, however, discards nothing that is saved.
    ///
    /// - Parameters:
    ///   - outcome: The result of the save.
    ///   - save: The save.
    ///   - present: The graph of the context, which has not applied it yet.
    ///   - model: The model.
    mutating func rebase(
        on outcome: SaveOutcome,
        of save: PendingSave,
        _ present: ObjectGraph,
        _ model: ManagedObjectModel
    ) {
        for index in groups.indices {
            if save.revision > groups[index].revision {
                // It began in the group: all that there was before is saved.
                groups[index].beginning = save.base
                groups[index].beginning.apply(outcome)
            } else {
                groups[index].beginning.apply(outcome, savedFrom: save.base)
            }
            groups[index].beginning.lost.subtract(save.base.lost)
        }
        if undoable.isEmpty && redoable.isEmpty && beforeGroup == nil { return }
        let saved = SavedObjects(outcome, of: save, model)
        let group = beforeGroup?.past.graph.rows
        let isGroupLater = beforeGroup.map { $0.past.revision >= save.revision } ?? false
        // The rows before each step, first those of the last one: of what was edited during the save, and before.
        var later = isGroupLater ? group ?? present.rows : present.rows
        let start = isGroupLater ? save.base.rows : group ?? save.base.rows
        var earlier = start
        var consequences = saved.consequences
        if group != nil && !isGroupLater {
            let besides = saved.take(&consequences, of: present.touched, from: start)
            beforeGroup?.besides.formUnion(besides)
        }
        var time: UInt64 = 0
        for index in undoable.indices.reversed() {
            if undoable[index].past.revision >= save.revision {
                undoable[index].apply(saved, before: &later)
            } else {
                undoable[index].rebase(on: saved, before: &earlier, at: &time, &consequences)
            }
        }
        (earlier, time) = (start, 0)
        for index in redoable.indices.reversed() {
            redoable[index].rebase(on: saved, before: &earlier, at: &time, &consequences)
        }
        // It is not known yet what the group will have changed.
        if isGroupLater {
            beforeGroup?.past.graph.apply(outcome, savedFrom: save.base)
        } else if beforeGroup != nil {
            beforeGroup?.past.graph.rebase(on: saved, of: saved.ids, from: start)
        }
    }
}

extension UndoStack.Step {
    /// Bases a step from before a save on what it has stored.
    ///
    /// - Parameters:
    ///   - saved: What the save has made.
    ///   - rows: All rows before the step that is restored earlier; becomes those before this one.
    ///   - time: The time of the clock when that step is restored; becomes that of this one, which is later.
    ///   - consequences: What the save has done to objects that led to removed ones: with what the step has deleted, or
    ///     would delete, they come back.
    fileprivate mutating func rebase(
        on saved: SavedObjects,
        before rows: inout ObjectMap<ObjectRow>,
        at time: inout UInt64,
        _ consequences: inout [ObjectID: [ObjectID]]
    ) {
        for id in touched.intersection(saved.ids) { rows[id] = past.graph.rows[id] }
        touched.follow(saved.outcome.forwarding)
        touched.formUnion(saved.take(&consequences, of: touched, from: rows))
        past.graph.advance(to: time)
        past.graph.rebase(on: saved, of: touched.intersection(saved.ids), from: rows)
        time = past.graph.time
    }

    /// Bases a step that was made during a save on what that has stored, and on what was edited meanwhile: only the
    /// step is to be undone.
    fileprivate mutating func apply(
        _ saved: SavedObjects,
        before rows: inout ObjectMap<ObjectRow>
    ) {
        for id in touched { rows[id] = past.graph.rows[id] }
        past.graph.apply(saved, of: touched, from: rows)
        touched.follow(saved.outcome.forwarding)
    }
}
