public import ObjectStore

/// The result of reading a tag; the words are stable, for reports and for programs.
public enum Outcome: String, CaseIterable, Codable, Sendable, AttributeType {
    /// The bag was not on record.
    case new
    /// The bag was on record, and the scan has added something.
    case updated
    /// This very picture was filed before, or the scan has added nothing.
    case repeated
    /// The tag contradicted the record about the owner or, by more than rounding, the weight.
    case changed
    /// The bag is on record, and departs or arrives where its tag does not say.
    case misrouted
    /// A symbol was read, but its payload does not describe a bag.
    case invalid
    /// The picture could not be examined to its end.
    case unreadable
    /// The picture was examined, but no symbol could be read in it.
    case noCode = "no-code"
    /// The file is not a picture of a known kind, or it is broken.
    case damaged

    /// Whether the bag is on record now.
    public var isFiled: Bool {
        switch self {
        case .new, .updated, .repeated, .changed, .misrouted: true
        case .invalid, .unreadable, .noCode, .damaged: false
        }
    }

    /// The outcome of a scan without one.
    public static var absent: Outcome { .unreadable }
}
