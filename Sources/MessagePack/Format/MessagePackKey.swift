/// A key of a map, or the position of an item in an array, on a coding path.
struct MessagePackKey: CodingKey, Hashable {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String, intValue: Int?) {
        self.stringValue = stringValue
        self.intValue = intValue
    }

    init(stringValue: String) {
        self.init(stringValue: stringValue, intValue: nil)
    }

    init(intValue: Int) {
        self.init(stringValue: String(intValue), intValue: intValue)
    }

    /// The position of an item in an array.
    init(index: Int) {
        self.init(stringValue: "Index \(index)", intValue: index)
    }

    /// A key of a message; nil if it is neither text nor an integer.
    init?(_ entry: TapeEntry, in bytes: [UInt8]) {
        switch entry.kind {
        case .text:
            self.init(stringValue: entry.text(in: bytes))
        case .integer:
            let number = entry.integer(in: bytes)
            self.init(stringValue: number.text, intValue: number.exactly(as: Int.self))
        default:
            return nil
        }
    }

    /// The default key for the value of a superclass.
    static let `super` = MessagePackKey(stringValue: "super")
}

extension TapeEntry {
    /// The text of a text entry; invalid UTF-8 is replaced by U+FFFD.
    @inline(__always)
    func text(in bytes: [UInt8]) -> String {
        String(decoding: bytes[payload], as: UTF8.self)
    }
}

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
