internal import Synchronization
internal import System

/// The folders that were dropped, and what is known of them from one look to the next.
final class DroppedFolders: Sendable {
    private struct State {
        /// When something was taken out of a folder last.
        var emptied: [FileIdentity: SuspendingClock.Instant] = [:]
        /// What is left in a dropped folder.
        var refusals: [DroppedFile: [FolderRefusal]] = [:]
        /// What was told last of what is left.
        var told: [FolderRefusal] = []

        /// What is left in folders that are still there, and is to be seen to.
        mutating func left() -> [FolderRefusal] {
            for folder in refusals.keys
            where FileIdentity(at: folder.path, followsLinks: false) == nil {
                refusals[folder] = nil
            }
            return refusals.values.joined().filter { !$0.cause.isMeant }
                .sorted { $0.path.lexicographicallyPrecedes($1.path) }
        }

        /// Remembers that something was taken out of a folder.
        ///
        /// Those that had no news for long were removed since, or somebody has put something into them.
        mutating func noteEmptied(_ place: FileIdentity, _ quiet: Duration) {
            let now = SuspendingClock.now
            if emptied.count >= DroppedFolders.mostRemembered {
                emptied = emptied.filter { now - $0.value < quiet * 2 }
            }
            if emptied.count < DroppedFolders.mostRemembered { emptied[place] = now }
        }
    }

    /// As many folders are remembered.
    ///
    /// Of others it is not said what is left in them, and they stay when they are empty.
    private static let mostRemembered = 1000

    private let ownFiles: [String]
    private let quiet: Duration
    private let state = Mutex(State())
    private let turn = Mutex(())

    /// Knows of no folder yet.
    ///
    /// - Parameters:
    ///   - ownFiles: The paths of the files that the service writes: the folders that they are in are
    ///     left alone.
    ///   - quiet: After how long without a change an emptied folder is removed.
    init(ownFiles: [String], quiet: Duration = .seconds(600)) {
        self.ownFiles = ownFiles
        self.quiet = quiet
    }

    /// Empties a folder, as far as that can be done.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - grace: After how long without a change a file counts as no longer written.
    ///   - tell: Is told the name of each file that was moved up.
    /// - Returns: What came of it, and what is left that was not left the last time.
    func empty(
        _ folder: DroppedFile,
        grace: Duration,
        tell: @escaping ([UInt8]) -> Void
    ) -> (visit: FolderVisit, news: [FolderRefusal]) {
        let visit = FolderEmptying.run(
            folder.name,
            FolderEmptying.Rules(
                path: folder.folder.path,
                own: Set(
                    ownFiles.compactMap { FileIdentity(at: String.parent(ofRealPath: $0.realPath)) }
                ),
                grace: grace,
                quiet: quiet
            ),
            emptiedAgo: { [self] place in state.withLock { $0.emptied[place].map { .now - $0 } } },
            noteEmptied: { [self] place in
                state.withLock { $0.noteEmptied(place, quiet) }
            },
            tell: tell
        )
        let news = state.withLock { state in
            let before = state.refusals[folder] ?? []
            let isKnown = !before.isEmpty || state.refusals.count < Self.mostRemembered
            guard isKnown else { return [FolderRefusal]() }
            state.refusals[folder] = visit.refusals.isEmpty ? nil : visit.refusals
            return visit.refusals.filter { refusal in
                !before.contains { $0.cause == refusal.cause }
            }
        }
        return (visit, news)
    }

    /// What is left in folders that are still there, and is to be seen to.
    var refusals: [FolderRefusal] { state.withLock { $0.left() } }

    /// Tells what is left, where that is not what was told the last time.
    ///
    /// - Parameter tell: Is told while nobody else is, so that who comes later tells later. Folders are looked
    ///   at meanwhile.
    func tellNews(_ tell: ([FolderRefusal]) -> Void) {
        turn.withLock { _ in
            let news: [FolderRefusal]? = state.withLock { state in
                let left = state.left()
                if left == state.told { return nil }
                state.told = left
                return left
            }
            if let news { tell(news) }
        }
    }
}
