internal import LuggageTags
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// The hidden name that a picture has in its own folder for as long as it is moved.
///
/// A file that has taken the name of the picture at the last moment is found out before it is among
/// the filed ones, and whoever writes by the name meanwhile makes another file. Where the process is
/// killed, the hidden name says what was being moved, and the next start puts it back.
struct ClaimedPicture: Equatable, Sendable {
    /// What the hidden names begin with.
    static let prefix = Array(".~luggage~".utf8)

    /// The path under which it was dropped.
    let source: [UInt8]

    private var folder: ArraySlice<UInt8> { source.dropLast(source.lastComponent.count) }

    /// The hidden path.
    var path: [UInt8] {
        // Names with room for what is put beside a picture have room for this too.
        var names = FreeNames(for: source.lastComponent, at: 0)
        return folder + Self.prefix + (names.next() ?? [])
    }

    /// Takes hold of the file that has the name now, whichever it is.
    ///
    /// - Returns: Whether there is one.
    /// - Throws: ``FilingError``; the file has its own name then.
    func take() throws(FilingError) -> Bool {
        var number: Int32 = 0
        for _ in 0..<3 {
            number = FilePlace(source).move(to: FilePlace(path))
            switch number {
            case 0: return true
            case ENOENT: return false
            // Left there by a move that was cut off.
            case EEXIST: try putBack()
            default: break
            }
        }
        throw FilingError(number, "\(source.displayText) cannot be moved")
    }

    /// Lets the file have its name again, or a free one like it where that is taken.
    ///
    /// - Parameter place: Where the file is; under its hidden name where none is given.
    /// - Returns: Where it is now; nil where somebody else has put it back, or taken it away.
    /// - Throws: ``FilingError``; the file is where it was then.
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
            // On a file system that cannot rename without replacing, it has both names for a moment.
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
        place.path.starts(with: folder) && FileIdentity(at: Array(folder)) == nil
    }

    /// Nobody looks for it there but whoever is told of this, and the next start.
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

    /// Puts back what was being moved when a process was killed.
    ///
    /// The mark that says of which picture there is a copy elsewhere stays with the picture.
    ///
    /// What cannot be put back stays as it is, to be tried again. Where another process is just moving
    /// a picture, that one finds it gone, and whoever finds the picture finishes the move.
    ///
    /// - Parameter folder: A folder for dropping.
    /// - Returns: What could not be put back, and why.
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
