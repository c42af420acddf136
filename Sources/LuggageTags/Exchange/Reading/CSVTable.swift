/// A table in comma-separated values, with columns in any order.
package struct CSVTable {
    /// The reason why a table or a row is unusable.
    package struct Fault: Error, Equatable {
        /// The line of the fault, from 1.
        package let line: Int
        /// The reason, and what to do about it.
        package let message: String
    }

    /// A row.
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
        while start.count < 3, case let bytes = try read(), !bytes.isEmpty { start += bytes }
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start.removeFirst(3) }
        if let fault = ImportFault.utf16(start) { throw Fault(fault) }
        lines = CSVLines(ByteReader(start: start, read: read))
        do {
            columns = try lines.next()?.columnNames() ?? []
        } catch let fault as ImportFault {
            throw Fault(fault)
        }
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
