internal import CLinux
internal import Foundation
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// A file or folder that is made beside its place, under a hidden name, until it is whole.
///
/// Unless it is put in its place it goes with this value, and when a signal ends the program. What a
/// program has left that could do neither, the next one clears away that writes to the same place: a
/// lock tells it whether somebody is still at work.
struct AtomicPlace: ~Copyable {
    /// What is made.
    enum Kind {
        case file
        case folder
        /// One that nobody else may look into.
        case privateFolder
    }

    /// The path of the place.
    let path: String
    /// The path beside it.
    let temporary: String
    /// The file, or the folder, which is locked as long as this is open.
    let descriptor: Int32

    private var isSettled = false

    /// How often another name is tried, where somebody clears the first one away.
    private static let attempts = 8

    /// Makes something beside a place.
    ///
    /// - Parameters:
    ///   - kind: What is made.
    ///   - path: The path of the place.
    ///   - words: What is said where that fails, before the reason.
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
                throw Failure(.cannotCreate, "\(words): \(describe(errorNumber: number))")
            }
            close(descriptor)
        }
        throw Failure(.cannotCreate, "\(words): somebody takes away what is written")
    }

    deinit {
        if !isSettled {
            unsafe filing_remove(temporary)
            InterruptedWork.forget()
        }
        close(descriptor)
    }

    /// Takes note that it is in its place now, and waits until that is on the disk, where the
    /// file system can do so.
    mutating func settle() {
        isSettled = true
        InterruptedWork.forget()
        (path as NSString).deletingLastPathComponent.synchronizeFolder()
    }

    /// The path to which links lead.
    static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    private static func make(_ kind: Kind, _ path: String) -> Int32 {
        switch kind {
        case .file:
            return unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        case .folder, .privateFolder:
            if unsafe mkdir(path, kind == .folder ? 0o777 : 0o700) != 0 { return -1 }
            return unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
    }

    /// Locks what was made; false where somebody was quicker, and takes it for a leftover.
    private static func hold(_ descriptor: Int32, _ path: String) -> Bool {
        if filing_hold(descriptor) == EWOULDBLOCK { return false }
        let own = FileIdentity(of: descriptor)
        return own != nil && own == FileIdentity(at: path)
    }
}

/// The hidden names beside a place.
private struct HiddenName {
    private let folder: String
    private let beginning: String

    init(of path: String) {
        folder = (path as NSString).deletingLastPathComponent
        beginning = ".\((path as NSString).lastPathComponent).partial-"
    }

    /// The path of one that nobody has.
    func another() -> String { "\(folder)/\(beginning)\(UUID().uuidString.prefix(8))" }

    /// Removes what was left by programs that were killed.
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
        // Where there are no locks nobody can tell.
        if filing_hold(descriptor) == 0 { unsafe filing_remove(path) }
        close(descriptor)
    }
}
