internal import FolderWatch
internal import LuggageTags
internal import SystemSupport

/// The state of a watched folder, whether a service runs or not.
package struct FolderReport: Encodable, Sendable {
    /// The watched folder.
    package let folder: String
    /// The service that watches it, in its own words; nil if none does.
    package let watchedBy: String?
    /// Why that service has paused filing; nil if none runs, or it has not paused.
    package let pause: FilingPause?
    /// What is left unfiled in dropped folders, and what to do about it, as that service says.
    package let left: [String]
    /// How many files wait to be filed, including those in dropped folders, by the point of their bags.
    package let pending: [String: Int]
    /// How many pictures are on record and still in their folder.
    package let processed: Int
    /// How many pictures were filed before.
    package let duplicates: Int
    /// The pictures that could not be filed.
    package let failed: [FailedPicture]

    /// Looks at the folders.
    ///
    /// - Parameter layout: The folders.
    /// - Throws: ``FilingError`` if one is missing or cannot be read.
    package init(_ layout: FolderLayout) throws(FilingError) {
        folder = layout.path
        let words = FolderLock.words(in: layout.path)
        (watchedBy, pause, left) = (words?.owner, words?.pause, words?.left ?? [])
        var pending: [String: Int] = [:]
        for folder in layout.dropFolders {
            // The service makes the folders of newly named points only when it starts.
            if !FolderLayout.usualPoints.contains(folder.point),
                FileStatus(at: folder.path) == nil
            {
                continue
            }
            let names = try FolderNames.files(in: folder.path.pathText)
            let count = names.count { name in
                let mayBePicture = !IgnoredNames.contains(name)
                return mayBePicture && !FailureNote.isNote(name, in: folder.path)
                    || name.starts(with: ClaimedPicture.prefix)
            }
            let inFolders = FolderEmptying.count(in: folder.path, besides: layout.ownNames)
            pending[folder.point.rawValue] = count + inFolders
        }
        self.pending = pending
        processed = try FolderNames.files(in: layout.path(of: .processed)).count
        duplicates = try FolderNames.files(in: layout.path(of: .duplicates)).count
        failed = try FailedPicture.all(in: layout)
    }
}

extension FolderReport {
    /// Who watches a folder, even if this user may not look into it.
    ///
    /// - Parameter layout: The folders.
    /// - Returns: The service in its own words, and why it has paused, if it has; nil if nobody watches it.
    package static func watcher(
        of layout: FolderLayout
    ) -> (words: String, pause: FilingPause?)? {
        FolderLock.words(in: layout.path).map { ($0.owner, $0.pause) }
    }
}

/// A picture in the folder of those that could not be filed.
package struct FailedPicture: Encodable, Sendable {
    package let name: [UInt8]
    /// Why it is there; nil if it has no note.
    package let note: FailureNote?

    /// The names of all pictures in the folder, in the order of their bytes.
    ///
    /// - Throws: ``FilingError`` if the folder cannot be read.
    package static func names(in layout: FolderLayout) throws(FilingError) -> [[UInt8]] {
        let folder = layout.path(of: .failed)
        let files = try FolderNames.files(in: folder)
        let all = Set(files)
        // A note is not a picture, even if its picture is gone; thousands of them are not read for that.
        return files.filter { name in
            guard FailureNote.isNamedAsNote(name) else { return true }
            return !all.contains(Array(name.dropLast(FailureNote.ending.utf8.count)))
                && !FailureNote.isNote(name, in: Array(folder.utf8))
        }
    }

    /// Reads what the note beside a picture says.
    package init(_ name: [UInt8], in layout: FolderLayout) {
        self.name = name
        note = FailureNote.read(beside: name, in: layout.path(of: .failed))
    }

    /// Every picture in the folder, by name.
    ///
    /// - Throws: ``FilingError`` if the folder cannot be read.
    static func all(in layout: FolderLayout) throws(FilingError) -> [FailedPicture] {
        try names(in: layout).map { FailedPicture($0, in: layout) }
    }

    /// Chooses pictures by their names.
    ///
    /// - Parameters:
    ///   - names: The names, as reports show them or as they are.
    ///   - layout: The folders of the pictures to choose from.
    /// - Returns: The pictures with these names, and the names that none has.
    /// - Throws: ``FilingError`` if the folder cannot be read.
    static func named(
        _ names: [[UInt8]],
        in layout: FolderLayout
    ) throws(FilingError) -> (chosen: [FailedPicture], missing: [[UInt8]]) {
        let all = try Self.names(in: layout)
        let (there, named) = (Set(all), Set(names))
        // One picture's name may be another picture's display name.
        let chosen = all.filter { name in
            let shown = Array(Self.shown(name).utf8)
            return named.contains(name) || (named.contains(shown) && !there.contains(shown))
        }
        let names = names.filter { !there.contains($0) }
        let shown = names.isEmpty ? [] : Set(all.map { Array(Self.shown($0).utf8) })
        return (
            chosen.map { FailedPicture($0, in: layout) }, names.filter { !shown.contains($0) }
        )
    }

    /// The name as a person sees it.
    package var displayName: String { Self.shown(name) }

    private static func shown(_ name: [UInt8]) -> String { name.displayText.onOneLine }

    /// Encodes the name and what the note says.
    package func encode(to encoder: any Encoder) throws {
        enum Key: CodingKey { case name, reason, message, attempts, failedAt }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(displayName, forKey: .name)
        try container.encodeIfPresent(note?.reason, forKey: .reason)
        try container.encodeIfPresent(note?.message, forKey: .message)
        try container.encodeIfPresent(note?.attempts, forKey: .attempts)
        try container.encodeIfPresent(note?.failedAt, forKey: .failedAt)
    }
}
