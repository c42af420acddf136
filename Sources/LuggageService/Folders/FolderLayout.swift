package import LuggageTags
internal import SystemSupport

/// The folders that belong to a watched one.
///
/// All are within it, so that pictures are moved and not copied: for a service that may write to only
/// one folder, even a folder beside it is on another mount.
package struct FolderLayout: Hashable, Sendable {
    /// The watched folder.
    package let path: String
    /// The folders where pictures are dropped.
    package let dropFolders: [DropFolder]

    /// The points for which a watched folder always has a folder.
    static let usualPoints: [Point] = [.origin, .destination]

    /// Derives the folders.
    ///
    /// - Parameters:
    ///   - path: The watched folder.
    ///   - point: Where its bags are; pictures are then dropped into the folder itself. If nil, it
    ///     has a folder for departing bags, one for arriving bags, and one for each point that the
    ///     settings name.
    ///   - points: The known points.
    package init(path: String, point: Point? = nil, points: PointWords = PointWords()) {
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

    /// What happens to a picture.
    package enum Destination: String, CaseIterable, Sendable {
        /// Its tags are on record.
        case processed
        /// The same content was filed before.
        case duplicates
        /// Some tag in it could not be filed; a file beside it says why.
        case failed
    }

    /// The folder for pictures with this destination.
    package func path(of destination: Destination) -> String {
        "\(path)/\(destination.rawValue)"
    }

    /// All folders, those for dropping first.
    package var allPaths: [String] {
        dropFolders.map(\.path.pathText) + Destination.allCases.map(path(of:))
    }

    /// Whether all destination folders are there, and no folder for dropping.
    ///
    /// A service that was told where all bags are has made them so.
    package var isWatchedAtOnePoint: Bool {
        Destination.allCases.allSatisfy { FileStatus(at: path(of: $0)) != nil }
            && dropFolders.allSatisfy { FileStatus(at: $0.path) == nil }
    }

    /// Whether any destination folder is there, as a service makes them.
    package var hasDestinations: Bool {
        Destination.allCases.contains { FileStatus(at: path(of: $0)) != nil }
    }

    /// Whether a folder is one from which a service takes pictures, or to which it moves them.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - points: The known points, each of which may have a folder.
    /// - Returns: Whether it is.
    package static func hasPictures(_ folder: String, points: PointWords) -> Bool {
        if FolderLayout(path: folder).isWatchedAtOnePoint { return true }
        guard let place = FileStatus(at: folder)?.identity else { return false }
        let above = FolderLayout(path: folder + "/..", points: points)
        return above.hasDestinations
            && above.allPaths.contains { FileStatus(at: $0)?.identity == place }
    }

    /// Whether it has pictures that are on record.
    var hasFiled: Bool {
        [Destination.processed, .duplicates].contains { destination in
            let names = try? FolderNames.files(in: path(of: destination))
            return !(names ?? []).isEmpty
        }
    }

    /// The service's own names in the folder for dropping.
    ///
    /// There are some only if pictures are dropped into the watched folder itself.
    var ownNames: Set<[UInt8]> {
        let isOne = dropFolders.contains { $0.path == Array(path.utf8) }
        return isOne ? Set(Destination.allCases.map { Array($0.rawValue.utf8) }) : []
    }
}
