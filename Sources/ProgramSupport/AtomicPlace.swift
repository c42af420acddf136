internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// A file or folder that is made beside its place, under a hidden name, until it is complete.
///
/// Unless it was moved to its place, it is removed with this value, or when a signal ends the program.
/// If a program could do neither, the next one that writes to the same place removes it; a lock tells
/// that one whether another process still works on it.
struct AtomicPlace: ~Copyable {
    /// The kind of thing that is made.
    enum Kind {
        case file
        /// A file that only its owner may read.
        case privateFile
        case folder
        /// A folder that only its owner may open.
        case privateFolder
    }

    /// The path of the place.
    let path: String
    /// The path beside it.
    let temporary: String
    /// The file or folder, which is locked while this is open.
    let descriptor: Int32

    private var isSettled = false

    /// The most names that are tried, if another process removes the earlier ones.
    private static let attempts = 8

    /// Makes something beside a place.
    ///
    /// - Parameters:
    ///   - kind: The kind of thing.
    ///   - path: The path of the place.
    ///   - words: The error message before the reason.
    /// - Throws: `Failure`.
    init(_ kind: Kind, beside path: String, failing words: String) throws {
        let names = HiddenName(of: path)
        names.clearLeftovers()
        for _ in 0..<Self.attempts {
            let temporary = names.another()
            InterruptedWork.remember(temporary)
            let descriptor = Self.make(kind, temporary)
            let number = errno
            if descriptor >= 0 && Self.hold(descriptor, temporary) {
                self.path = path
                self.temporary = temporary
                self.descriptor = descriptor
                return
            }
            InterruptedWork.forget()
            if descriptor < 0 {
                let remedy = number == ENOENT ? "; make its folder first" : ""
                throw Failure(.cannotCreate, "\(words): \(describe(errorNumber: number))\(remedy)")
            }
            close(descriptor)
        }
        throw Failure(.cannotCreate, "\(words): another program removes what is written; try again")
    }

    deinit {
        if !isSettled {
            unsafe filing_remove(temporary)
            InterruptedWork.forget()
        }
        close(descriptor)
    }

    /// Marks it as moved to its place, and waits until the move is on the disk, if the file system can.
    mutating func settle() {
        isSettled = true
        InterruptedWork.forget()
        path.parentPath.synchronizeFolder()
    }

    private static func make(_ kind: Kind, _ path: String) -> Int32 {
        switch kind {
        case .file, .privateFile:
            let mode: mode_t = kind == .file ? 0o666 : 0o600
            return unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        case .folder, .privateFolder:
            if unsafe mkdir(path, kind == .folder ? 0o777 : 0o700) != 0 { return -1 }
            return unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
    }

    /// Locks the new file; false if another process was quicker and took it for a leftover.
    private static func hold(_ descriptor: Int32, _ path: String) -> Bool {
        if filing_hold(descriptor) == EWOULDBLOCK { return false }
        let own = FileStatus(of: descriptor)?.identity
        return own != nil && own == FileStatus(at: path)?.identity
    }
}

/// The hidden names beside a place.
private struct HiddenName {
    private let folder: String
    private let beginning: String

    init(of path: String) {
        folder = path.parentPath
        beginning = ".\(path.lastPathComponent).partial-"
    }

    /// A path that nobody uses.
    func another() -> String { "\(folder)/\(beginning)\(UUID().uuidString.prefix(8))" }

    /// Removes what killed programs have left.
    func clearLeftovers() {
        _ = FolderEntry.forEach(at: Array("\(folder)/".utf8)) { entry in
            clear(entry.name.pathText)
            return true
        }
    }

    private func clear(_ name: String) {
        let ending = name.dropFirst(beginning.count)
        guard name.hasPrefix(beginning), ending.count == 8, ending.allSatisfy(\.isHexDigit) else {
            return
        }
        let path = "\(folder)/\(name)"
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        // If the file system has no locks, nobody can tell.
        if filing_hold(descriptor) == 0 { unsafe filing_remove(path) }
        close(descriptor)
    }
}
