public import LuggageTags

/// A folder into which pictures of bags at one point are dropped.
public struct DropFolder: Hashable, Sendable {
    /// The path, as the system knows it.
    public let path: [UInt8]
    /// Where the bags in the pictures are.
    public let point: Point

    /// Names a folder.
    public init(path: [UInt8], point: Point) {
        self.path = path
        self.point = point
    }
}
