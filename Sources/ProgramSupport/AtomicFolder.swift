internal import Foundation
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// A new folder that is there as a whole or not at all.
///
/// It is filled beside its place under another name, and put there when everything in it is durable.
package struct AtomicFolder: ~Copyable {
    private var place: AtomicPlace

    /// Begins to fill it.
    ///
    /// - Parameter path: The place, where nothing is yet, or an empty folder.
    /// - Throws: `Failure` where nothing can be written there.
    package init(path: String) throws {
        let resolved = AtomicPlace.resolved(path)
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
    ///   - bytes: What is in it.
    ///   - name: Its name.
    /// - Throws: `Failure` where it cannot be written.
    package func add(_ bytes: [UInt8], named name: String) throws {
        let file = "\(place.temporary)/\(name)"
        let descriptor = unsafe open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        if descriptor < 0 { throw failure(name, errno) }
        defer { close(descriptor) }
        let number = bytes.writeAll(to: descriptor)
        if number != 0 { throw failure(name, number) }
        if fsync(descriptor) != 0 { throw failure(name, errno) }
    }

    /// Puts the folder in its place.
    package mutating func finish() throws {
        place.temporary.synchronizeFolder()
        try Self.checkIsFree(place.path, calledBy: place.path)
        // An empty folder that is there gives way; one that somebody has just filled does not.
        if unsafe rename(place.temporary, place.path) != 0 {
            let reason = describe(errorNumber: errno)
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
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        let isFree =
            status.st_mode & S_IFMT == S_IFDIR
            && (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true
        if isFree { return }
        throw Failure(
            .cannotCreate,
            "\(name) is there already, and no empty folder; choose another name"
        )
    }
}
