internal import FoundationEssentials
internal import ObjectStore
internal import SystemSupport

/// A bag's identifier: the usual text of a UUID, in any case, or its 16 bytes; in a list also what a label says.
struct Identifier: Form {
    static let expectation = "an identifier like \"F432BDB8-D84F-4461-8362-AFF89F6C493E\""

    let uuid: UUID

    init(_ uuid: UUID) {
        self.uuid = uuid
    }

    init(from decoder: any Decoder) throws {
        if let text = try decoder.attempt({ try String(from: decoder) }) {
            let label = decoder.isOfList ? UUID(label: text) : nil
            guard let uuid = UUID(strictly: text) ?? label else {
                let plate = decoder.isOfList ? ", or a licence plate of ten digits" : ""
                throw Refusal.expected(Self.expectation + plate, found: "the text \(text.quoted)")
                    .error(at: decoder.codingPath)
            }
            self.uuid = uuid
        } else if let data = try decoder.attempt({
            try decoder.singleValueContainer().decode(Data.self)
        }) {
            guard let uuid = UUID(bytes: Array(data)) else {
                throw Refusal.expected("the 16 bytes of an identifier", found: "\(data.count)")
                    .error(at: decoder.codingPath)
            }
            self.uuid = uuid
        } else {
            throw decoder.noForm(of: Self.self)
        }
    }

    func encode(to encoder: any Encoder) throws { try uuid.uuidString.encode(to: encoder) }
}

extension UUID {
    /// Reads the usual text of a UUID, in any case, and refuses everything else.
    ///
    /// Foundation's own initializer accepts some malformed texts, and gives another bag's identifier.
    package init?(strictly text: String) { self.init(stored: .text(text)) }

    fileprivate init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        let groups = [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]]
        self.init(uuidString: groups.map(\.hexadecimal).joined(separator: "-"))
    }
}
