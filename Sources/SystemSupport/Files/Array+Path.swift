/// Helpers for paths and names, which are bytes: not all of them are valid text.
extension [UInt8] {
    /// The name at the end of a path.
    package var lastComponent: [UInt8] {
        split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? self
    }

    /// The bytes as a person sees them; different ones never look alike.
    package var displayText: String { escapedText }

    /// The path of a folder, which was text when it was made bytes.
    package var pathText: String { String(decoding: self, as: UTF8.self) }

    /// The bytes with the zero at their end that the system's calls want; names have none within.
    package var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
