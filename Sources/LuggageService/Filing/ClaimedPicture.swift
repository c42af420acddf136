internal import Glibc
internal import SystemSupport

/// The hidden name that a picture has in its own folder while the service moves it.
///
/// If another file took the picture's name at the last moment, the service notices before that file is
/// among the filed ones. A program that meanwhile writes by the name makes another file. If the process
/// is killed, the hidden name tells the next start what to put back.
struct ClaimedPicture: Equatable, Sendable {
    /// The prefix of the hidden names.
    static let prefix = Array(".~luggage~".utf8)

    /// The path under which it was dropped.
    let source: [UInt8]

    private var folder: ArraySlice<UInt8> { source.dropLast(source.lastComponent.count) }

    /// The hidden path.
    var path: [UInt8] {
        // A name that leaves room for the note's ending leaves room for this prefix too.
        var names = FreeNames(for: source.lastComponent, at: 0)
        return folder + Self.prefix + (names.next() ?? [])
    }

    /// Claims the file that has the name now, whichever file that is.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``FilingError``; the file then has its own name.
    func take() throws(FilingError) -> Bool {
        var number: Int32 = 0
        for _ in 0..<3 {
            number = FilePlace(source).move(to: FilePlace(path))
            switch number {
            case 0: return true
            case ENOENT: return false
            // A move that was cut off left it there.
            case EEXIST: try putBack()
            default: break
            }
        }
        throw FilingError(number, "\(source.displayText) cannot be moved")
    }

    /// Gives the file its name again, or a free name like it if that is taken.
    ///
    /// - Parameter place: Where the file is; under its hidden name by default.
    /// - Returns: Where it is now; nil if someone else has put it back or taken it away.
    /// - Throws: ``FilingError``; the file is then where it was.
    @discardableResult
    func putBack(from place: FilePlace? = nil) throws(FilingError) -> [UInt8]? {
        let place = place ?? FilePlace(path)
        var next: [UInt8]? = source
        var names = FreeNames(for: source.lastComponent, at: FreeNames.present)
        while let destination = next {
            switch place.move(to: FilePlace(destination)) {
            case 0: return destination
            // The folder may be renamed back, with the picture in it.
            case ENOENT where isHiddenInMissingFolder(place): throw stuck(ENOENT, at: place)
            case ENOENT: return nil
            // If the file system cannot rename without replacing, it has both names for a moment.
            case EEXIST where Self.isSame(place, FilePlace(destination)):
                place.remove()
                return destination
            case EEXIST: next = names.next().map { folder + $0 }
            case let number: throw stuck(number, at: place)
            }
        }
        throw stuck(EEXIST, at: place)
    }

    private func isHiddenInMissingFolder(_ place: FilePlace) -> Bool {
        place.path.starts(with: folder) && FileStatus(at: Array(folder)) == nil
    }

    /// The error for a stuck picture: only its reader and the next start look under the hidden name.
    private func stuck(_ number: Int32, at place: FilePlace) -> FilingError {
        let folder = Array(self.folder.dropLast()).displayText.onOneLine
        let name = source.lastComponent.displayText.onOneLine
        let remedy =
            if isHiddenInMissingFolder(place) {
                "put the folder \(folder) back"
            } else if place.path.starts(with: self.folder) {
                "let the service write to that folder, or rename the file to \(name)"
            } else {
                "let the service write to \(folder), or move the file there"
            }
        var error = FilingError(
            number,
            "\(place.path.displayText.onOneLine) cannot be put back",
            remedy: remedy
        )
        error.stuck = StuckPicture(self, at: place)
        return error
    }

    /// Puts back the pictures that were being moved when a process was killed.
    ///
    /// A copy mark stays with its picture. A picture that cannot be put back stays as it is, for another
    /// try. If another process is just moving a picture, that process finds it gone, and the process that
    /// finds the picture next finishes the move.
    ///
    /// - Parameter folder: A folder for dropping.
    /// - Returns: Why some could not be put back.
    @discardableResult
    static func putBackAll(in folder: String) -> [FilingError] {
        let names: [[UInt8]]
        do throws(FilingError) {
            try CopyMark.removeLeft(in: folder)
            names = try FolderNames.files(in: folder) {
                $0.starts(with: prefix) && $0.count > prefix.count
            }
        } catch {
            return [error]
        }
        let folder = Array("\(folder)/".utf8)
        return names.compactMap { name in
            let claim = ClaimedPicture(source: folder + name.dropFirst(prefix.count))
            do throws(FilingError) {
                try claim.putBack(from: FilePlace(folder + name))
                return nil
            } catch {
                return error
            }
        }
    }

    private static func isSame(_ first: FilePlace, _ second: FilePlace) -> Bool {
        let first = first.identity
        return first != nil && first == second.identity
    }
}
