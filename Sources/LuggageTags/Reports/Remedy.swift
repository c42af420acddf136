/// What somebody can do about something that is wrong, as a clause: `export it again`.
///
/// Those that have names are such as a program may have a command for. It tells them by these, and can say
/// that command instead; the words are for everybody else.
public struct Remedy: RawRepresentable, Codable, Hashable, Sendable {
    /// The clause.
    public let rawValue: String

    /// Makes a remedy of a clause.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// For a file that no record can be read from.
    public static let exportAgain = Self(rawValue: "export it again")
    /// For a file that is not what it looks like.
    public static let nameFormat = Self(rawValue: "export it again, or say which format it has")
    /// For a file of which something is missing.
    public static let takePart = Self(rawValue: "copy or export it again, or take what there is")
    /// For a record that cannot be read.
    public static let repairRecord = Self(rawValue: "repair the record, or take the others")
    /// For a record that says something wrong.
    public static let correctRecord = Self(rawValue: "correct it, or take the others")
    /// For two sides that do not go together.
    public static let chooseSide = Self(
        rawValue: "correct one of the two, or choose which side counts"
    )
    /// For a picture that is taken for a file of records.
    public static let scanPicture = Self(rawValue: "scan it to file the bags whose tags it shows")
    /// For a value that may not be on record.
    public static let correct = Self(rawValue: "correct it")
    /// For bags that are not what their facts say.
    public static let settleBags = Self(
        rawValue: "derive each bag anew from its scans and corrections"
    )
    /// For a name that is kept in another spelling than names are.
    public static let settleNames = Self(rawValue: "spell it as names are kept")
    /// For a record that contradicts itself.
    public static let restore = Self(
        rawValue: "put an earlier copy in place of the record, or keep it as it is"
    )
    /// For a picture of which nothing counts.
    public static let bringBack = Self(
        rawValue: "bring back what was taken back, or scan it again; else take it away"
    )
    /// For a folder that is none that is watched.
    public static let nameWatchedFolder = Self(rawValue: "name a folder that is watched")
    /// For pictures that may be in a folder that was not named.
    public static let nameOtherFolder = Self(rawValue: "name its folder too")
    /// For a number that is no change's.
    public static let lookAtChanges = Self(rawValue: "look at those that there are")
}

extension Remedy: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Makes a remedy of a clause.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The clause.
    public var description: String { rawValue }
}
