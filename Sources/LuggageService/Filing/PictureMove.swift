internal import CFiling
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// Moves a picture that was read to where it belongs, and no other file that has taken its name.
struct PictureMove {
    /// The file where it was dropped.
    let source: [UInt8]
    /// The file that was read.
    let image: TagImage
    /// The folder for it.
    let folder: String
    /// The present, in microseconds since 1970, for a name that nobody has.
    var microseconds: UInt64 = FreeNames.present

    /// Where a picture went.
    enum Outcome: Equatable {
        /// It is there now, under this name.
        case moved(name: [UInt8])
        /// Somebody has taken it away, or put another file in its place; that one stays.
        case gone
        /// Somebody has written to it since it was read; it stays, to be read again.
        case changed
    }

    /// Moves the picture under its own name, or under one with a number where that is taken.
    ///
    /// - Parameter prepare: Is told the name before the picture has it, and may leave a note under it;
    ///   where it says no, the next name is tried.
    /// - Returns: Where it went.
    /// - Throws: ``FilingError``; the picture is where it was then.
    func run(
        prepare: ([UInt8]) throws(FilingError) -> Bool = { _ in true }
    ) throws(FilingError) -> Outcome {
        for name in FreeNames(for: source.lastComponent, at: microseconds) {
            guard isThere(source) else { return .gone }
            guard image.isUnchanged else { return .changed }
            let destination = Array("\(folder)/".utf8) + name
            // Looked at beforehand as well, so that the note of the picture that is there is left alone.
            guard !exists(destination), try prepare(name) else { continue }
            switch unsafe filing_move(AT_FDCWD, source.cString, AT_FDCWD, destination.cString) {
            case 0: return moved(to: destination, name)
            case EEXIST: continue
            case ENOENT where !isThere(source): return .gone
            case EXDEV: return try copy(to: destination) ? .moved(name: name) : .gone
            case let number:
                throw FilingError(number, "\(source.displayText) cannot be moved to \(folder)")
            }
        }
        throw FilingError(EEXIST, "\(source.displayText) cannot be moved to \(folder)")
    }

    /// Looks whether what was moved is what was read; otherwise it goes back to where it was dropped.
    private func moved(to destination: [UInt8], _ name: [UInt8]) -> Outcome {
        let isOther = !isThere(destination)
        if !isOther && image.hasUnchangedBytes { return .moved(name: name) }
        _ = unsafe filing_move(AT_FDCWD, destination.cString, AT_FDCWD, source.cString)
        return isOther ? .gone : .changed
    }

    private func exists(_ path: [UInt8]) -> Bool {
        var status = stat()
        return unsafe lstat(path.cString, &status) == 0
    }

    private func isThere(_ path: [UInt8]) -> Bool {
        var status = stat()
        return unsafe lstat(path.cString, &status) == 0 && UInt64(status.st_ino) == image.fileNumber
    }

    /// Moves the picture to another file system: its copy is complete and on the disk before it goes.
    ///
    /// - Returns: Whether it is there now; otherwise it was taken away meanwhile.
    private func copy(to destination: [UInt8]) throws(FilingError) -> Bool {
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
        if isThere(source), unsafe unlink(source.cString) != 0 {
            let number = errno
            _ = unsafe unlink(destination.cString)
            throw FilingError(number, "\(source.displayText) cannot be taken away")
        }
        return true
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

extension [UInt8] {
    /// The name at the end of a path.
    var lastComponent: [UInt8] {
        split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? self
    }

    /// The bytes as a person sees them.
    var displayText: String { String(decoding: self, as: UTF8.self) }
}
