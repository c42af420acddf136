internal import LuggageTags
internal import SystemSupport

/// The direction of a change, taken back (undo) or brought back (redo), and its words.
enum Turning {
    case undo
    case redo

    /// Whether it concerns changes that are taken back.
    var isOfUndone: Bool { self == .redo }

    /// What was done: `took back`.
    var done: String { self == .undo ? "took back" : "brought back" }

    /// What is about to be done, as a condition: `taken back`.
    var condition: String { self == .undo ? "taken back" : "brought back" }

    /// The question for confirmation.
    var question: String {
        (self == .undo ? "Take it back?" : "Bring it back?") + " Type y or yes:"
    }

    /// The sentence if there is nothing to choose from.
    ///
    /// - Parameter author: The person whose changes are meant; nil for everyone's.
    /// - Returns: A sentence.
    func empty(of author: String? = nil) -> String {
        switch (self, author?.onOneLine) {
        case (.undo, nil): "there is no change that could be taken back"
        case (.undo, let author?): "\(author) has made no change that could be taken back"
        case (.redo, nil): "nothing is taken back"
        case (.redo, let author?): "\(author) has taken nothing back"
        }
    }

    /// Takes a change back, or brings it back.
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

    /// Names the last change of someone else, and the command that turns it.
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
