internal import CLinux
internal import FoundationEssentials
internal import Glibc
internal import LuggageTags
internal import SystemSupport
internal import TagReading

/// A move in several steps: by a copy that the service owns, or across file systems.
///
/// The service copies a picture that belongs to someone else. It also copies to another file system, and
/// if the file system cannot move in one step.
extension PictureMove {
    /// Whether the picture belongs to someone else.
    var isAnothers: Bool {
        FileStatus(of: image.descriptor).map { $0.owner != user } ?? false
    }

    /// Makes a copy of the picture that the service owns, complete and on the disk.
    ///
    /// - Parameter destination: Its path.
    /// - Returns: The result; the picture still has its hidden name.
    /// - Throws: ``FilingError``; there is then no copy.
    func copy(to destination: FilePlace) throws(FilingError) -> Placing {
        let what = "\(source.displayText) cannot be copied to \(folder.path)"
        do throws(SystemError) {
            let hidden = Array(".luggage-\(image.fileNumber).part".utf8)
            var copy = try TemporaryFile(at: FilePlace(hidden, in: folder), mode: 0o600)
            let number = copyBytes(to: copy.descriptor)
            guard number == 0 else { throw SystemError(number: number) }
            guard image.hasUnchangedBytes, try isWhatWasRead(copy.descriptor) else {
                return .changed
            }
            return try name(&copy, destination)
        } catch {
            throw FilingError(error.number, what)
        }
    }

    /// Whether a copy has the bytes that were read; times prove nothing, since an attacker can set them.
    private func isWhatWasRead(_ copy: Int32) throws(SystemError) -> Bool {
        guard let content else { return true }
        let descriptor = fcntl(copy, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw SystemError(number: errno) }
        do throws(ReadError) {
            let copy = try TagImage(adopting: descriptor, name: image.name)
            return try copy.digestNow(within: content.limits) == content.digest
        } catch {
            throw SystemError(number: error.errorNumber ?? EIO)
        }
    }

    /// Gives its name to a copy that is on the disk, and leaves a mark of that.
    private func name(
        _ copy: inout TemporaryFile,
        _ destination: FilePlace
    ) throws(SystemError) -> Placing {
        let mark = copy.fileNumber.flatMap(mark(of:))
        mark?.make()
        let number = held == nil ? copy.move(to: destination) : copy.drop(at: destination)
        if number == 0 { return .copied(mark) }
        mark?.remove()
        guard number == EEXIST else { throw SystemError(number: number) }
        return .taken
    }

    private func mark(of copy: UInt64) -> CopyMark? {
        let folder = source.dropLast(source.lastComponent.count)
        return CopyMark(of: image.descriptor, in: Array(folder), copy: copy)
    }

    /// Removes a picture that was just copied.
    ///
    /// If someone who has it open writes to it meanwhile, it goes back to where it was dropped: the copy
    /// is what is on record.
    ///
    /// - Parameters:
    ///   - destination: The copy.
    ///   - mark: The mark of the copy.
    /// - Returns: Where it went.
    /// - Throws: ``FilingError``; both files then exist, and the next try only has to remove the picture.
    func endCopy(to destination: FilePlace, _ mark: CopyMark?) throws(FilingError) -> Outcome {
        observe(.copied)
        if try !remove(mark), held == nil { try claim.putBack() }
        return .moved(name: destination.path.lastComponent)
    }

    /// Ends a cut-off move, of which only the removal of the picture is left.
    ///
    /// - Parameter destination: Where it already is.
    /// - Returns: What happened to it.
    /// - Throws: ``FilingError``; both files then exist.
    func endMove(to destination: FilePlace) throws(FilingError) -> Outcome {
        let copy = destination.identity?.number
        return try remove(copy.flatMap(mark(of:)))
            ? .moved(name: destination.path.lastComponent) : .changed
    }

    /// Removes the dropped picture as soon as its new name, or its copy, is durable.
    ///
    /// - Parameter mark: The mark of the copy, which is removed too.
    /// - Returns: Whether it was removed; false if someone wrote to it or put another file in its place.
    /// - Throws: ``FilingError``; both files then exist.
    private func remove(_ mark: CopyMark?) throws(FilingError) -> Bool {
        let number = folder.synchronize()
        // Some file systems do not support it.
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
            throw FilingError(result, "\(source.displayText) cannot be removed")
        }
        mark?.remove()
        return true
    }

    /// Whether the picture already has its new name, and only the old one is left to remove.
    ///
    /// That happens if the process was killed between copying and removing. Equal bytes do not prove it:
    /// someone may drop a picture twice. It takes the mark of the copy, or both names for the same file.
    func isMoveCutOff(to destination: FilePlace) -> Bool {
        guard let old = claimed.status, let new = destination.status,
            new.kind == .file, old.byteCount == new.byteCount
        else { return false }
        // If the file system cannot rename without replacing, it has both names for a moment.
        if old.identity == new.identity { return true }
        guard let mark = mark(of: new.identity.number), mark.isThere else { return false }
        return Self.haveSameBytes(claimed, destination)
    }

    private static func haveSameBytes(_ first: FilePlace, _ second: FilePlace) -> Bool {
        let files = [first, second].map { $0.open() }
        defer { for file in files where file >= 0 { close(file) } }
        while true {
            let pieces = files.map { [UInt8](reading: $0, upTo: 1 << 16) }
            guard let piece = pieces[0], piece == pieces[1] else { return false }
            if piece.isEmpty { return true }
        }
    }

    private func copyBytes(to output: Int32) -> Int32 {
        guard let status = FileStatus(of: image.descriptor) else { return errno }
        let isCloned = filing_clone(image.descriptor, output) == 0
        var offset = isCloned ? image.byteCount : 0
        while offset < image.byteCount {
            let count = unsafe sendfile(output, image.descriptor, &offset, image.byteCount - offset)
            if count < 0 && errno == EINTR { continue }
            if count < 0 { return errno }
            if count == 0 { break }
        }
        let times = [status.accessed, status.modified].map {
            timespec(tv_sec: $0.seconds, tv_nsec: $0.nanoseconds)
        }
        // Keeps owner, rights and times if possible; the copy counts without them.
        // Nobody may write any more to a picture that was someone else's.
        if !isAnothers { _ = fchown(output, status.owner, status.group) }
        let rights = status.permissions & (isAnothers ? 0o444 : 0o777) | (isAnothers ? 0o440 : 0)
        _ = fchmod(output, rights)
        _ = unsafe futimens(output, times)
        return fsync(output) == 0 ? 0 : errno
    }
}
