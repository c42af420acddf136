internal import Foundation

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
        if areLines && !(objects.count == 1 && Self.hasList(file)) {
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
        let document = try JSONSerialization.jsonObject(with: Data(file))
        let list = document as? [Any] ?? (document as? [String: Any])?["bags"] as? [Any]
        guard let list else {
            throw ImportFault(
                .malformed,
                "the file has no list of bags",
                remedy: "write it as an array of bags, or as CSV"
            )
        }
        return list.enumerated().map { number, bag in
            let json = try? JSONSerialization.data(withJSONObject: bag, options: .fragmentsAllowed)
            return ListedEntry(
                place: RecordPlace(number: number + 1),
                bag: Result(list: Array(json ?? Data()))
            )
        }
    }

    private static func hasList(_ file: [UInt8]) -> Bool {
        let document = try? JSONSerialization.jsonObject(with: Data(file)) as? [String: Any]
        return document?["bags"] is [Any]
    }

}

extension Result<ListedBag, TagError> {
    /// Decodes a bag from a JSON object.
    init(list json: [UInt8]) {
        self.init { () throws(TagError) in
            try PayloadSource(json, formats: [JSONFormat()]).decode(ListedBag.self, [:])
        }
    }
}
