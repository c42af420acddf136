internal import CLinux
internal import Foundation
internal import LuggageTags
internal import System
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// A move that takes several steps: of a picture that belongs to somebody else, of which the service files
/// a copy of its own; to another file system; or on one that cannot do it in one.
extension PictureMove {
    /// Whether the picture belongs to somebody else.
    var isAnothers: Bool {
        var status = stat()
        return unsafe fstat(image.descriptor, &status) == 0 && status.st_uid != user
    }

    /// Makes a copy of the picture that is the service's own, complete and on the disk.
    ///
    /// - Parameter destination: Its path.
    /// - Returns: What came of it; the picture has its hidden name still.
    /// - Throws: ``FilingError``; there is no copy then.
    func copy(to destination: FilePlace) throws(FilingError) -> Placing {
        let what = "\(source.displayText) cannot be copied to \(folder.path)"
        do throws(TemporaryFile.SystemFailure) {
            let hidden = Array(".luggage-\(image.fileNumber).part".utf8)
            var copy = try TemporaryFile(at: FilePlace(hidden, in: folder), mode: 0o600)
            let number = copyBytes(to: copy.descriptor)
            guard number == 0 else { throw TemporaryFile.SystemFailure(number: number) }
            guard image.hasUnchangedBytes, try isWhatWasRead(copy.descriptor) else {
                return .changed
            }
            return try name(&copy, destination)
        } catch {
            throw FilingError(error.number, what)
        }
    }

    /// Whether a copy has in it what was read: times can be set, so they tell nothing of who means harm.
    private func isWhatWasRead(_ copy: Int32) throws(TemporaryFile.SystemFailure) -> Bool {
        guard let content else { return true }
        let descriptor = fcntl(copy, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw TemporaryFile.SystemFailure(number: errno) }
        do throws(ReadError) {
            let copy = try TagImage(adopting: descriptor, name: image.name)
            return try copy.digestNow(within: content.limits) == content.digest
        } catch {
            throw TemporaryFile.SystemFailure(number: error.errorNumber ?? EIO)
        }
    }

    /// Gives a copy that is on the disk its name, and leaves a mark of that.
    private func name(
        _ copy: inout TemporaryFile,
        _ destination: FilePlace
    ) throws(TemporaryFile.SystemFailure) -> Placing {
        let mark = copy.fileNumber.flatMap(mark(of:))
        mark?.make()
        let number = copy.move(to: destination)
        if number == 0 { return .copied(mark) }
        mark?.remove()
        guard number == EEXIST else { throw TemporaryFile.SystemFailure(number: number) }
        return .taken
    }

    private func mark(of copy: UInt64) -> CopyMark? {
        let folder = source.dropLast(source.lastComponent.count)
        return CopyMark(of: image.descriptor, in: Array(folder), copy: copy)
    }

    /// Removes the picture of which a copy was just made.
    ///
    /// What somebody who has it open writes to it meanwhile is put back where it was dropped: the copy
    /// is what is on record.
    ///
    /// - Parameters:
    ///   - destination: The copy.
    ///   - mark: The mark of it.
    /// - Returns: Where it went.
    /// - Throws: ``FilingError``; both are there then, and the next try has only this left to do.
    func endCopy(to destination: FilePlace, _ mark: CopyMark?) throws(FilingError) -> Outcome {
        observe(.copied)
        if try !remove(mark), held == nil { try claim.putBack() }
        return .moved(name: destination.path.lastComponent)
    }

    /// Ends a move of which all but the last step was done, when the picture was to be removed.
    ///
    /// - Parameter destination: Where it is already, as it belongs.
    /// - Returns: What has become of it.
    /// - Throws: ``FilingError``; both are there then.
    func endMove(to destination: FilePlace) throws(FilingError) -> Outcome {
        let copy = destination.identity?.number
        return try remove(copy.flatMap(mark(of:)))
            ? .moved(name: destination.path.lastComponent) : .changed
    }

    /// Removes the picture which is where it belongs, or a copy of it, as soon as that is durable.
    ///
    /// - Parameter mark: The mark of the copy, which goes with the picture.
    /// - Returns: Whether it is; not where somebody has written to it, or put another in its place.
    /// - Throws: ``FilingError``; both are there then.
    private func remove(_ mark: CopyMark?) throws(FilingError) -> Bool {
        let number = folder.synchronize()
        // Some file systems do not know how to.
        guard [0, EINVAL, ENOSYS, ENOTSUP].contains(number) else {
            throw FilingError(
                number,
                "the copy of \(source.displayText) in \(folder.path) may be lost"
            )
        }
        guard isThere(claimed), image.hasUnchangedBytes else {
            mark?.remove()
            return false
        }
        let result = claimed.remove()
        guard [0, ENOENT].contains(result) else {
            throw FilingError(result, "\(source.displayText) cannot be taken away")
        }
        mark?.remove()
        return true
    }

    /// Whether the picture has its new name already, and only the old one was left to be removed: as
    /// where the process was killed between copying and removing.
    ///
    /// That it has the same bytes as another file does not tell: somebody may drop it twice. It takes
    /// the mark that was left of the copy, or both names for the same file.
    func isMoveCutOff(to destination: FilePlace) -> Bool {
        guard let old = claimed.status, let new = destination.status,
            new.st_mode & S_IFMT == S_IFREG,
            old.st_size == new.st_size
        else { return false }
        // On a file system that cannot rename without replacing, it has both names for a moment.
        if old.st_dev == new.st_dev && old.st_ino == new.st_ino { return true }
        guard let mark = mark(of: UInt64(new.st_ino)), mark.isThere else { return false }
        return Self.haveSameBytes(claimed, destination)
    }

    private static func haveSameBytes(_ first: FilePlace, _ second: FilePlace) -> Bool {
        let files = [first, second].map { place in
            FileHandle(fileDescriptor: place.open(), closeOnDealloc: true)
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
        let isCloned = filing_clone(image.descriptor, output) == 0
        var offset = isCloned ? image.byteCount : 0
        while offset < image.byteCount {
            let count = unsafe sendfile(output, image.descriptor, &offset, image.byteCount - offset)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return errno }
            if count == 0 { break }
        }
        let times = [status.st_atim, status.st_mtim]
        // Owner, rights and times as they were, as far as they can be had; the copy counts without them.
        // What was somebody else's is for nobody to write to any more.
        if !isAnothers { _ = fchown(output, status.st_uid, status.st_gid) }
        let rights = status.st_mode & (isAnothers ? 0o444 : 0o777) | (isAnothers ? 0o440 : 0)
        _ = fchmod(output, rights)
        _ = unsafe futimens(output, times)
        return fsync(output) == 0 ? 0 : errno
    }
}
