package import LuggageTags

/// A folder into which pictures of bags at one point are dropped.
package struct DropFolder: Hashable, Sendable {
    /// The path, as the system knows it.
    package let path: [UInt8]
    /// Where the bags in the pictures are.
    package let point: Point
    /// The role of that point, if it is not built in.
    package let role: Point.Role?

    /// Names a folder.
    package init(path: [UInt8], point: Point, role: Point.Role? = nil) {
        self.path = path
        self.point = point
        self.role = role
    }
}
