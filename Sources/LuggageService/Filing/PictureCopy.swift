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
    /// - Returns: Whether it is there now; otherwise it was taken away meanwhile.
    func copy(to destination: [UInt8]) throws(FilingError) -> Bool {
        let what = "\(source.displayText) cannot be copied to \(folder)"
        let input = unsafe filing_open(AT_FDCWD, source.cString)
        if input == -ENOENT { return false }
        guard input >= 0 else { throw FilingError(-input, what) }
        defer { close(input) }
        var status = stat()
        guard unsafe fstat(input, &status) == 0, UInt64(status.st_ino) == image.fileNumber else {
            return false
        }
        let temporary = Array("\(folder)/.luggage-\(image.fileNumber).part".utf8)
        let output = unsafe open(temporary.cString, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw FilingError(errno, what) }
        var failure = Self.copyBytes(from: input, to: output, status)
        close(output)
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
            throw FilingError(failure, what)
        }
        do throws(FilingError) {
            if isThere(source) { try removeSource() }
        } catch {
            _ = unsafe unlink(destination.cString)
            throw error
        }
        return true
    }

    /// Ends a move of which all but the last step was done, when the source was to be removed.
    func removeSource() throws(FilingError) {
        guard unsafe unlink(source.cString) != 0 else { return }
        throw FilingError(errno, "\(source.displayText) cannot be taken away")
    }

    /// Whether the picture has its new name already, and only the old one was left to be removed: as
    /// where the process was killed between copying and removing.
    func isMoveCutOff(to destination: [UInt8]) -> Bool {
        var (old, new) = (stat(), stat())
        guard unsafe lstat(source.cString, &old) == 0,
            unsafe lstat(destination.cString, &new) == 0,
            new.st_mode & S_IFMT == S_IFREG,
            old.st_size == new.st_size
        else { return false }
        // On a file system that cannot rename without replacing, it has both names for a moment.
        if old.st_dev == new.st_dev { return old.st_ino == new.st_ino }
        return Self.haveSameBytes(source, destination)
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

    private static func copyBytes(from input: Int32, to output: Int32, _ status: stat) -> Int32 {
        var left = Int(status.st_size)
        while left > 0 {
            let count = sendfile(output, input, nil, left)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return errno }
            if count == 0 { break }
            left -= count
        }
        let times = [status.st_atim, status.st_mtim]
        // Owner and times as they were, as far as they can be had; the copy counts without them.
        _ = fchmod(output, status.st_mode & 0o777)
        _ = unsafe futimens(output, times)
        return fsync(output) == 0 ? 0 : errno
    }
}
