internal import FoundationEssentials
internal import SystemSupport

/// What a list calls a bag: its identifier, or what its label says.
struct ListedIdentifier: Form {
    static let expectation = "an identifier, or a licence plate of ten digits"

    let uuid: UUID

    init(from decoder: any Decoder) throws {
        guard let text = try decoder.attempt({ try String(from: decoder) }) else {
            uuid = try Identifier(from: decoder).uuid
            return
        }
        guard let bag = UUID(strictly: text) ?? UUID(label: text) else {
            throw Refusal.expected(Self.expectation, found: "the text \(text.quoted)")
                .error(at: decoder.codingPath)
        }
        uuid = bag
    }

    func encode(to encoder: any Encoder) throws { try uuid.uuidString.encode(to: encoder) }
}
