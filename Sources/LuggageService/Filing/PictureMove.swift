internal import Glibc
internal import TagReading
internal import SystemSupport

/// Moves a picture that was read to its folder, and no other file that has taken its name.
struct PictureMove {
    /// The file where it was dropped.
    let source: [UInt8]
    /// The file that was read.
    let image: TagImage
    /// The destination folder.
    var folder: HeldFolder
    /// The current time, in microseconds since 1970, for a name that nobody has.
    var microseconds: UInt64 = FreeNames.present
    /// Whether an earlier try failed and put the picture back.
    var wasPutBack = false
    /// What was read of it, which a copy must match; nil if not known.
    var content: Content?
    /// The file in a folder in which only the service gives names; nil if others may drop files there.
    ///
    /// If nil, the file gets a hidden name during the move.
    var held: FilePlace?
    /// The user whose pictures are moved; those of others are copied.
    var user = geteuid()
    /// Called with each step.
    var observe: (Step) -> Void = { _ in }

    /// The content of a picture.
    struct Content {
        /// The digest, as a scan computes it.
        let digest: String
        /// How much of the picture the digest covers.
        let limits: ReadLimits
    }

    /// A step that has happened, or is about to.
    enum Step {
        /// The service is about to claim the picture.
        case claiming
        /// It has its hidden name.
        case claimed
        /// The note is there, and the picture is about to be moved.
        case prepared
        /// Its copy is in its folder, and the picture is about to be removed.
        case copied
    }

    /// Where a picture went.
    enum Outcome: Equatable {
        /// It is there now, under this name.
        case moved(name: [UInt8])
        /// Someone has taken it away, or put another file in its place; that file stays.
        case gone
        /// Someone has written to it since it was read; it stays, to be read again.
        case changed
    }

    /// Moves the picture under its own name, or with a number in it if that is taken.
    ///
    /// - Parameters:
    ///   - prepare: Gets the name before the picture has it, and may leave a note under it; if it
    ///     returns false, the next name is tried.
    ///   - withdraw: Gets a prepared name that the picture does not get after all.
    /// - Returns: Where it went.
    /// - Throws: ``FilingError``; the picture is then where it was dropped, under its name or one like
    ///   it, or where the error says.
    func run(
        prepare: ([UInt8]) throws(FilingError) -> Bool = { _ in true },
        withdraw: ([UInt8]) -> Void = { _ in }
    ) throws(FilingError) -> Outcome {
        guard isThere(held ?? FilePlace(source)) else { return .gone }
        // Putting it back has changed its status change time.
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

    /// Where the picture is during the move.
    var claimed: FilePlace { held ?? FilePlace(claim.path) }

    /// Moves the claimed or held file, if it is the one that was read.
    ///
    /// - Returns: Where it went; a file that was not moved is where it was.
    private func moveClaimed(
        _ prepare: ([UInt8]) throws(FilingError) -> Bool,
        _ withdraw: ([UInt8]) -> Void
    ) throws(FilingError) -> Outcome {
        for name in FreeNames(for: source.lastComponent, at: microseconds) {
            guard isThere(claimed) else { return .gone }
            guard image.hasUnchangedBytes else { return .changed }
            let destination = FilePlace(name, in: folder)
            if destination.status != nil {
                // A picture that is there keeps its note.
                if isMoveCutOff(to: destination) { return try endMove(to: destination) }
            } else if try prepare(name) {
                let step = try place(at: destination) { withdraw(name) }
                if let outcome = try finish(step, at: destination) { return outcome }
            }
        }
        throw FilingError(EEXIST, "\(source.displayText) cannot be moved to \(folder.path)")
    }

    /// How far a picture is on the way to a free name.
    enum Placing {
        /// It has the name, and no other.
        case renamed
        /// Its copy has the name.
        case copied(CopyMark?)
        /// Another file has taken the name meanwhile.
        case taken
        /// Someone has taken the picture away.
        case gone
        /// Someone has written to it since it was read.
        case changed
    }

    /// Moves the picture, or a copy of it, to a free name.
    ///
    /// - Parameters:
    ///   - destination: The path with that name.
    ///   - withdraw: Called if nothing of the picture is there.
    /// - Returns: The result.
    /// - Throws: ``FilingError``.
    private func place(
        at destination: FilePlace,
        orElse withdraw: () -> Void
    ) throws(FilingError) -> Placing {
        do throws(FilingError) {
            observe(.prepared)
            // The owner of a moved picture could change it in its folder.
            let renaming = isAnothers ? nil : try rename(to: destination)
            let placing = if let renaming { renaming } else { try copy(to: destination) }
            switch placing {
            case .renamed, .copied: break
            case .taken, .gone, .changed: withdraw()
            }
            return placing
        } catch {
            // If the file system cannot rename without replacing, it may have both names.
            if !isThere(destination) { withdraw() }
            throw error
        }
    }

    /// Does the rest once the picture or its copy has its name.
    ///
    /// - Returns: Where it went; nil if the next name is to be tried.
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
    /// - Returns: The result; nil if the name is on another file system.
    /// - Throws: ``FilingError``.
    private func rename(to destination: FilePlace) throws(FilingError) -> Placing? {
        guard image.hasUnchangedBytes else { return .changed }
        switch claimed.move(to: destination) {
        // It may be given back to where a service takes it at once, and others get its name.
        case 0 where held != nil: return .renamed
        case 0: return try isLeftAlone(at: destination) ? .renamed : .changed
        case EXDEV: return nil
        case EEXIST: return .taken
        case ENOENT where !isThere(claimed): return .gone
        case let number:
            throw FilingError(number, "\(source.displayText) cannot be moved to \(folder.path)")
        }
    }

    /// Whether nobody who had the picture open has written to it up to now.
    ///
    /// If someone has, it is put back where it was dropped.
    private func isLeftAlone(at destination: FilePlace) throws(FilingError) -> Bool {
        // Who has taken it away from there has what was filed.
        guard let found = destination.identity else { return true }
        if found.number == image.fileNumber && image.hasUnchangedBytes { return true }
        try claim.putBack(from: destination)
        return false
    }

    func isThere(_ place: FilePlace) -> Bool {
        place.identity?.number == image.fileNumber
    }
}
