internal import LuggageTags
internal import System

/// Whether a change is taken back or brought back, and how that is said.
enum Turning {
    case undo
    case redo

    /// Whether it is about changes that are taken back.
    var isOfUndone: Bool { self == .redo }

    /// What was done: `took back`.
    var done: String { self == .undo ? "took back" : "brought back" }

    /// What is about to be done, as a condition: `taken back`.
    var condition: String { self == .undo ? "taken back" : "brought back" }

    /// Whether it is to be done.
    var question: String {
        (self == .undo ? "Take it back?" : "Bring it back?") + " Type y or yes:"
    }

    /// That there is nothing to choose from.
    ///
    /// - Parameter author: Whose changes are meant; nil for everybody's.
    /// - Returns: A sentence.
    func empty(of author: String? = nil) -> String {
        switch (self, author?.onOneLine) {
        case (.undo, nil): "there is no change that could be taken back"
        case (.undo, let author?): "\(author) has made no change that could be taken back"
        case (.redo, nil): "nothing is taken back"
        case (.redo, let author?): "\(author) has taken nothing back"
        }
    }

    /// Turns a change.
    func turn(
        _ number: Int64?,
        by person: Responsibility,
        _ undoing: ChangeUndoing
    ) throws -> RecordChange {
        switch self {
        case .undo: try undoing.undo(number, by: person)
        case .redo: try undoing.redo(number, by: person)
        }
    }

    /// Which change somebody else's is, and how it is turned.
    func hint(_ other: RecordChange, in units: MassUnit) -> String {
        let sentence = other.sentence(in: units)
        switch self {
        case .undo:
            return "the last one of others is \(other.number): \(sentence); `luggage undo "
                + "\(other.number)` takes it back"
        case .redo:
            let who = other.undoneBy.map { ", taken back by \($0.onOneLine)" } ?? ""
            return
                "the last one that is taken back is \(other.number): \(sentence)\(who); `luggage "
                + "redo \(other.number)` brings it back"
        }
    }
}
