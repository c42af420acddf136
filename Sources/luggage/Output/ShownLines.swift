internal import LuggageTags
internal import System

/// Text for programs that goes to a terminal: line by line, without what could steer it.
struct ShownLines {
    /// The beginning of a line whose end is still to come.
    private var begun: [UInt8] = []

    /// The lines that are whole now.
    mutating func whole(_ bytes: [UInt8]) -> [UInt8] {
        begun += bytes
        guard let end = begun.lastIndex(of: 0x0A) else { return [] }
        defer { begun.removeSubrange(...end) }
        return Self.shown(begun[...end])
    }

    /// The last line, where it has no end.
    mutating func rest() -> [UInt8] {
        defer { begun = [] }
        return Self.shown(begun[...])
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            // The lines of CSV end with a carriage return too.
            let hasReturn = line.last == 0x0D
            let text = Array(hasReturn ? line.dropLast() : line).escapedText
            // Tabs are in front of the lines of a property list.
            return text.split(separator: "\t", omittingEmptySubsequences: false)
                .map { String($0).onOneLine }.joined(separator: "\t") + (hasReturn ? "\r" : "")
        }
        return Array(lines.joined(separator: "\n").utf8)
    }
}
