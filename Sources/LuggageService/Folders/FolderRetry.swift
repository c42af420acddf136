internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

/// Puts failed pictures back where they were dropped, so that the service tries them again.
package struct FolderRetry: Sendable {
    private let layout: FolderLayout

    /// Works on a watched folder, whether a service runs or not.
    package init(_ layout: FolderLayout) {
        self.layout = layout
    }

    /// Which pictures to put back.
    package enum Selection: Sendable {
        /// All of them.
        case all
        /// The pictures with these names, as reports show them or as they are.
        case named([[UInt8]])
        /// The pictures that failed for a reason, by its stable code.
        case reason(String)
    }

    /// The result of putting pictures back.
    package struct Result: Sendable {
        /// The names of the pictures that were put back.
        package var moved: [String] = []
        /// The names that no picture has.
        package var missing: [String] = []
        /// The pictures that could not be put back, each with the reason: `NAME: …`.
        package var left: [String] = []
    }

    /// Puts pictures back.
    ///
    /// A picture goes to the folder of the point at which its bags are. Its note is removed after the
    /// picture was moved, so an interruption leaves no failed picture without its reason.
    ///
    /// - Parameter selection: Which ones.
    /// - Returns: The result.
    /// - Throws: ``FilingError`` if the folder of failed pictures cannot be read.
    package func run(_ selection: Selection) throws(FilingError) -> Result {
        var result = Result()
        let chosen: [FailedPicture]
        switch selection {
        case .all: chosen = try FailedPicture.all(in: layout)
        case .reason(let reason):
            chosen = try FailedPicture.all(in: layout).filter { $0.note?.reason == reason }
        case .named(let names):
            let named = try FailedPicture.named(names, in: layout)
            chosen = named.chosen
            result.missing = named.missing.map { $0.displayText.onOneLine }
        }
        for picture in chosen {
            do throws(FilingError) {
                if let reason = try putBack(picture) {
                    result.left.append("\(picture.displayName): \(reason)")
                } else {
                    result.moved.append(picture.displayName)
                }
            } catch {
                result.left.append(error.message)
            }
        }
        if case .all = selection { removeLonelyNotes() }
        return result
    }

    /// The age in seconds from which a note waits for no picture any more.
    var settledAge = 60.0

    /// Removes notes on pictures that someone has taken away.
    private func removeLonelyNotes() {
        guard let held = try? layout.held(.failed) else { return }
        let folder = layout.path(of: .failed)
        let names = (try? FolderNames.files(in: folder)) ?? []
        let present = Set(names)
        // A service writes the note first, and then moves the picture.
        let isWatched = FolderLock.owner(of: layout.path) != nil
        for name in names
        where !present.contains(Array(name.dropLast(FailureNote.ending.utf8.count))) {
            let place = FilePlace(name, in: held)
            guard FailureNote.isNamedAsNote(name), let note = FailureNote.read(at: place)
            else { continue }
            let isSettled = -note.failedAt.timeIntervalSinceNow > settledAge
            if isSettled || !isWatched { place.remove() }
        }
    }

    /// - Returns: Why its folder is not known; nil if it was put back.
    private func putBack(_ picture: FailedPicture) throws(FilingError) -> String? {
        let failed = try layout.held(.failed)
        // A guess could record a departure as an arrival.
        let isOnly = layout.dropFolders.count == 1 && picture.note == nil
        let point = isOnly ? layout.dropFolders[0].point : picture.note?.point
        guard let folder = layout.dropFolders.first(where: { $0.point == point }) else {
            return wordsForNoFolder(of: picture)
        }
        _ = try picture.move(from: failed, to: HeldFolder(at: folder.path.pathText))
        picture.removeNote(in: failed)
        return nil
    }

    private func wordsForNoFolder(of picture: FailedPicture) -> String {
        guard let noted = picture.note?.point.rawValue, let told = layout.dropFolders.first?.point
        else {
            return
                "no note beside it says where its bags are; move it to the folder where it belongs"
        }
        return
            "the note beside it says that its bags are at \(noted), not at \(told.rawValue); say "
            + "--at \(noted)"
    }
}
