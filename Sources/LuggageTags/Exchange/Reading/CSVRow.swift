internal import FoundationEssentials
internal import MessagePack
internal import SystemSupport

/// One line of comma-separated values, which stands for a record.
struct CSVRow {
    private let fields: [String: String]
    private let kind: RecordKind

    init(_ fields: [String: String], _ kind: RecordKind) throws(CSVLines.Flaw) {
        self.fields = fields
        self.kind = kind
        if let version = fields["version"],
            !(1...ExchangeHeader.version).map(String.init).contains(version)
        {
            throw CSVLines.Flaw(
                reason:
                    "the record has the version \(version.quoted), and this program reads versions 1 to "
                    + "\(ExchangeHeader.version)"
            )
        }
    }

    /// The record as JSON, so that it is decoded like records of other formats.
    func json() throws(CSVLines.Flaw) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(try members()))
        } catch {
            throw CSVLines.Flaw(reason: "the record cannot be read: \(error)")
        }
    }

    private func members() throws -> [String: Member] {
        var members = fields.mapValues(Member.text)
        for column in CSVColumns.numbers {
            // A weight with its unit, or a time as ISO 8601, is a text; everything else is a number.
            guard let text = fields[column],
                DecimalNumber.isNumber(text.utf8, isPadded: true),
                let number = Double(text), number.isFinite
            else { continue }
            members[column] = .number(number)
        }
        if let others = fields["others"], kind != .bag {
            members["others"] = nil
            let told = try JSONDecoder().decode(
                [String: MessagePackValue].self,
                from: Data(others.utf8)
            )
            members.merge(told.mapValues(Member.value)) { known, _ in known }
        }
        if let flag = fields["noOwner"].flatMap({ Bool($0) }) {
            members["noOwner"] = .value(.bool(flag))
        }
        guard kind != .scan else { return members }
        let names = fields.filter { ["givenName", "familyName"].contains($0.key) }
        members["givenName"] = nil
        members["familyName"] = nil
        if !names.isEmpty { members["owner"] = .object(names) }
        return members
    }

    private enum Member: Encodable {
        case text(String)
        case number(Double)
        case object([String: String])
        case value(MessagePackValue)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .object(let members): try container.encode(members)
            case .value(let value): try container.encode(value)
            }
        }
    }
}
