internal import FoundationEssentials
internal import SystemSupport

/// Lists of bags in comma-separated values, with the names of the columns in the first line.
///
/// The columns are those of a tag: `id`, `owner` as printed or `givenName` and `familyName`, `weight`, `from`,
/// `to`, `trip`, `date`; and `point`, `place` and `due`.
struct CSVExpectations: ExpectationFormat {
    func recognises(_ file: [UInt8]) -> Bool {
        file.prefix { $0 != UInt8(ascii: "\n") }.contains(UInt8(ascii: ","))
    }

    func bags(of file: [UInt8]) throws -> [ListedEntry] {
        var rest = file
        do {
            var table = try CSVTable {
                defer { rest = [] }
                return rest
            }
            guard table.columns.contains("id") else {
                throw ImportFault(
                    .malformed,
                    "there is no column \"id\"",
                    line: 1,
                    remedy: "name the columns in the first line: id,owner,weight,point,place,due"
                )
            }
            var entries: [ListedEntry] = []
            while let row = try table.next() {
                let number = entries.count + 1
                switch row {
                case .success(let row):
                    entries.append(
                        ListedEntry(
                            place: RecordPlace(number: number, line: row.line),
                            bag: Result { () throws(TagError) in try Self.bag(row.fields) }
                        )
                    )
                case .failure(let fault):
                    entries.append(
                        ListedEntry(
                            place: RecordPlace(number: number, line: fault.line),
                            bag: .failure(TagError(.structured, .malformed, fault.message))
                        )
                    )
                }
            }
            return entries
        } catch let fault as CSVTable.Fault {
            throw ImportFault(
                .malformed,
                fault.message,
                line: fault.line,
                remedy: "correct the table"
            )
        }
    }

    private static func bag(_ fields: [String: String]) throws(TagError) -> ListedBag {
        var members = fields.mapValues { Member.text($0) }
        if let text = fields["weight"], DecimalNumber.isNumber(text.utf8, isPadded: true),
            let number = Double(text), number.isFinite
        {
            members["weight"] = .number(number)
        }
        if let given = fields["givenName"] ?? fields["given"],
            let family = fields["familyName"] ?? fields["family"]
        {
            members["owner"] = .names([given, family])
        } else if let owner = fields["owner"] {
            guard let name = PassengerName(printed: owner) else {
                throw TagError(
                    .typed,
                    .notDecodable,
                    at: ["owner"],
                    "expected a name such as D/ZMU, found \(owner.quoted)"
                )
            }
            members["owner"] = .names([name.givenName, name.familyName])
        }
        guard let json = try? JSONEncoder().encode(members) else {
            throw TagError(.structured, .malformed, "the row cannot be read")
        }
        return try PayloadSource(checked: Array(json), JSONFormat()).decode(ListedBag.self, [:])
    }
}

/// A member of a bag, as a tag would have it.
private enum Member: Encodable {
    case text(String)
    case number(Double)
    case names([String])

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        case .names(let names): try value.encode(names)
        }
    }
}
