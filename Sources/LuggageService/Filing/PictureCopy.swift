internal import CFiling
internal import Foundation
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// A move that takes several steps: to another file system, or on one that cannot do it in one.
extension PictureMove {
    /// Moves the picture to another file system: its copy is complete and on the disk before it goes.
    ///
    /// What somebody who has it open writes to it meanwhile is put back where it was dropped: the copy
    /// is what is on record.
    ///
    /// - Returns: Where it went; nil where the name is taken.
    func copy(to destination: [UInt8], _ name: [UInt8]) throws(FilingError) -> Outcome? {
        let what = "\(source.displayText) cannot be copied to \(folder)"
        let temporary = Array("\(folder)/.luggage-\(image.fileNumber).part".utf8)
        let output = unsafe open(temporary.cString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw FilingError(errno, what) }
        var failure = copyBytes(to: output)
        close(output)
        guard failure != 0 || image.hasUnchangedBytes else {
            _ = unsafe unlink(temporary.cString)
            return .changed
        }
        if failure == 0 {
            failure = unsafe filing_move(
                AT_FDCWD,
                temporary.cString,
                AT_FDCWD,
                destination.cString
            )
        }
        guard failure == 0 else {
            _ = unsafe unlink(temporary.cString)
            if failure == EEXIST { return nil }
            throw FilingError(failure, what)
        }
        observe(.copied)
        // Where that fails, the copy stays: the next try finds it, and has only this left to do.
        if try !remove() { try claim.putBack() }
        return .moved(name: name)
    }

    /// Ends a move of which all but the last step was done, when the picture was to be removed.
    ///
    /// - Parameter name: The name that it has already where it belongs.
    /// - Returns: What has become of it.
    /// - Throws: ``FilingError``; both are there then.
    func endMove(to name: [UInt8]) throws(FilingError) -> Outcome {
        try remove() ? .moved(name: name) : .changed
    }

    /// Removes the picture of which there is a copy where it belongs.
    ///
    /// - Returns: Whether it is; not where somebody has written to it, or put another in its place.
    private func remove() throws(FilingError) -> Bool {
        guard isThere(claim.path), image.hasUnchangedBytes else { return false }
        guard unsafe unlink(claim.path.cString) != 0, errno != ENOENT else { return true }
        throw FilingError(errno, "\(source.displayText) cannot be taken away")
    }

    /// Whether the picture has its new name already, and only the old one was left to be removed: as
    /// where the process was killed between copying and removing.
    func isMoveCutOff(to destination: [UInt8]) -> Bool {
        var (old, new) = (stat(), stat())
        guard unsafe lstat(claim.path.cString, &old) == 0,
            unsafe lstat(destination.cString, &new) == 0,
            new.st_mode & S_IFMT == S_IFREG,
            old.st_size == new.st_size
        else { return false }
        // On a file system that cannot rename without replacing, it has both names for a moment.
        if old.st_dev == new.st_dev { return old.st_ino == new.st_ino }
        return Self.haveSameBytes(claim.path, destination)
    }

    private static func haveSameBytes(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        let files = [first, second].map { path in
            FileHandle(
                fileDescriptor: unsafe filing_open(AT_FDCWD, path.cString),
                closeOnDealloc: true
            )
        }
        do {
            while true {
                let pieces = try files.map { try $0.read(upToCount: 1 << 16) ?? Data() }
                if pieces[0] != pieces[1] { return false }
                if pieces[0].isEmpty { return true }
            }
        } catch {
            return false
        }
    }

    private func copyBytes(to output: Int32) -> Int32 {
        var status = stat()
        guard unsafe fstat(image.descriptor, &status) == 0 else { return errno }
        var offset = 0
        while offset < image.byteCount {
            let count = unsafe sendfile(output, image.descriptor, &offset, image.byteCount - offset)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return errno }
            if count == 0 { break }
        }
        let times = [status.st_atim, status.st_mtim]
        // Owner and times as they were, as far as they can be had; the copy counts without them.
        _ = fchmod(output, status.st_mode & 0o777)
        _ = unsafe futimens(output, times)
        return fsync(output) == 0 ? 0 : errno
    }
}
