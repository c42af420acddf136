internal import CLinux
internal import FolderWatch
internal import Glibc
internal import LuggageTags
internal import SystemSupport

/// The result of a visit to a dropped folder.
struct FolderVisit: Equatable, Sendable {
    /// How many files were moved up.
    var moved = 0
    /// What is left and will not be filed, one entry for each cause.
    var refusals: [FolderRefusal] = []
    /// Whether it has files that are not complete yet.
    var isUnfinished = false
    /// Whether there are more files that can be moved up now.
    var hasMore = false
    /// The paths of the folder and of those in it, for the watch to listen to.
    var folders: [[UInt8]] = []
    /// Whether the folder was removed because it was empty.
    var isRemoved = false
}

/// Moves the pictures in a dropped folder up into the drop folder, to be filed like all others.
///
/// Their names there contain the names of their folders, so that two cards of the same camera stay
/// apart: `100CANON_IMG_0001.PNG`.
///
/// A user who may drop a folder may at any moment replace it by a link, or move it away. So each folder
/// is opened by its name in an open parent, links are not followed, and a file is moved from one open
/// folder to another, whatever happens to their paths. A file that is still being written is left until
/// it is complete or did not change for a while: its program may come back to it by its path.
struct FolderEmptying {
    /// How deep in folders a picture may be.
    static let mostDepth = 4
    /// The most files that are moved up at a time; then others have their turn.
    static let mostMoved = 1000
    /// The most folders that one visit names for the watch to listen to.
    static let mostFolders = 32

    /// The drop folder, and what the service needs there.
    struct Rules {
        /// The path of the drop folder.
        var path: [UInt8]
        /// The folders that contain files that the service uses.
        var own: Set<FileIdentity> = []
        /// The time without a change after which a file counts as no longer written.
        var grace: Duration
        /// The time without a change after which an emptied folder is removed.
        ///
        /// Until then its program may be about to put more into it.
        var quiet: Duration
    }

    private let rules: Rules
    /// The drop folder.
    private let root: Int32
    /// Returns how long ago something was last taken out of a folder; nil if nothing was.
    private let emptiedAgo: (FileIdentity) -> Duration?
    /// Called when something was taken out of a folder.
    private let noteEmptied: (FileIdentity) -> Void
    /// Called with the name of each file that was moved up.
    private let tell: ([UInt8]) -> Void
    private var visit = FolderVisit()

    /// Empties a folder.
    ///
    /// - Parameters:
    ///   - name: The name of the folder in the drop folder.
    ///   - rules: The drop folder, and what the service needs there.
    ///   - emptiedAgo: Returns how long ago something was taken out of a folder; nil if nothing was.
    ///   - noteEmptied: Called when something was taken out of a folder.
    ///   - tell: Called with the name of each file that was moved up.
    /// - Returns: The result.
    static func run(
        _ name: [UInt8],
        _ rules: Rules,
        emptiedAgo: @escaping (FileIdentity) -> Duration? = { _ in nil },
        noteEmptied: @escaping (FileIdentity) -> Void = { _ in },
        tell: @escaping ([UInt8]) -> Void = { _ in }
    ) -> FolderVisit {
        let root = unsafe open(rules.path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // If it is gone, the watch reports that.
        guard root >= 0 else { return FolderVisit() }
        defer { close(root) }
        var emptying = FolderEmptying(
            rules: rules,
            root: root,
            emptiedAgo: emptiedAgo,
            noteEmptied: noteEmptied,
            tell: tell
        )
        emptying.visit.isRemoved = emptying.empty([name], in: root)
        return emptying.visit
    }

    /// What was found in a folder.
    private struct Contents {
        /// Files of a kind that a system makes again.
        var remade: [[UInt8]] = []
        /// How many other entries are still there.
        var rest = 0
        /// How many entries were taken out in this visit.
        var taken = 0
    }

    /// Empties the folder at the end of a path.
    ///
    /// - Parameters:
    ///   - path: The names of the folders, from the one in the drop folder on.
    ///   - parent: The open folder that it is in.
    /// - Returns: Whether it was removed.
    private mutating func empty(_ path: [[UInt8]], in parent: Int32) -> Bool {
        let name = path[path.count - 1]
        let descriptor = unsafe filing_open_folder(parent, name.cString)
        guard descriptor >= 0 else {
            refuse(path, number: -descriptor)
            return false
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0,
            let place = FileStatus(of: descriptor)?.identity
        else { return false }
        if let cause = Self.refusal(of: descriptor, place, rules) {
            refuse(path, cause)
            return false
        }
        if visit.folders.count < Self.mostFolders { visit.folders.append(self.path(of: path)) }
        var contents = Contents()
        let number = FolderEntry.forEach(in: descriptor) { entry in
            if visit.moved >= Self.mostMoved {
                visit.hasMore = true
                contents.rest += 1
                return false
            }
            take(entry.name, entry.kind, of: path, descriptor, &contents)
            return true
        }
        if number != 0 { refuse(path, number: number) }
        let before = emptiedAgo(place)
        if contents.taken > 0 { noteEmptied(place) }
        guard number == 0, contents.rest == 0 else { return false }
        // A folder that was moved here whole may not have changed for long.
        let age = FileClock.now - status.st_mtim.seconds
        let isQuiet = contents.taken > 0 && age > rules.quiet.seconds
        guard isQuiet || (contents.taken == 0 && before.map { $0 >= rules.quiet } ?? false) else {
            return false
        }
        for name in contents.remade { _ = unsafe unlinkat(descriptor, name.cString, 0) }
        // If that is not allowed, or something new is in it, the folder stays.
        return unsafe unlinkat(parent, name.cString, AT_REMOVEDIR) == 0
    }

    /// Why a folder that could be opened is left alone; nil if it is not.
    private static func refusal(
        of descriptor: Int32,
        _ place: FileIdentity,
        _ rules: Rules
    ) -> FolderRefusal.Cause? {
        if rules.own.contains(place) { return .own }
        if FolderLayout.isWatched(descriptor) { return .watched }
        if unsafe faccessat(descriptor, ".", R_OK | W_OK | X_OK, 0) != 0 { return .locked(errno) }
        return nil
    }

    /// Handles one entry of a folder.
    private mutating func take(
        _ name: [UInt8],
        _ kind: FileStatus.Kind?,
        of path: [[UInt8]],
        _ folder: Int32,
        _ contents: inout Contents
    ) {
        switch kind {
        case _ where IgnoredNames.contains(name):
            if kind == .file && IgnoredNames.isRemade(name) {
                contents.remade.append(name)
            } else {
                contents.rest += 1
            }
        case .folder where path.count >= Self.mostDepth:
            contents.rest += 1
            refuse(path + [name], .tooDeep)
        case .folder:
            if empty(path + [name], in: folder) {
                contents.taken += 1
            } else {
                contents.rest += 1
            }
        case .file where FailureNote.isNote(name, in: folder): contents.rest += 1
        case .file where !isReady(name, in: folder):
            contents.rest += 1
            visit.isUnfinished = true
        case .file:
            if moveUp(name, of: path, folder) {
                contents.taken += 1
            } else {
                contents.rest += 1
            }
        case .link, .pipe, .device, .socket, .other:
            contents.rest += 1
            refuse(path + [name], kind == .link ? .link : .special)
        case nil: break
        }
    }

    /// Moves a file into the drop folder, under a name that is free there.
    ///
    /// - Returns: Whether it has left its folder.
    private mutating func moveUp(_ name: [UInt8], of path: [[UInt8]], _ folder: Int32) -> Bool {
        let whole = Self.name(name, in: path)
        for free in FreeNames(for: whole, at: FreeNames.present) {
            switch unsafe filing_move(folder, name.cString, root, free.cString) {
            case 0:
                visit.moved += 1
                tell(free)
                return true
            case ENOENT: return true
            case EEXIST: continue
            case let number where [EACCES, EPERM, EROFS].contains(number):
                refuse(path, .locked(number))
                return false
            case let number:
                refuse(path, number: number)
                return false
            }
        }
        refuse(path + [name], .error(EEXIST))
        return false
    }

    private mutating func refuse(_ path: [[UInt8]], number: Int32) {
        switch number {
        // Someone has taken it away or replaced it; the watch reports that.
        case ENOENT, ENOTDIR, ELOOP: break
        case EACCES, EPERM: refuse(path, .closed(number))
        case EXDEV: refuse(path, .otherFileSystem)
        default: refuse(path, .error(number))
        }
    }

    private mutating func refuse(_ path: [[UInt8]], _ cause: FolderRefusal.Cause) {
        let path = self.path(of: path)
        guard let index = visit.refusals.firstIndex(where: { $0.cause == cause }) else {
            return visit.refusals.append(FolderRefusal(cause: cause, path: path))
        }
        // If nothing can be taken out of a folder, every file in it reports the same.
        if visit.refusals[index].path != path { visit.refusals[index].count += 1 }
    }

    private func path(of names: [[UInt8]]) -> [UInt8] {
        rules.path + [UInt8(ascii: "/")] + names.joined(separator: [UInt8(ascii: "/")])
    }
}

// MARK: - Counting

extension FolderEmptying {
    /// Counts the files in folders in a drop folder, as far as this process may read them.
    ///
    /// - Parameters:
    ///   - path: The drop folder.
    ///   - names: The names in it that are not dropped folders.
    /// - Returns: The number.
    static func count(in path: [UInt8], besides names: Set<[UInt8]>) -> Int {
        let root = unsafe open(path.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { return 0 }
        defer { close(root) }
        return count(in: root, depth: 0, besides: names)
    }

    private static func count(in folder: Int32, depth: Int, besides names: Set<[UInt8]>) -> Int {
        var count = 0
        _ = FolderEntry.forEach(in: folder) { entry in
            let (name, kind) = (entry.name, entry.kind)
            if IgnoredNames.contains(name) || names.contains(name) { return true }
            if kind == .file && depth > 0 && !FailureNote.isNote(name, in: folder) { count += 1 }
            guard kind == .folder, depth < mostDepth else { return true }
            let inner = unsafe filing_open_folder(folder, name.cString)
            guard inner >= 0 else { return true }
            defer { close(inner) }
            if !FolderLayout.isWatched(inner) {
                count += self.count(in: inner, depth: depth + 1, besides: [])
            }
            return true
        }
        return count
    }
}

extension FolderLayout {
    /// Whether an open folder is, or was, a watched one.
    static func isWatched(_ folder: Int32) -> Bool {
        var status = stat()
        func has(_ name: String) -> Bool {
            unsafe fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0
        }
        return has(FolderLock.name) || has(LockFolder.name)
            || Destination.allCases.allSatisfy {
                has($0.rawValue) && status.st_mode & S_IFMT == S_IFDIR
            }
    }
}

// MARK: - Files

extension FolderEmptying {
    /// The name in the drop folder for a file from folders: the folders' names and its own.
    ///
    /// If it would be too long, the beginning of the folders' names is cut off.
    static func name(_ name: [UInt8], in folders: [[UInt8]]) -> [UInt8] {
        let separator = UInt8(ascii: "_")
        let origin = Array(folders.joined(separator: [separator]))
        // Leaves room for a number, so that the number cuts nothing off its own name.
        let room = FreeNames.longest - 24 - name.count - 1
        if origin.count <= room { return origin + [separator] + name }
        guard room > 1 else { return name }
        // The rest begins with a whole character, and the name is not hidden.
        let rest = origin.suffix(room - 1).drop { $0 & 0xC0 == 0x80 }
        return [separator] + rest + [separator] + name
    }

    /// Whether no program will come back to a file by its path.
    ///
    /// Checking both ends is enough: a file that is moved up too early is waited for in the drop folder,
    /// and its writer, who has it open, goes on writing.
    private func isReady(_ name: [UInt8], in folder: Int32) -> Bool {
        let descriptor = unsafe filing_open(folder, name.cString)
        var status = stat()
        guard descriptor >= 0 else {
            // If it may not be read, filing reports that.
            return unsafe fstatat(folder, name.cString, &status, AT_SYMLINK_NOFOLLOW) == 0
                && isSettled(status)
        }
        defer { close(descriptor) }
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return isSettled(status) || Self.looksWhole(descriptor, status.st_size)
    }

    private func isSettled(_ status: stat) -> Bool {
        // The clock may have been set back since then.
        abs(FileClock.now - status.st_ctim.seconds) >= rules.grace.seconds
    }

    private static func looksWhole(_ descriptor: Int32, _ byteCount: off_t) -> Bool {
        let longest = PictureCompleteness.ends.map(\.first.count).max() ?? 0
        let begin = bytes(of: descriptor, longest, at: 0)
        guard begin.count == longest, begin[0] != 0 else { return false }
        guard let ends = PictureCompleteness.ends.first(where: { begin.starts(with: $0.first) })
        else { return true }
        let end = ends.last
        return bytes(of: descriptor, end.count, at: byteCount - off_t(end.count)) == end
    }

    private static func bytes(of descriptor: Int32, _ count: Int, at place: off_t) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe pread(descriptor, &bytes, count, max(0, place))
        return Array(bytes.prefix(max(0, read)))
    }
}

extension timespec {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_nsec) / 1_000_000_000 }
}

extension Duration {
    fileprivate var seconds: Double { self / .seconds(1) }
}
