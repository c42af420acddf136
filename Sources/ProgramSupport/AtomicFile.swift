internal import CFiling
internal import Foundation
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// A file that is there as a whole or not at all.
///
/// It is written beside its place under another name, and put there when it is durable. Until then
/// whatever was there stays.
package struct AtomicFile: ~Copyable {
    private let place: AtomicPlace
    private let replaces: Bool
    private var descriptor: Int32

    /// Begins to write.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - replaces: Whether a file that is there may be replaced.
    /// - Throws: `Failure` where nothing can be written there.
    package init(path: String, replaces: Bool) throws {
        let place = AtomicPlace(path)
        var status = stat()
        if unsafe stat(place.path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw Failure(
                    .cannotCreate,
                    "\(path) is not a regular file; write to standard output instead"
                )
            }
            if !replaces { throw Self.exists(path) }
        }
        let descriptor = unsafe open(
            place.temporary,
            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
            0o666
        )
        if descriptor < 0 {
            let reason = describe(errorNumber: errno)
            throw Failure(.cannotCreate, "\(path) cannot be written: \(reason)")
        }
        InterruptedFile.remember(place.temporary)
        self.place = place
        self.replaces = replaces
        self.descriptor = descriptor
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unsafe unlink(place.temporary)
        InterruptedFile.forget()
    }

    /// Adds bytes.
    package func write(_ bytes: [UInt8]) throws {
        let number = StandardStreams.write(bytes, to: descriptor)
        if number != 0 { throw failure(number) }
    }

    /// Makes the file durable and puts it in its place.
    package mutating func finish() throws {
        if fsync(descriptor) != 0 { throw failure(errno) }
        let number =
            replaces
            ? unsafe rename(place.temporary, place.path) == 0 ? 0 : errno
            // Unlike plain renaming, this fails where somebody was quicker.
            : unsafe filing_move(AT_FDCWD, place.temporary, AT_FDCWD, place.path)
        if number == EEXIST && !replaces { throw Self.exists(place.path) }
        if number != 0 { throw failure(number) }
        InterruptedFile.forget()
        close(descriptor)
        descriptor = -1
        AtomicPlace.synchronize(place.folder)
    }

    private func failure(_ number: Int32) -> Failure {
        Failure(.ioFailed, "\(place.path) cannot be written: \(describe(errorNumber: number))")
    }

    private static func exists(_ path: String) -> Failure {
        Failure(
            .cannotCreate,
            "\(path) is there already; choose another name, or replace it with --force"
        )
    }
}
