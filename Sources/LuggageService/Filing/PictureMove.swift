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
            if isMoveCutOff(to: destination) {
                try removeSource()
                return .moved(name: name)
            }
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

    func isThere(_ path: [UInt8]) -> Bool {
        var status = stat()
        return unsafe lstat(path.cString, &status) == 0 && UInt64(status.st_ino) == image.fileNumber
    }
}
