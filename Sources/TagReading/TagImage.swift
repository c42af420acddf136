internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// A picture to be read: an open file, held by its descriptor.
///
/// The file is opened once, so whatever happens to its name afterwards, everything that is done with
/// the picture is done with the same file. Whether its bytes have stayed the same can be checked in
/// the end. It is closed when the last reference goes.
public final class TagImage: Sendable {
    /// What to call this picture in messages: the path it was opened by, unless told otherwise.
    public let name: String

    /// The open descriptor.
    ///
    /// Read it with `pread`: its offset is shared with other readers.
    public let descriptor: Int32

    /// The state of the file when it was opened.
    private let opened: FileState

    /// The length of the file in bytes when it was opened.
    public var byteCount: Int { opened.byteCount }

    /// The number of the file in its file system, which a new name leaves as it is.
    package var fileNumber: UInt64 { opened.number }

    /// Whether the file had more than one name when it was opened.
    package var hasOtherNames: Bool { opened.linkCount > 1 }

    /// When the file was last modified before it was opened, in seconds since 1970.
    public var modificationTime: Double { opened.modified.seconds }

    /// When the file got its content, its name or its rights, whichever was last before it was opened.
    ///
    /// In seconds since 1970, by the clock of the file system; nobody can choose it.
    package var stateChangeTime: Double { opened.changed.seconds }

    /// Opens a file by its path.
    ///
    /// Only regular files are accepted; a FIFO or a device is refused without waiting for it.
    ///
    /// - Parameter path: The path, relative to the working directory or absolute.
    /// - Throws: ``ReadError`` with the code `inputFailed`, which says why.
    public convenience init(path: String) throws(ReadError) {
        try self.init(path: Array(path.utf8), name: path)
    }

    /// Opens a file by its path as the system knows it: names are bytes and need not be text.
    ///
    /// - Parameters:
    ///   - path: The bytes of the path.
    ///   - name: What to call the picture in messages.
    /// - Throws: ``ReadError`` with the code `inputFailed`, which says why.
    public convenience init(path: [UInt8], name: String) throws(ReadError) {
        if path.contains(0) { throw .inputFailed("cannot be opened", ENOENT) }
        let descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .inputFailed("cannot be opened", errno) }
        try self.init(adopting: descriptor, name: name)
    }

    /// Makes a picture of bytes in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole PNG file.
    ///   - name: What to call it in messages.
    /// - Throws: ``ReadError`` with the code `inputFailed` where no memory file can be made.
    public convenience init(bytes: [UInt8], name: String = "picture") throws(ReadError) {
        let descriptor = bytes.memoryFile()
        guard descriptor >= 0 else { throw .inputFailed("cannot be held in memory", -descriptor) }
        try self.init(adopting: descriptor, name: name)
    }

    /// Makes a picture of an open file, which is closed with it, or at once where this throws.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, open for reading.
    ///   - name: What to call the picture in messages.
    /// - Throws: ``ReadError`` with the code `inputFailed` where it is no regular file.
    package init(adopting descriptor: Int32, name: String) throws(ReadError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw .inputFailed("cannot be examined", number)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a regular file"
            throw ReadError(.inputFailed, "is \(kind)")
        }
        self.descriptor = descriptor
        self.name = name
        self.opened = FileState(status)
    }

    deinit {
        close(descriptor)
    }
}

extension ReadError {
    /// A failure of the system, with the system's own words for it.
    package static func inputFailed(_ what: String, _ number: Int32) -> ReadError {
        ReadError(
            .inputFailed,
            "\(what): \(describe(errorNumber: number))",
            errorNumber: number
        )
    }
}

extension TagImage {
    /// Throws where somebody has written to the file since it was opened.
    ///
    /// What was done with the picture before may then have been done with different bytes.
    ///
    /// - Throws: ``ReadError`` with the code `inputFailed`.
    public func checkUnchanged() throws(ReadError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw .inputFailed("cannot be examined", errno)
        }
        if !FileState(status).hasContent(of: opened) {
            throw ReadError(.inputFailed, "was changed while it was read; try again")
        }
    }

    /// Whether nobody has written to the file since it was opened, nor changed its only name.
    package var isUnchanged: Bool { (try? checkUnchanged()) != nil }

    /// Whether nobody has written to the file since it was opened, whatever names it has now.
    package var hasUnchangedBytes: Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return FileState(status).hasLengthAndTime(of: opened)
    }

    /// Reads the file from its beginning to the end that it had when it was opened, in pieces.
    ///
    /// - Parameters:
    ///   - limit: How many bytes to read at most; all of them where it is left out.
    ///   - body: Gets each piece; it must not keep it.
    /// - Throws: ``ReadError`` with the code `inputFailed`.
    package func forEachChunk(
        upTo limit: Int = .max,
        _ body: (ArraySlice<UInt8>) -> Void
    ) throws(ReadError) {
        let end = min(byteCount, limit)
        var buffer = [UInt8](repeating: 0, count: min(max(0, end), 256 << 10))
        var offset = 0
        while offset < end {
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                let count = min(buffer.count, end - offset)
                return unsafe pread(descriptor, buffer.baseAddress, count, offset)
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw .inputFailed("cannot be read", errno) }
            if count == 0 { return }
            body(buffer[..<count])
            offset += count
        }
    }
}
