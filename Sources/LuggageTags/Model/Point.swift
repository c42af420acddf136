public import ObjectStore

/// A point of a bag's journey at which it is scanned: a built-in word, or any other word with a role.
public struct Point: RawRepresentable, Codable, Hashable, Sendable, AttributeType,
    CustomStringConvertible
{
    /// What a sighting at a point says about a journey.
    public enum Role: String, CaseIterable, Codable, Sendable, AttributeType {
        /// The bag departs: a journey begins.
        case departing
        /// The bag is on its way, or changes from one vehicle to another.
        case underWay = "under-way"
        /// The bag arrives: the journey ends.
        case arriving

        /// The role of a point whose role is unknown: it begins no journey and ends none.
        public static var absent: Role { .underWay }
    }

    /// The word: 1 to 32 lower-case ASCII letters, digits and hyphens, beginning with a letter.
    ///
    /// So it can be the name of a folder.
    public let rawValue: String

    /// Takes a word; nil if no point can have it.
    public init?(rawValue: String) {
        guard Self.isWord(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(_ word: String) {
        rawValue = word
    }

    /// The bag departs here.
    public static let origin = Self("origin")
    /// The bag is put into the vehicle here.
    public static let load = Self("load")
    /// The bag changes from one journey's vehicle to the next here.
    public static let transfer = Self("transfer")
    /// The bag is taken out of the vehicle here, perhaps to change to another.
    public static let unload = Self("unload")
    /// The bag arrives here.
    public static let destination = Self("destination")
    /// The bag is handed to its owner here.
    public static let delivery = Self("delivery")

    /// The points that have the same roles everywhere, in the order of a journey.
    public static let builtIn: [Point] = [
        .origin, .load, .transfer, .unload, .destination, .delivery,
    ]

    /// The point of a scan without one.
    public static var absent: Point { .origin }

    /// The word.
    public var description: String { rawValue }

    /// The role of a built-in point; nil for any other point.
    public var builtInRole: Role? {
        switch self {
        case .origin: .departing
        case .load, .transfer, .unload: .underWay
        case .destination, .delivery: .arriving
        default: nil
        }
    }

    /// The role of the point.
    ///
    /// - Parameter told: The role that a person gave it; a built-in point keeps its own.
    /// - Returns: The role.
    public func role(told: Role?) -> Role { builtInRole ?? told ?? .absent }

    /// The role to keep with a scan, so that every record derives the same from it.
    ///
    /// - Parameter told: The role that a person gave the point.
    /// - Returns: The role; nil for a built-in point.
    func roleToKeep(_ told: Role?) -> Role? { builtInRole == nil ? told : nil }

    private static func isWord(_ text: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return (1...32).contains(text.utf8.count) && text.utf8.first.map(letters.contains) == true
            && text.utf8.allSatisfy {
                letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-")
            }
    }
}
