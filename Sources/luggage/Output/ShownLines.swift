internal import LuggageTags
internal import SystemSupport

/// Makes output for programs safe to show on a terminal, line by line.
struct ShownLines {
    /// The beginning of a line whose end has not come yet.
    private var begun: [UInt8] = []

    /// Returns the lines that are complete now.
    mutating func whole(_ bytes: [UInt8]) -> [UInt8] {
        begun += bytes
        guard let end = begun.lastIndex(of: 0x0A) else { return [] }
        defer { begun.removeSubrange(...end) }
        return Self.shown(begun[...end])
    }

    /// Returns the last line, if it has no end.
    mutating func rest() -> [UInt8] {
        defer { begun = [] }
        return Self.shown(begun[...])
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            // CSV lines end with a carriage return too.
            let hasReturn = line.last == 0x0D
            let text = Array(hasReturn ? line.dropLast() : line).escapedText
            // Tabs indent the lines of a property list.
            return text.split(separator: "\t", omittingEmptySubsequences: false)
                .map { String($0).onOneLine }.joined(separator: "\t") + (hasReturn ? "\r" : "")
        }
        return Array(lines.joined(separator: "\n").utf8)
    }
}
