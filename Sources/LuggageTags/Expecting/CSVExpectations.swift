internal import FoundationEssentials
internal import SystemSupport

/// Lists of bags in comma-separated values, with the names of the columns in the first line.
///
/// The columns are those of ``ListColumn``, as a list has them from which tags are printed; any other says nothing.
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
            let names = ListColumn.names(in: table.columns)
            guard names[.id] != nil else {
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
                            bag: Result { () throws(TagError) in try Self.bag(ListRow(row, names)) }
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

    private static func bag(_ row: ListRow) throws(TagError) -> ListedBag {
        var members: [String: Member] = [:]
        for column in [ListColumn.id, .from, .to, .trip, .point, .place, .due] {
            members[column.names[0]] = row[column].map { .text($0) }
        }
        members["date"] = row.date.map { .text($0) }
        members["cancelled"] = row[.cancelled].map { text in
            row.isCancelled.map { .flag($0) } ?? .text(text)
        }
        members["weight"] = row.weight.map { text in
            let isNumber = DecimalNumber.isNumber(text.utf8, isPadded: true)
            let number = isNumber ? Double(text) : nil
            return number.map { $0.isFinite ? .number($0) : .text(text) } ?? .text(text)
        }
        members["owner"] = try row.owner().map { .names([$0.givenName, $0.familyName]) }
        guard let json = try? JSONEncoder().encode(members) else {
            throw TagError(.structured, .malformed, "the row cannot be read")
        }
        return try PayloadSource(checked: Array(json), JSONFormat()).decode(
            ListedBag.self,
            [.isOfList: true]
        )
    }
}

/// A member of a bag, as a tag would have it.
private enum Member: Encodable {
    case text(String)
    case number(Double)
    case names([String])
    case flag(Bool)

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .text(let text): try value.encode(text)
        case .number(let number): try value.encode(number)
        case .names(let names): try value.encode(names)
        case .flag(let flag): try value.encode(flag)
        }
    }
}
