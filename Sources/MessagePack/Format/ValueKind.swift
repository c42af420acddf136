/// The kinds of values in the format.
enum ValueKind: UInt8, Hashable {
    case null, boolean, integer, float, double, text, binary, array, map, `extension`

    /// The kind in the words of an error message.
    var phrase: String {
        switch self {
        case .null: "nil"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .float, .double: "a floating-point number"
        case .text: "text"
        case .binary: "binary data"
        case .array: "an array"
        case .map: "a map"
        case .extension: "an extension"
        }
    }
}
