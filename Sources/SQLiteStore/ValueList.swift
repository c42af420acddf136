internal import FoundationEssentials
internal import ObjectStore

/// Any number of values as one argument, so that one statement serves for all lengths.
///
/// JSON has integers and text. Other numbers and bytes would not come back unchanged, so they are
/// coded as text that ``SQLFunctions/value`` decodes.
struct ValueList {
    /// The values as a JSON array.
    let json: String
    /// The SQL that reads a value from an element of the array.
    let element: String

    init(_ values: [AttributeValue]) {
        let isPlain = values.allSatisfy { value in
            switch value {
            case .integer, .reference, .text: true
            case .null, .real, .data, .invalid: false
            }
        }
        var json = "["
        for (number, value) in values.enumerated() {
            if number > 0 { json += "," }
            if isPlain { value.addPlainJSON(to: &json) } else { json += value.codedJSON }
        }
        self.json = json + "]"
        element = isPlain ? "value" : "\(SQLFunctions.value)(value)"
    }
}

extension AttributeValue {
    /// Adds an integer or text as JSON.
    fileprivate func addPlainJSON(to json: inout String) {
        switch self {
        case .integer(let number): json += number.description
        case .reference(let id): json += id.key.description
        case .text(let text):
            json += "\""
            if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
                for scalar in text.unicodeScalars { json += Self.escaped(scalar) }
            } else {
                json += text
            }
            json += "\""
        case .null, .real, .data, .invalid: json += "null"
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\u{0}"..<"\u{20}":
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(scalar)
        }
    }

    /// Any value as a JSON text: a letter for its kind, then the part that ``init(coded:)`` decodes.
    fileprivate var codedJSON: String {
        switch self {
        case .null, .invalid: "null"
        case .integer(let number): "\"i\(number)\""
        case .reference(let id): "\"i\(id.key)\""
        case .real(let number): "\"r\(number.bitPattern)\""
        case .text(let text): "\"t\(Data(text.utf8).base64EncodedString())\""
        case .data(let data): "\"d\(data.base64EncodedString())\""
        }
    }
}

extension AttributeValue {
    /// Decodes a value of a list; null if it is malformed.
    init(coded: String) {
        let rest = String(coded.dropFirst())
        let value: Self? =
            switch coded.first {
            case "i": Int64(rest).map { .integer($0) }
            case "r": UInt64(rest).map { .real(Double(bitPattern: $0)) }
            case "t": Data(base64Encoded: rest).map { .text(String(decoding: $0, as: UTF8.self)) }
            case "d": Data(base64Encoded: rest).map { .data($0) }
            default: nil
            }
        self = value ?? .null
    }
}
