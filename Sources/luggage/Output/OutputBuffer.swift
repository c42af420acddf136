internal import LuggageTags
internal import ProgramSupport

/// Buffers standard output, so that a long list is not written in small pieces.
struct OutputBuffer {
    private var bytes: [UInt8] = []

    /// Adds a line.
    mutating func line(_ text: String) throws {
        bytes += text.utf8
        bytes.append(UInt8(ascii: "\n"))
        try flush(atLeast: 1 << 16)
    }

    /// Adds a line of a table.
    mutating func line(_ cells: [FittedTable.Cell], of table: FittedTable) throws {
        table.append(cells, to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        try flush(atLeast: 1 << 16)
    }

    /// Adds a line of comma-separated values.
    mutating func line(ofValues fields: [String]) throws {
        CSVLine.append(fields, to: &bytes)
        try flush(atLeast: 1 << 16)
    }

    /// Adds bytes.
    mutating func write(_ part: [UInt8]) throws {
        bytes += part
        try flush(atLeast: 1 << 16)
    }

    /// Writes the buffer.
    mutating func flush() throws {
        try flush(atLeast: 1)
    }

    private mutating func flush(atLeast limit: Int) throws {
        guard bytes.count >= limit else { return }
        defer { bytes.removeAll(keepingCapacity: true) }
        try StandardOutput.write(bytes)
        if StandardOutput.isClosed { throw OutputClosed() }
    }
}

/// The error if nobody reads the output any more, so that there is nothing left to do.
struct OutputClosed: Error {}
