internal import Glibc
internal import SystemSupport

/// A new file that is written beside its destination, and moved there as a whole.
///
/// Others may write to the folder too. So the file is always newly made: a file that someone has put
/// under its name is neither written to, nor followed, nor waited for.
struct TemporaryFile: ~Copyable {
    /// The descriptor, open for reading and writing.
    let descriptor: Int32
    private let place: FilePlace
    private var isInPlace = false

    /// Makes a file, removing a file with its name; if a folder has the name, uses another name.
    ///
    /// - Parameters:
    ///   - wanted: The place, whose name ends with a dot and letters.
    ///   - mode: The permissions, which the umask limits.
    /// - Throws: ``SystemError`` if it cannot be made.
    init(at wanted: FilePlace, mode: mode_t) throws(SystemError) {
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
        throw SystemError(number: number)
    }

    deinit {
        // A file that someone else has put in its place is not ours to remove.
        if !isInPlace, place.has(descriptor) { place.remove() }
        close(descriptor)
    }

    /// The most names that are tried if folders have them.
    private static let mostTries = 100

    /// Makes an empty file, replacing a file with its name but not a folder.
    ///
    /// - Returns: Its descriptor, which the caller must close; below 0 on failure, with the reason in
    ///   `errno`.
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

    /// The inode number of the file; nil if its status cannot be read.
    var fileNumber: UInt64? { FileStatus(of: descriptor)?.identity.number }

    /// Gives the file its name, and replaces a file with that name.
    ///
    /// - Returns: 0, or the error number.
    mutating func replace(_ destination: FilePlace) -> Int32 {
        settle(place.replace(destination), destination)
    }

    /// Gives the file its name, unless that is taken.
    ///
    /// - Returns: 0, or the error number: `EEXIST` if the name is taken.
    mutating func move(to destination: FilePlace) -> Int32 {
        settle(place.move(to: destination), destination)
    }

    /// Gives the file its name where it is taken away at once, unless the name is taken.
    ///
    /// What got the name is not checked, since another file may have it by then.
    ///
    /// - Returns: 0, or the error number: `EEXIST` if the name is taken.
    mutating func drop(at destination: FilePlace) -> Int32 {
        let number = place.move(to: destination)
        isInPlace = number == 0
        return number
    }

    /// Checks which file got the name.
    ///
    /// A user who may write to the folder can have replaced ours by another one just before, or taken it away.
    private mutating func settle(_ number: Int32, _ destination: FilePlace) -> Int32 {
        if number != 0 { return number }
        // Looked at once: it may be taken away in between.
        let found = destination.identity
        guard found == nil || found == FileStatus(of: descriptor)?.identity else { return EBUSY }
        isInPlace = true
        return 0
    }
}
