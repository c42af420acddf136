/// An action that can solve a problem, as a clause: `export it again`.
///
/// A program may have a command for the named ones. It recognises the name and can show that command
/// instead; everybody else shows the clause.
public struct Remedy: RawRepresentable, Codable, Hashable, Sendable {
    /// The clause.
    public let rawValue: String

    /// Makes a remedy from a clause.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// For a file from which no record can be read.
    public static let exportAgain = Self(rawValue: "export it again")
    /// For a file in another format than it seems to be.
    public static let nameFormat = Self(rawValue: "export it again, or say which format it has")
    /// For a file that is incomplete.
    public static let takePart = Self(rawValue: "copy or export it again, or take what there is")
    /// For a record that cannot be read.
    public static let repairRecord = Self(rawValue: "repair the record, or take the others")
    /// For a record with a wrong value.
    public static let correctRecord = Self(rawValue: "correct it, or take the others")
    /// For two sides that contradict each other.
    public static let chooseSide = Self(
        rawValue: "correct one of the two, or choose which side counts"
    )
    /// For a picture that was given as a file of records.
    public static let scanPicture = Self(rawValue: "scan it to file the bags whose tags it shows")
    /// For a value that is not allowed on record.
    public static let correct = Self(rawValue: "correct it")
    /// For a bag of a list, of which nothing was filed.
    public static let correctList = Self(rawValue: "correct it, and file the whole list again")
    /// For bags whose state does not follow from their facts.
    public static let settleBags = Self(
        rawValue: "derive each bag anew from its scans and corrections"
    )
    /// For a name that is not kept in the composed form.
    public static let settleNames = Self(rawValue: "spell it as names are kept")
    /// For a record that contradicts itself.
    public static let restore = Self(
        rawValue: "put an earlier copy in place of the record, or keep it as it is"
    )
    /// For a picture of which no scan counts.
    public static let bringBack = Self(
        rawValue: "bring back what was taken back, or scan it again; else remove it"
    )
    /// For a folder that is not watched.
    public static let nameWatchedFolder = Self(rawValue: "name a folder that is watched")
    /// For pictures that may be in a folder that was not named.
    public static let nameOtherFolder = Self(rawValue: "name its folder too")
    /// For a number that no change has.
    public static let lookAtChanges = Self(rawValue: "look at the list of changes")
}

extension Remedy: ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Makes a remedy from a clause.
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    /// The clause.
    public var description: String { rawValue }
}
