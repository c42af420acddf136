package import LuggageTags

/// A dropped picture that has been dealt with: where it went, and what was read.
package struct FiledPicture: Sendable {
    /// The name that it was dropped with, as the system knows it.
    package var name: [UInt8]
    /// The kind of folder that it went to.
    package var destination: FolderLayout.Destination
    /// Where it is now; nil if someone has taken it away.
    package var path: [UInt8]?
    /// Where its bags are.
    package var point: Point
    /// The role of that point, if it is not built in.
    package var role: Point.Role?
    /// The station that filed it.
    package var station: String
    /// The SHA-256 of its file, in hexadecimal.
    package var digest: String?
    /// The result of each tag in it; none if its content was filed before, and reported then.
    package var reports: [ScanReport]
    /// Whether the results are known only from the record.
    ///
    /// An earlier run of the service has then filed it, and may have reported it.
    package var isFromRecord: Bool
    /// How often the service tried to read it.
    package var attempts: Int
}
