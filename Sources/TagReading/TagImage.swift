internal import CReaderProtocol

#if canImport(Glibc)
internal import Glibc
#endif

/// A picture to be read: an open file, held by its descriptor.
///
/// The file is opened once. Whatever happens to its name afterwards, everything that is done with
/// the picture is done with the same bytes. It is closed when the last reference goes.
public final class TagImage: Sendable {
    /// What to call this picture in messages: the path it was opened by, escaped where needed.
    public let name: String

    /// The open descriptor.
    ///
    /// Read it with `pread`: its offset is shared with other readers.
    public let descriptor: Int32

    /// The length of the file in bytes when it was opened.
    public let byteCount: Int

    /// When the file was last modified, in seconds since 1970.
    public let modificationTime: Double

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
        let bytes = path.map { CChar(bitPattern: $0) } + [0]
        let descriptor = unsafe open(bytes, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
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
        var descriptor: Int32 = -1
        let number = unsafe bytes.withUnsafeBytes { buffer in
            unsafe reader_memory_file(buffer.baseAddress, buffer.count, &descriptor)
        }
        guard number == 0 else { throw .inputFailed("cannot be held in memory", number) }
        try self.init(adopting: descriptor, name: name)
    }

    private init(adopting descriptor: Int32, name: String) throws(ReadError) {
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
        self.byteCount = Int(status.st_size)
        self.modificationTime =
            Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1_000_000_000
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
    /// Reads the file from its beginning to its end, in pieces.
    ///
    /// - Parameter body: Gets each piece; it must not keep it.
    /// - Throws: ``ReadError`` with the code `inputFailed`.
    package func forEachChunk(_ body: (ArraySlice<UInt8>) -> Void) throws(ReadError) {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        var offset = 0
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress, buffer.count, offset)
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw .inputFailed("cannot be read", errno) }
            if count == 0 { return }
            body(buffer[..<count])
            offset += count
        }
    }
}
