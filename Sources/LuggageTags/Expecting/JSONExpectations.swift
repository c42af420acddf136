internal import FoundationEssentials

/// Lists of bags in JSON: an array of objects, an object with `bags`, or an object a line.
struct JSONExpectations: ExpectationFormat {
    func recognises(_ file: [UInt8]) -> Bool {
        let first = file.first { !Self.blanks.contains($0) }
        return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    }

    private static let blanks = Set(" \t\r\n".utf8)

    func bags(of file: [UInt8]) throws -> [ListedEntry] {
        let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let objects = lines.enumerated().filter { !$1.allSatisfy(Self.blanks.contains) }
        let areLines = objects.allSatisfy {
            $1.first == UInt8(ascii: "{")
                && $1.last { !Self.blanks.contains($0) } == UInt8(ascii: "}")
        }
        if areLines && objects.count > 1 {
            return objects.enumerated().map { number, object in
                let place = RecordPlace(number: number + 1, line: object.offset + 1)
                return ListedEntry(place: place, bag: Result(list: Array(object.element)))
            }
        }
        do throws(PayloadFlaw) {
            try JSONFormat().check(file)
        } catch {
            throw ImportFault(
                .malformed,
                "the file is not JSON: \(error.reason)",
                remedy: "write it as an array of bags, or as CSV"
            )
        }
        return try Self.bags(ofDocument: file)
    }

    /// The bags of a list, of an object that has it as `bags`, or the one that an object is.
    private static func bags(ofDocument file: [UInt8]) throws -> [ListedEntry] {
        var rest = file
        var reader = JSONDocumentReader(
            ByteReader {
                defer { rest = [] }
                return rest
            }
        )
        let isObject = file.first { !blanks.contains($0) } == UInt8(ascii: "{")
        var entries: [ListedEntry] = []
        while let record = try reader.next() {
            // What else an export has is no matter of a list.
            let isAboutFile = isObject && record.bytes.starts(with: #"{"about":"#.utf8)
            guard record.kind == .bag || record.kind == nil && !isAboutFile else { continue }
            let place = RecordPlace(number: entries.count + 1, line: record.line)
            entries.append(ListedEntry(place: place, bag: Result(list: record.bytes)))
        }
        return entries
    }
}

extension Result<ListedBag, TagError> {
    /// Decodes a bag from a JSON object.
    init(list json: [UInt8]) {
        self.init { () throws(TagError) in
            try PayloadSource(json, formats: [JSONFormat()]).decode(
                ListedBag.self,
                [.isOfList: true]
            )
        }
    }
}
