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
    /// Whether it was tried before, and the picture was put back.
    var wasPutBack = false
    /// Is told what comes next.
    var observe: (Step) -> Void = { _ in }

    /// What has happened, or is about to.
    enum Step {
        /// The picture is about to be taken hold of.
        case claiming
        /// It has its hidden name.
        case claimed
        /// Its copy is where it belongs, and it is about to be removed.
        case copied
    }

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
    ///   where it says no, the next name is tried. Nil where there is nothing to prepare.
    /// - Returns: Where it went.
    /// - Throws: ``FilingError``; the picture is where it was dropped then, under its name or one like
    ///   it, or where the error says.
    func run(
        prepare: (([UInt8]) throws(FilingError) -> Bool)? = nil
    ) throws(FilingError) -> Outcome {
        guard isThere(source) else { return .gone }
        // Putting it back has changed what the system says of its names.
        guard wasPutBack ? image.hasUnchangedBytes : image.isUnchanged else { return .changed }
        observe(.claiming)
        guard try claim.take() else { return .gone }
        observe(.claimed)
        let outcome: Outcome
        do throws(FilingError) {
            outcome = try moveClaimed(prepare)
        } catch {
            try claim.putBack()
            throw error
        }
        switch outcome {
        case .moved: break
        case .gone, .changed: try claim.putBack()
        }
        return outcome
    }

    var claim: ClaimedPicture { ClaimedPicture(source: source) }

    /// Moves what has the hidden name, where that is what was read.
    ///
    /// - Returns: Where it went; what did not go has the hidden name still.
    private func moveClaimed(
        _ prepare: (([UInt8]) throws(FilingError) -> Bool)?
    ) throws(FilingError) -> Outcome {
        let claimed = claim.path
        for name in FreeNames(for: source.lastComponent, at: microseconds) {
            guard isThere(claimed) else { return .gone }
            guard image.hasUnchangedBytes else { return .changed }
            let destination = Array("\(folder)/".utf8) + name
            // The note of a picture that is there is left alone.
            let isTaken = prepare != nil && exists(destination)
            if !isTaken, let prepare {
                guard try prepare(name) else { continue }
                guard image.hasUnchangedBytes else { return .changed }
            }
            let number =
                isTaken
                ? EEXIST
                : unsafe filing_move(AT_FDCWD, claimed.cString, AT_FDCWD, destination.cString)
            switch number {
            case 0: return try moved(to: destination, name)
            case EEXIST:
                if isMoveCutOff(to: destination) { return try endMove(to: name) }
            case ENOENT where !isThere(claimed): return .gone
            case EXDEV:
                if isMoveCutOff(to: destination) { return try endMove(to: name) }
                guard !exists(destination), let outcome = try copy(to: destination, name)
                else { continue }
                return outcome
            default:
                throw FilingError(number, "\(source.displayText) cannot be moved to \(folder)")
            }
        }
        throw FilingError(EEXIST, "\(source.displayText) cannot be moved to \(folder)")
    }

    /// Looks whether somebody who had it open has written to it even now; then it goes back to where it
    /// was dropped.
    private func moved(
        to destination: [UInt8],
        _ name: [UInt8]
    ) throws(FilingError) -> Outcome {
        if isThere(destination) && image.hasUnchangedBytes { return .moved(name: name) }
        try claim.putBack(from: destination)
        return .changed
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
