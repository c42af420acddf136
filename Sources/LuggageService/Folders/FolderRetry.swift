internal import CFiling
internal import LuggageTags

#if canImport(Glibc)
internal import Glibc
#endif

/// Puts failed pictures back where they were dropped, so that they are tried again.
public struct FolderRetry: Sendable {
    private let layout: FolderLayout

    /// Works on a watched folder, whether a service runs or not.
    public init(_ layout: FolderLayout) {
        self.layout = layout
    }

    /// Which pictures to put back.
    public enum Selection: Sendable {
        /// All of them.
        case all
        /// Those with these names, as bytes.
        case named([[UInt8]])
        /// Those that failed for a reason, by its stable code.
        case reason(String)
    }

    /// What came of putting pictures back.
    public struct Result: Sendable {
        /// The names of those that were put back.
        public var moved: [String] = []
        /// The names that are not there.
        public var missing: [String] = []
    }

    /// Puts pictures back.
    ///
    /// A picture goes to the folder of the point at which its bags are. Its note is taken away after
    /// the picture, so an interruption leaves nothing without its reason.
    ///
    /// - Parameter selection: Which ones.
    /// - Returns: What came of it.
    /// - Throws: ``FilingError``; what was put back by then stays so.
    public func run(_ selection: Selection) throws(FilingError) -> Result {
        var result = Result()
        let pictures = try FailedPicture.all(in: layout)
        let chosen: [FailedPicture]
        switch selection {
        case .all: chosen = pictures
        case .reason(let reason): chosen = pictures.filter { $0.note?.reason == reason }
        case .named(let names):
            chosen = pictures.filter { names.contains($0.name) }
            let there = Set(pictures.map(\.name))
            result.missing = names.filter { !there.contains($0) }.map(\.displayText)
        }
        for picture in chosen {
            try putBack(picture)
            result.moved.append(picture.displayName)
        }
        return result
    }

    private func putBack(_ picture: FailedPicture) throws(FilingError) {
        let failed = Array("\(layout.path(of: .failed))/".utf8)
        let source = failed + picture.name
        let point = picture.note?.point
        let folder = layout.dropFolders.first { $0.point == point } ?? layout.dropFolders[0]
        for name in FreeNames(for: picture.name, at: FreeNames.present) {
            let destination = folder.path + [UInt8(ascii: "/")] + name
            switch unsafe filing_move(AT_FDCWD, source.cString, AT_FDCWD, destination.cString) {
            case 0:
                let note = source + Array(FailureNote.ending.utf8)
                _ = unsafe unlink(note.cString)
                return
            case EEXIST: continue
            case let number:
                throw FilingError(number, "\(picture.displayName) cannot be moved back")
            }
        }
    }
}
