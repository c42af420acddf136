public import ObjectStore

/// Where on its way a bag is scanned: one of the words that are built in, or any other one that somebody
/// has given a role.
public struct Point: RawRepresentable, Codable, Hashable, Sendable, AttributeType,
    CustomStringConvertible
{
    /// What being seen at a point says about a journey.
    public enum Role: String, CaseIterable, Codable, Sendable, AttributeType {
        /// The bag departs: a journey begins.
        case departing
        /// The bag is on its way; also where it changes from one vehicle to another.
        case underWay = "under-way"
        /// The bag arrives: the journey ends.
        case arriving

        /// What a point of which nobody knows the role counts as: it begins no journey and ends none.
        public static var absent: Role { .underWay }
    }

    /// The word: 1 to 32 small letters of ASCII, digits and hyphens, the first of them a letter, so that a
    /// folder can be called so.
    public let rawValue: String

    /// Takes a word; nil where it is none that a point can have.
    public init?(rawValue: String) {
        guard Self.isWord(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    private init(_ word: String) {
        rawValue = word
    }

    /// Where the bag departs.
    public static let origin = Self("origin")
    /// Where the bag is put into the vehicle.
    public static let load = Self("load")
    /// Where the bag changes from one journey's vehicle to the next.
    public static let transfer = Self("transfer")
    /// Where the bag is taken out of the vehicle, be it to change to another.
    public static let unload = Self("unload")
    /// Where the bag arrives.
    public static let destination = Self("destination")
    /// Where the bag is handed to its owner.
    public static let delivery = Self("delivery")

    /// The points whose roles are the same everywhere, in the order of a journey.
    public static let builtIn: [Point] = [
        .origin, .load, .transfer, .unload, .destination, .delivery,
    ]

    /// What a scan without a point reads as.
    public static var absent: Point { .origin }

    /// The word.
    public var description: String { rawValue }

    /// The role of a point that is built in; nil of any other.
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
    /// - Parameter told: The role that somebody has given it; one that is built in keeps its own.
    /// - Returns: The role.
    public func role(told: Role?) -> Role { builtInRole ?? told ?? .absent }

    /// The role to be kept with a scan, by which every record derives the same from it.
    ///
    /// - Parameter told: The role that somebody has given the point.
    /// - Returns: The role; nil where the word says it.
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
