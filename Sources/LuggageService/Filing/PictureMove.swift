internal import TagReading
internal import System

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
    var folder: HeldFolder
    /// The present, in microseconds since 1970, for a name that nobody has.
    var microseconds: UInt64 = FreeNames.present
    /// Whether it was tried before, and the picture was put back.
    var wasPutBack = false
    /// What was read of it, which a copy must have too; nil where that is not known.
    var content: Content?
    /// The file in a folder where nobody else gives names; nil where others may drop files, and it gets
    /// a hidden name for as long as it is moved.
    var held: FilePlace?
    /// Whose pictures are moved, and not copied.
    var user = geteuid()
    /// Is told what comes next.
    var observe: (Step) -> Void = { _ in }

    /// What a picture has in it.
    struct Content {
        /// As a scan of it has it.
        let digest: String
        /// How much of the picture that is of.
        let limits: ReadLimits
    }

    /// What has happened, or is about to.
    enum Step {
        /// The picture is about to be taken hold of.
        case claiming
        /// It has its hidden name.
        case claimed
        /// What is to be beside it is there, and it is about to be moved.
        case prepared
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
    /// - Parameters:
    ///   - prepare: Is told the name before the picture has it, and may leave a note under it; where it
    ///     says no, the next name is tried.
    ///   - withdraw: Is told a name that was prepared, and that the picture does not get after all.
    /// - Returns: Where it went.
    /// - Throws: ``FilingError``; the picture is where it was dropped then, under its name or one like
    ///   it, or where the error says.
    func run(
        prepare: ([UInt8]) throws(FilingError) -> Bool = { _ in true },
        withdraw: ([UInt8]) -> Void = { _ in }
    ) throws(FilingError) -> Outcome {
        guard isThere(held ?? FilePlace(source)) else { return .gone }
        // Putting it back has changed what the system says of its names.
        guard wasPutBack ? image.hasUnchangedBytes : image.isUnchanged else { return .changed }
        guard held == nil else { return try moveClaimed(prepare, withdraw) }
        observe(.claiming)
        guard try claim.take() else { return .gone }
        observe(.claimed)
        let outcome: Outcome
        do throws(FilingError) {
            outcome = try moveClaimed(prepare, withdraw)
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

    /// Where it is while it is moved.
    var claimed: FilePlace { held ?? FilePlace(claim.path) }

    /// Moves what has the hidden name, or is held, where that is what was read.
    ///
    /// - Returns: Where it went; what did not go is where it was.
    private func moveClaimed(
        _ prepare: ([UInt8]) throws(FilingError) -> Bool,
        _ withdraw: ([UInt8]) -> Void
    ) throws(FilingError) -> Outcome {
        for name in FreeNames(for: source.lastComponent, at: microseconds) {
            guard isThere(claimed) else { return .gone }
            guard image.hasUnchangedBytes else { return .changed }
            let destination = FilePlace(name, in: folder)
            if destination.status != nil {
                // The note of a picture that is there is left alone.
                if isMoveCutOff(to: destination) { return try endMove(to: destination) }
            } else if try prepare(name) {
                let step = try place(at: destination) { withdraw(name) }
                if let outcome = try finish(step, at: destination) { return outcome }
            }
        }
        throw FilingError(EEXIST, "\(source.displayText) cannot be moved to \(folder.path)")
    }

    /// How far a picture has come on the way to a free name.
    enum Placing {
        /// It has the name, and no other.
        case renamed
        /// Its copy has the name.
        case copied(CopyMark?)
        /// Another file has got the name meanwhile.
        case taken
        /// Somebody has taken the picture away.
        case gone
        /// Somebody has written to it since it was read.
        case changed
    }

    /// Brings the picture, or its copy, to a free name.
    ///
    /// - Parameters:
    ///   - destination: The path with that name.
    ///   - withdraw: Is called where nothing of the picture is there.
    /// - Returns: What came of it.
    /// - Throws: ``FilingError``.
    private func place(
        at destination: FilePlace,
        orElse withdraw: () -> Void
    ) throws(FilingError) -> Placing {
        do throws(FilingError) {
            observe(.prepared)
            // Its owner could change it where it is filed.
            let renaming = isAnothers ? nil : try rename(to: destination)
            let placing = if let renaming { renaming } else { try copy(to: destination) }
            switch placing {
            case .renamed, .copied: break
            case .taken, .gone, .changed: withdraw()
            }
            return placing
        } catch {
            // Where it cannot be renamed without replacing, it may have both names.
            if !isThere(destination) { withdraw() }
            throw error
        }
    }

    /// Does what is left to do once the picture or its copy has its name.
    ///
    /// - Returns: Where it went; nil where that is still to be found.
    /// - Throws: ``FilingError``.
    private func finish(
        _ placing: Placing,
        at destination: FilePlace
    ) throws(FilingError) -> Outcome? {
        switch placing {
        case .renamed: .moved(name: destination.path.lastComponent)
        case .copied(let mark): try endCopy(to: destination, mark)
        case .taken: nil
        case .gone: .gone
        case .changed: .changed
        }
    }

    /// Gives the picture a free name on the same file system.
    ///
    /// - Returns: What came of it; nil where the name is on another file system.
    /// - Throws: ``FilingError``.
    private func rename(to destination: FilePlace) throws(FilingError) -> Placing? {
        guard image.hasUnchangedBytes else { return .changed }
        switch claimed.move(to: destination) {
        // What is put back where it was dropped, a service may have taken already.
        case 0 where held != nil: return .renamed
        case 0: return try isLeftAlone(at: destination) ? .renamed : .changed
        case EXDEV: return nil
        case EEXIST: return .taken
        case ENOENT where !isThere(claimed): return .gone
        case let number:
            throw FilingError(number, "\(source.displayText) cannot be moved to \(folder.path)")
        }
    }

    /// Looks whether somebody who had it open has written to it even now; then it goes back to where it
    /// was dropped.
    private func isLeftAlone(at destination: FilePlace) throws(FilingError) -> Bool {
        if isThere(destination) && image.hasUnchangedBytes { return true }
        try claim.putBack(from: destination)
        return false
    }

    func isThere(_ place: FilePlace) -> Bool {
        place.identity?.number == image.fileNumber
    }
}
