/// A file that arrived in a watched folder, handed out to be examined.
public struct WatchedFile: Hashable, Sendable {
    /// The index of its folder among the watched ones.
    public let folder: Int

    /// Its name: bytes, never empty, without `/` or zero bytes, not always UTF-8.
    public let name: [UInt8]

    /// The path of its folder, a `/` and its name.
    public let path: [UInt8]

    /// Whether it is a folder; see ``FolderWatch/Options/handsOutFolders``.
    public let isFolder: Bool

    /// Whether it was incomplete before, and its time to stay so without news is over.
    public let isOverdue: Bool

    /// How many times it has been handed out since it arrived or was last finished; 1 at first.
    public let attempt: Int

    let ticket: UInt64

    package init(
        _ taken: FileLedger.Taken,
        path: [UInt8],
        isOverdue: Bool,
        attempt: Int,
        isFolder: Bool = false
    ) {
        folder = taken.folder
        name = taken.name
        self.path = path
        self.isOverdue = isOverdue
        self.attempt = attempt
        self.isFolder = isFolder
        ticket = taken.ticket
    }
}
