public import LuggageTags
internal import System

/// The folders that belong to a watched one.
///
/// All are within it, so that a picture is moved and never copied: a service that is held to one
/// writable folder finds even a folder beside it on another mount.
public struct FolderLayout: Hashable, Sendable {
    /// The watched folder.
    public let path: String
    /// Where pictures are dropped.
    public let dropFolders: [DropFolder]

    /// The points for which a watched folder has a folder in any case.
    static let usualPoints: [Point] = [.origin, .destination]

    /// Derives the folders.
    ///
    /// - Parameters:
    ///   - path: The watched folder.
    ///   - point: Where its bags are, and the folder itself is the one for dropping; without one, it
    ///     has a folder for where bags depart, one for where they arrive, and one for each point that
    ///     settings name.
    ///   - points: The points that are known.
    public init(path: String, point: Point? = nil, points: PointWords = PointWords()) {
        var path = path
        while path.count > 1 && path.hasSuffix("/") { path.removeLast() }
        self.path = path
        if let point {
            dropFolders = [
                DropFolder(path: Array(path.utf8), point: point, role: points.role(of: point))
            ]
        } else {
            let named = points.named.map(\.point).filter { !Self.usualPoints.contains($0) }
            dropFolders = (Self.usualPoints + named).map { point in
                DropFolder(
                    path: Array("\(path)/\(point.rawValue)".utf8),
                    point: point,
                    role: points.role(of: point)
                )
            }
        }
    }

    /// What becomes of a picture.
    public enum Destination: String, CaseIterable, Sendable {
        /// Its tags are on record.
        case processed
        /// The same content was filed before.
        case duplicates
        /// Some tag in it could not be filed; a file beside it says why.
        case failed
    }

    /// The folder for pictures of which this has become.
    public func path(of destination: Destination) -> String {
        "\(path)/\(destination.rawValue)"
    }

    /// All of them: those for dropping first.
    package var allPaths: [String] {
        dropFolders.map(\.path.pathText) + Destination.allCases.map(path(of:))
    }

    /// Whether there is a folder for each thing that becomes of pictures, and none of those for dropping.
    ///
    /// A service has made them that was told where all bags are.
    public var isWatchedAtOnePoint: Bool {
        Destination.allCases.allSatisfy { FileIdentity(at: path(of: $0)) != nil }
            && dropFolders.allSatisfy { FileIdentity(at: $0.path) == nil }
    }

    /// Whether there is a folder for anything that becomes of pictures, as a service makes them.
    public var hasDestinations: Bool {
        Destination.allCases.contains { FileIdentity(at: path(of: $0)) != nil }
    }

    /// Whether a folder is one from which a service takes pictures, or to which it moves them.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - points: The points that are known, each of which may have a folder.
    /// - Returns: Whether it is.
    public static func hasPictures(_ folder: String, points: PointWords) -> Bool {
        if FolderLayout(path: folder).isWatchedAtOnePoint { return true }
        guard let place = FileIdentity(at: folder) else { return false }
        let above = FolderLayout(path: folder + "/..", points: points)
        return above.hasDestinations && above.allPaths.contains { FileIdentity(at: $0) == place }
    }

    /// Whether pictures are there that are on some record.
    var hasFiled: Bool {
        [Destination.processed, .duplicates].contains { destination in
            let names = try? FolderNames.files(in: path(of: destination))
            return !(names ?? []).isEmpty
        }
    }

    /// The names in the folder for dropping that are the service's own.
    ///
    /// There are some where the watched folder itself is where pictures are dropped.
    var ownNames: Set<[UInt8]> {
        let isOne = dropFolders.contains { $0.path == Array(path.utf8) }
        return isOne ? Set(Destination.allCases.map { Array($0.rawValue.utf8) }) : []
    }
}
