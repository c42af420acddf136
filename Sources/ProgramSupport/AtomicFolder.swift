internal import Glibc
internal import SystemSupport

/// A new folder that is written as a whole or not at all.
///
/// It is filled beside its place under another name, and moved there when all its files are durable.
package struct AtomicFolder: ~Copyable {
    private var place: AtomicPlace

    /// Begins to fill it.
    ///
    /// - Parameter path: The place; nothing is there yet, or an empty folder.
    /// - Throws: `Failure` if nothing can be written there.
    package init(path: String) throws {
        let resolved = path.behindLinks
        try Self.checkIsFree(resolved, calledBy: path)
        place = try AtomicPlace(
            .folder,
            beside: resolved,
            failing: "the folder \(path) cannot be made"
        )
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - bytes: Its content.
    ///   - name: Its name.
    /// - Throws: `Failure` if it cannot be written.
    package func add(_ bytes: [UInt8], named name: String) throws {
        let file = "\(place.temporary)/\(name)"
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw failure(name, errno) }
        defer { close(descriptor) }
        let number = bytes.writeAll(to: descriptor)
        if number != 0 { throw failure(name, number) }
        if fsync(descriptor) != 0 { throw failure(name, errno) }
    }

    /// Moves the folder to its place.
    package mutating func finish() throws {
        place.temporary.synchronizeFolder()
        try Self.checkIsFree(place.path, calledBy: place.path)
        // The rename replaces an empty folder, but fails if someone has just filled it.
        let number = place.temporary.move(to: place.path, replacing: true)
        if number != 0 {
            let reason = describe(errorNumber: number)
            throw Failure(.ioFailed, "\(place.path) cannot be written: \(reason)")
        }
        place.settle()
    }

    private func failure(_ name: String, _ number: Int32) -> Failure {
        Failure(
            .ioFailed,
            "\(place.path)/\(name) cannot be written: \(describe(errorNumber: number))"
        )
    }

    private static func checkIsFree(_ path: String, calledBy name: String) throws {
        let status = FileStatus(at: path, followsLinks: false)
        if status == nil {
            // A file that is named with a slash at its end is none, and no folder either.
            let isFile = errno == ENOTDIR && path.utf8.last == UInt8(ascii: "/")
            guard isFile, FileStatus(at: String(path.dropLast())) != nil else { return }
        }
        var isFree = status?.kind == .folder
        let number = FolderEntry.forEach(at: Array(path.utf8)) { _ in
            isFree = false
            return false
        }
        if isFree && number == 0 { return }
        throw Failure(
            .cannotCreate,
            "\(name) is there already, and is not an empty folder; choose another name"
        )
    }
}
