internal import Synchronization
internal import SystemSupport

/// The folders that were dropped, and what earlier visits found in them.
final class DroppedFolders: Sendable {
    private struct State {
        /// When something was last taken out of each folder.
        var emptied: [FileIdentity: SuspendingClock.Instant] = [:]
        /// What is left in each dropped folder.
        var refusals: [DroppedFile: [FolderRefusal]] = [:]
        /// What was last reported as left.
        var told: [FolderRefusal] = []

        /// Returns what is left in folders that are still there, and needs someone's attention.
        mutating func left() -> [FolderRefusal] {
            for folder in refusals.keys
            where FileStatus(at: folder.path, followsLinks: false) == nil {
                refusals[folder] = nil
            }
            return refusals.values.joined().filter { !$0.cause.isMeant }
                .sorted { $0.path.lexicographicallyPrecedes($1.path) }
        }

        /// Remembers that something was taken out of a folder.
        ///
        /// It forgets old entries: someone has removed those folders since, or refilled them.
        mutating func noteEmptied(_ place: FileIdentity, _ quiet: Duration) {
            let now = SuspendingClock.now
            if emptied.count >= DroppedFolders.mostRemembered {
                emptied = emptied.filter { now - $0.value < quiet * 2 }
            }
            if emptied.count < DroppedFolders.mostRemembered { emptied[place] = now }
        }
    }

    /// The most folders that are remembered.
    ///
    /// For others nothing is reported as left, and they are not removed when they are empty.
    private static let mostRemembered = 1000

    private let ownFiles: [String]
    private let quiet: Duration
    private let state = Mutex(State())
    private let turn = Mutex(())

    /// Knows of no folder yet.
    ///
    /// - Parameters:
    ///   - ownFiles: The paths of the files that the service writes; it leaves their folders alone.
    ///   - quiet: The time without a change after which an emptied folder is removed.
    init(ownFiles: [String], quiet: Duration = .seconds(600)) {
        self.ownFiles = ownFiles
        self.quiet = quiet
    }

    /// Empties a folder as far as possible.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - grace: The time without a change after which a file counts as no longer written.
    ///   - tell: Called with the name of each file that was moved up.
    /// - Returns: The result, and what is left that was not left at the last visit.
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
                    ownFiles.compactMap { FileStatus(at: $0.behindLinks.parentPath)?.identity }
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

    /// What is left in folders that are still there, and needs someone's attention.
    var refusals: [FolderRefusal] { state.withLock { $0.left() } }

    /// Reports what is left, if that has changed since the last report.
    ///
    /// - Parameter tell: Gets the report. Only one call runs at a time, so a later call reports later.
    ///   Folders are visited meanwhile.
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
