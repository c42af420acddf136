internal import HashTreeCollections

/// The graphs to which undo and redo go back.
///
/// A graph is a value that shares its storage with the ones after it, so a step costs what it has
/// changed. There is one way for every kind of edit: what was before is put back.
struct UndoStack: Sendable {
    /// What one undo takes back.
    struct Step: Sendable {
        let name: String?
        /// The graph to go back to.
        var graph: ObjectGraph
        /// The objects that it changed; the others stay as they are.
        var touched: TreeSet<ObjectID>
    }

    private(set) var undoable: [Step] = []
    private(set) var redoable: [Step] = []

    /// The greatest number of steps that are kept; with 0, none are.
    var limit = 0 {
        didSet { trim() }
    }

    /// How many groups are open, one within the other.
    private var depth = 0
    /// The graph before the first change of the outermost group, and the group's name.
    private var group: (before: ObjectGraph?, name: String?) = (nil, nil)

    /// Keeps what was there before an edit for the group that is open, and says whether there is one.
    mutating func keepsForGroup(before: ObjectGraph) -> Bool {
        guard depth > 0 else { return false }
        group.before = group.before ?? before
        return true
    }

    /// Adds a step, which ends the way forward.
    mutating func push(named name: String?, before: ObjectGraph, touched: TreeSet<ObjectID>) {
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
    /// - Returns: What is to become a step: the outermost group, if anything was changed in it.
    mutating func endGroup() -> (before: ObjectGraph, name: String?)? {
        depth -= 1
        guard depth == 0, let before = group.before else { return nil }
        defer { group = (nil, nil) }
        return (before, group.name)
    }

    /// Ends a group whose changes were taken back.
    mutating func cancelGroup() {
        depth -= 1
        if depth == 0 { group = (nil, nil) }
    }

    /// Takes the last step, and keeps the way forward to the present.
    mutating func undo(from present: ObjectGraph) -> Step? {
        guard depth == 0, let step = undoable.popLast() else { return nil }
        redoable.append(Step(name: step.name, graph: present, touched: step.touched))
        return step
    }

    /// Takes the step that was undone last, and keeps the way back to the present.
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

    /// Makes every step one that leads back from what a save has stored.
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
