internal import Glibc
internal import SystemSupport
internal import TagReading

extension FailedPicture {
    /// Moves it from the failed pictures to another folder, on another file system too.
    ///
    /// It keeps its name, or gets one with a number in it if that is taken.
    ///
    /// - Parameters:
    ///   - failed: The folder that it is in.
    ///   - folder: The destination folder.
    /// - Returns: The name that it has there.
    /// - Throws: ``FilingError``; it is then still among the failed pictures.
    func move(from failed: HeldFolder, to folder: HeldFolder) throws(FilingError) -> [UInt8] {
        let what = "\(displayName) cannot be moved to \(folder.path.onOneLine)"
        let place = FilePlace(name, in: failed)
        let descriptor = place.open()
        guard descriptor >= 0 else { throw FilingError(-descriptor, what) }
        let image: TagImage
        do throws(ReadError) {
            image = try TagImage(adopting: descriptor, name: displayName)
        } catch {
            throw FilingError(error.errorNumber ?? EINVAL, what)
        }
        var move = PictureMove(source: place.path, image: image, folder: folder)
        move.held = place
        // The user who moves it need not own it.
        move.user = place.status?.owner ?? move.user
        switch try move.run() {
        case .moved(let name): return name
        case .gone: throw FilingError(ENOENT, what)
        case .changed:
            throw FilingError(EBUSY, what, remedy: "another program writes to it; try again")
        }
    }

    /// Removes its note, once the picture has been moved.
    ///
    /// - Parameter failed: The folder that it was in.
    func removeNote(in failed: HeldFolder) {
        // A service may meanwhile have failed on another picture with that name, and written its note.
        let place = FailureNote.place(beside: name, in: failed)
        if let there = FailureNote.read(at: place), there.failedAt == note?.failedAt {
            place.remove()
        }
    }
}
