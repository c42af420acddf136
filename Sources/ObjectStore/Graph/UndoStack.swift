/// The graphs that undo and redo restore.
///
/// A graph is a value that shares its storage with later ones, so a step costs what it changed.
/// Every kind of edit is undone in the same way: the earlier graph is restored.
struct UndoStack: Sendable {
    /// One undo step.
    struct Step: Sendable {
        let name: String?
        /// The graph to restore.
        var graph: ObjectGraph
        /// The objects that the step changed; the others stay unchanged.
        var touched: ObjectSet
    }

    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []

    /// The greatest number of steps to keep; 0 for none.
    var limit = 0 {
        didSet { trim() }
    }

    /// The number of open groups, nested in one another.
    private var depth = 0
    /// The graph before the first change of the outermost group, and the name of the group.
    private var group: (before: ObjectGraph?, name: String?) = (nil, nil)

    /// Keeps the graph before an edit for the open group, and returns whether a group is open.
    mutating func keepsForGroup(before: ObjectGraph) -> Bool {
        guard depth > 0 else { return false }
        group.before = group.before ?? before
        return true
    }

    /// Adds a step and drops the steps that could be redone.
    mutating func push(named name: String?, before: ObjectGraph, touched: ObjectSet) {
        undoable.append(Step(name: name, graph: before, touched: touched))
        redoable = []
        trim()
    }

    private mutating func trim() {
        undoable.removeFirst(max(0, undoable.count - limit))
        if limit == 0 { redoable = [] }
    }

    mutating func beginGroup(named name: String?) {
        if depth == 0 { group = (nil, name) }
        depth += 1
    }

    /// Ends a group.
    ///
    /// - Returns: The new step: the outermost group, if it changed anything.
    mutating func endGroup() -> (before: ObjectGraph, name: String?)? {
        depth -= 1
        guard depth == 0, let before = group.before else { return nil }
        defer { group = (nil, nil) }
        return (before, group.name)
    }

    /// Ends a group whose changes were discarded.
    mutating func cancelGroup() {
        depth -= 1
        if depth == 0 { group = (nil, nil) }
    }

    /// Takes the last step off the undo stack, and adds the present to the redo stack.
    mutating func undo(from present: ObjectGraph) -> Step? {
        guard depth == 0, let step = undoable.popLast() else { return nil }
        redoable.append(Step(name: step.name, graph: present, touched: step.touched))
        return step
    }

    /// Takes the last step off the redo stack, and adds the present to the undo stack.
    mutating func redo(from present: ObjectGraph) -> Step? {
        guard depth == 0, let step = redoable.popLast() else { return nil }
        undoable.append(Step(name: step.name, graph: present, touched: step.touched))
        return step
    }

    mutating func removeAll() {
        undoable = []
        redoable = []
        group.before = nil
    }

    /// Bases every step on the rows that a save has stored.
    mutating func rebase(on outcome: SaveOutcome) {
        for index in undoable.indices { undoable[index].rebase(on: outcome) }
        for index in redoable.indices { redoable[index].rebase(on: outcome) }
        group.before?.rebase(on: outcome)
    }
}

extension UndoStack.Step {
    fileprivate mutating func rebase(on outcome: SaveOutcome) {
        graph.rebase(on: outcome)
        touched.follow(outcome.forwarding)
    }
}
