internal import LuggageTags
internal import System

/// Helpers for paths and names, which are bytes: not all of them are valid text.
extension [UInt8] {
    /// The name at the end of a path.
    var lastComponent: [UInt8] {
        split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? self
    }

    /// The bytes as a person sees them; different bytes never look alike.
    var displayText: String { escapedText }

    /// The path of a folder, which was converted from text.
    var pathText: String { String(decoding: self, as: UTF8.self) }

    /// The bytes as a C string, with the final zero; names contain no zero.
    var cString: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
