internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// A new file that is written beside the place where it is to be, and put there as a whole.
///
/// Others may write to the folder too. So the file is always one that did not exist before: what
/// somebody has put under its name is neither written to, nor followed, nor waited for.
struct TemporaryFile: ~Copyable {
    /// What the file is open for reading and writing with.
    let descriptor: Int32
    private let place: FilePlace
    private var isInPlace = false

    /// Makes a file; what has its name is removed, unless it is a folder, which leaves another name.
    ///
    /// - Parameters:
    ///   - wanted: The place, whose name ends with a dot and letters.
    ///   - mode: Who may use it, as far as the mask of the process lets them.
    /// - Throws: ``SystemFailure`` where it cannot be made.
    init(at wanted: FilePlace, mode: mode_t) throws(SystemFailure) {
        var number: Int32 = 0
        for attempt in 1...Self.mostTries {
            let place = attempt == 1 ? wanted : Self.numbered(wanted, attempt)
            let descriptor = Self.make(place, mode: mode)
            if descriptor >= 0 {
                self.descriptor = descriptor
                self.place = place
                return
            }
            number = errno
            if number != EEXIST { break }
        }
        throw SystemFailure(number: number)
    }

    deinit {
        // What somebody else has put in its place is not ours to remove.
        if !isInPlace, isHere(place) { place.remove() }
        close(descriptor)
    }

    /// The system has refused.
    struct SystemFailure: Error {
        /// The number of the error.
        let number: Int32
    }

    /// For as many folders it makes way.
    private static let mostTries = 100

    /// Makes an empty file in place of what has its name, unless that is a folder.
    ///
    /// - Returns: Its descriptor, which is the caller's to close; below 0 where it cannot be made, with
    ///   the reason in `errno`.
    static func make(_ place: FilePlace, mode: mode_t) -> Int32 {
        place.remove()
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
        return unsafe openat(place.base, place.name, flags, mode)
    }

    private static func numbered(_ place: FilePlace, _ number: Int) -> FilePlace {
        let name = place.path.lastComponent
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        return place.renamed(name[..<dot] + Array("-\(number)".utf8) + name[dot...])
    }

    /// The number of the file in its file system; nil where the system does not say.
    var fileNumber: UInt64? { FileIdentity(of: descriptor)?.number }

    /// Gives the file its name, in place of what has that name.
    ///
    /// - Returns: 0, or the number of the error.
    mutating func replace(_ destination: FilePlace) -> Int32 {
        settle(place.replace(destination), destination)
    }

    /// Gives the file its name, unless that is taken.
    ///
    /// - Returns: 0, or the number of the error: `EEXIST` where the name is taken.
    mutating func move(to destination: FilePlace) -> Int32 {
        settle(place.move(to: destination), destination)
    }

    /// Looks which file it was that got the name: whoever may write to the folder can have put another
    /// one in the place of ours just before.
    private mutating func settle(_ number: Int32, _ destination: FilePlace) -> Int32 {
        if number != 0 { return number }
        guard isHere(destination) else { return EBUSY }
        isInPlace = true
        return 0
    }

    private func isHere(_ place: FilePlace) -> Bool {
        let found = place.identity
        return found != nil && found == FileIdentity(of: descriptor)
    }
}
