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

    /// Notes that an edit is about to be kept.
    mutating func record(before: ObjectGraph) {
        guard limit > 0 else { return }
        if depth > 0 {
            group.before = group.before ?? before
        } else {
            push(Step(name: nil, graph: before))
        }
    }

    private mutating func push(_ step: Step) {
        undoable.append(step)
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

    /// Ends a group; the outermost becomes a step if anything was changed in it.
    mutating func endGroup() {
        depth -= 1
        guard depth == 0, let before = group.before else { return }
        push(Step(name: group.name, graph: before))
        group = (nil, nil)
    }

    /// Ends a group whose changes were taken back.
    mutating func cancelGroup() {
        depth -= 1
        if depth == 0 { group = (nil, nil) }
    }

    /// Takes the last step, and keeps the way forward to the present.
    mutating func undo(from present: ObjectGraph) -> Step? {
        guard depth == 0, let step = undoable.popLast() else { return nil }
        redoable.append(Step(name: step.name, graph: present))
        return step
    }

    /// Takes the step that was undone last, and keeps the way back to the present.
    mutating func redo(from present: ObjectGraph) -> Step? {
        guard depth == 0, let step = redoable.popLast() else { return nil }
        undoable.append(Step(name: step.name, graph: present))
        return step
    }

    mutating func removeAll() {
        undoable = []
        redoable = []
        group.before = nil
    }

    /// Makes every step one that leads back from what a save has stored.
    mutating func rebase(on outcome: SaveOutcome) {
        for index in undoable.indices { undoable[index].graph.rebase(on: outcome) }
        for index in redoable.indices { redoable[index].graph.rebase(on: outcome) }
        group.before?.rebase(on: outcome)
    }
}
