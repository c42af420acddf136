/// How a tag is laid out.
public enum TagLayout: String, CaseIterable, Sendable {
    /// A label with one symbol.
    case label
    /// A strip that goes round a handle, with a symbol at both ends, which are stuck together.
    case loop
    /// A card for the wallet, with the symbols of up to four bags.
    case card

    /// The paper that it is made for.
    public var paper: PaperSize {
        switch self {
        case .label: .label
        case .loop: .loop
        case .card: .card
        }
    }

    /// The most tags on a page.
    public var tagsPerPage: Int { self == .card ? 4 : 1 }

    /// Whether a claim stub can be at its end.
    public var hasStub: Bool { self != .card }
}
