internal import System

/// A table in comma-separated values, whose columns may stand in any order.
package struct CSVTable {
    /// Why a table or a row of it cannot be used.
    package struct Fault: Error, Equatable {
        /// The line in which it is, from 1.
        package let line: Int
        /// What is wrong, and what to do about it.
        package let message: String
    }

    /// A row.
    package struct Row {
        /// The line in which it begins, from 1.
        package let line: Int
        /// The fields that have something in them, by the names of their columns.
        package let fields: [String: String]
    }

    /// The names of the columns.
    package let columns: [String]
    private var lines: CSVLines

    /// Reads the header.
    ///
    /// - Parameter read: Gives the bytes that come next, and none at the end.
    /// - Throws: ``Fault`` where there is no header to go by; what reading throws.
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
    /// - Returns: The row, or what is wrong with it; the rows that follow can be read all the same.
    /// - Throws: ``Fault`` where no further row can be read; what reading throws.
    package mutating func next() throws -> Result<Row, Fault>? {
        do {
            guard let line = try lines.next() else { return nil }
            if let flaw = line.flaw(columns: columns.count) {
                return .failure(Fault(line: line.number, message: flaw))
            }
            var fields: [String: String] = [:]
            for (column, field) in zip(columns, line.fields) where !field.isEmpty {
                guard let text = String(validating: CSVColumns.unmarked(field), as: UTF8.self)
                else {
                    let message =
                        "the field \(column.quoted) is not UTF-8; save the file as UTF-8"
                    return .failure(Fault(line: line.number, message: message))
                }
                fields[column] = text
            }
            return .success(Row(line: line.number, fields: fields))
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
