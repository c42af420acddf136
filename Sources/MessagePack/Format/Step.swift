/// The step from a value to one inside it.
enum Step {
    /// The value itself.
    case here
    case key(any CodingKey)
    case item(Int)

    /// The keys that the step adds to a coding path.
    var keys: [any CodingKey] {
        switch self {
        case .here: []
        case .key(let key): [key]
        case .item(let index): [MessagePackKey(index: index)]
        }
    }
}
