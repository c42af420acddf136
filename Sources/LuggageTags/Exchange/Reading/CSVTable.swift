/// A table with columns in any order, separated as in the header: by commas, semicolons or tabs.
package struct CSVTable {
    /// The reason why a table or a row is unusable.
    package struct Fault: Error, Equatable {
        /// The line of the fault, from 1.
        package let line: Int
        /// The reason, and what to do about it.
        package let message: String
    }

    package struct Row {
        /// The line in which the row begins, from 1.
        package let line: Int
        /// The fields that are not empty, by the names of their columns.
        package let fields: [String: String]
    }

    /// The names of the columns.
    package let columns: [String]
    private var lines: CSVLines

    /// Reads the header.
    ///
    /// - Parameter read: Returns the next bytes, or none at the end.
    /// - Throws: ``Fault`` if there is no usable header; the error of reading.
    package init(read: @escaping () throws -> [UInt8]) throws {
        var start: [UInt8] = []
        // The header, unless it is longer than any.
        while start.count < RawRecord.longest, !start.contains(0x0A),
            case let bytes = try read(), !bytes.isEmpty
        { start += bytes }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start.removeFirst(3) }
        if let fault = ImportFault.utf16(start) { throw Fault(fault) }
        lines = CSVLines(
            ByteReader(start: start, read: read),
            separator: Self.separator(in: start)
        )
        do {
            columns = try lines.next()?.columnNames() ?? []
        } catch let fault as ImportFault {
            throw Fault(fault)
        }
    }

    /// What separates the columns: of the signs that do, the most frequent one outside quotes.
    private static func separator(in start: [UInt8]) -> UInt8 {
        var counts: [(sign: UInt8, count: Int)] = [
            (UInt8(ascii: ","), 0), (UInt8(ascii: ";"), 0), (0x09, 0),
        ]
        var isQuoted = false
        let lines = start.drop { $0 == 0x0A || $0 == 0x0D }
        for byte in lines {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A { break }
            if let place = counts.firstIndex(where: { $0.sign == byte }) {
                counts[place].count += 1
            }
        }
        // Of several that are as frequent, the first.
        return counts.reduce(counts[0]) { $1.count > $0.count ? $1 : $0 }.sign
    }

    /// The next row; nil at the end.
    ///
    /// - Returns: The row, or the reason why it is unusable; the next rows can still be read.
    /// - Throws: ``Fault`` if no further row can be read; the error of reading.
    package mutating func next() throws -> Result<Row, Fault>? {
        do {
            guard let line = try lines.next() else { return nil }
            do throws(CSVLines.Flaw) {
                return .success(Row(line: line.number, fields: try line.texts(in: columns)))
            } catch {
                return .failure(Fault(line: line.number, message: error.reason))
            }
        } catch let fault as ImportFault {
            throw Fault(fault)
        }
    }
}

extension CSVTable.Fault {
    fileprivate init(_ fault: ImportFault) {
        line = fault.line ?? 1
        message = "\(fault.error.message); \(fault.remedy)"
    }
}
