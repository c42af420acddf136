internal import Glibc
internal import SystemSupport

/// A picture to read: an open file with its descriptor.
///
/// The file is opened once, so all work on the picture uses the same file, even if its name
/// changes. Afterwards one can check whether its bytes stayed the same. The file is closed when the
/// last reference is released.
public final class TagImage: Sendable {
    /// The name of this picture in messages: the path it was opened by, or another name if given.
    public let name: String

    /// The open descriptor.
    ///
    /// Read it with `pread`: its offset is shared with other readers.
    public let descriptor: Int32

    /// The state of the file when it was opened.
    private let opened: FileStatus

    /// The length of the file in bytes when it was opened.
    public var byteCount: Int { opened.byteCount }

    /// The inode number of the file, which a new name does not change.
    package var fileNumber: UInt64 { opened.identity.number }

    /// Whether the file had several hard links when it was opened.
    package var hasOtherNames: Bool { opened.linkCount > 1 }

    /// The modification time of the file when it was opened, in seconds since 1970.
    public var modificationTime: Double { opened.modified.inSeconds }

    /// The time of the last change of content, name or permissions when the file was opened.
    ///
    /// In seconds since 1970, by the clock of the file system; no program can set it.
    package var stateChangeTime: Double { opened.changed.inSeconds }

    /// Opens a file by its path.
    ///
    /// Only regular files are accepted; a FIFO or a device is refused without waiting for it.
    ///
    /// - Parameter path: The path, relative to the working directory or absolute.
    /// - Throws: ``ReadError`` with the code `inputFailed`, which gives the reason.
    public convenience init(path: String) throws(ReadError) {
        try self.init(path: Array(path.utf8), name: path)
    }

    /// Opens a file by its path in bytes, because names need not be text.
    ///
    /// - Parameters:
    ///   - path: The bytes of the path.
    ///   - name: The name of the picture in messages.
    /// - Throws: ``ReadError`` with the code `inputFailed`, which gives the reason.
    public convenience init(path: [UInt8], name: String) throws(ReadError) {
        if path.contains(0) { throw .inputFailed("cannot be opened", ENOENT) }
        let descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw .inputFailed("cannot be opened", errno) }
        try self.init(adopting: descriptor, name: name)
    }

    /// Makes a picture from bytes in memory.
    ///
    /// - Parameters:
    ///   - bytes: A whole PNG or JPEG file.
    ///   - name: Its name in messages.
    /// - Throws: ``ReadError`` with the code `inputFailed` if no memory file can be made.
    public convenience init(bytes: [UInt8], name: String = "picture") throws(ReadError) {
        let descriptor = bytes.memoryFile()
        guard descriptor >= 0 else { throw .inputFailed("cannot be held in memory", -descriptor) }
        try self.init(adopting: descriptor, name: name)
    }

    /// Makes a picture of an open file, which it then owns; it closes the file at once if it throws.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor, open for reading.
    ///   - name: The name of the picture in messages.
    /// - Throws: ``ReadError`` with the code `inputFailed` if it is not a regular file.
    package init(adopting descriptor: Int32, name: String) throws(ReadError) {
        guard let status = FileStatus(of: descriptor) else {
            let number = errno
            close(descriptor)
            throw .inputFailed("cannot be examined", number)
        }
        guard status.kind == .file else {
            close(descriptor)
            let kind = status.kind == .folder ? "a folder" : "not a regular file"
            throw ReadError(.inputFailed, "is \(kind)")
        }
        self.descriptor = descriptor
        self.name = name
        self.opened = status
    }

    deinit {
        close(descriptor)
    }
}

extension ReadError {
    /// The error of a failed system call, with the system's description.
    package static func inputFailed(_ what: String, _ number: Int32) -> ReadError {
        ReadError(
            .inputFailed,
            "\(what): \(describe(errorNumber: number))",
            errorNumber: number
        )
    }
}

extension TagImage {
    /// Throws if the file was written since it was opened.
    ///
    /// Earlier work on the picture may then have used different bytes.
    ///
    /// - Throws: ``ReadError`` with the code `inputFailed`.
    public func checkUnchanged() throws(ReadError) {
        guard let status = FileStatus(of: descriptor) else {
            throw .inputFailed("cannot be examined", errno)
        }
        if !status.hasContent(of: opened) {
            throw ReadError(.inputFailed, "was changed while it was read; try again")
        }
    }

    /// Whether no process has written the file since it was opened.
    ///
    /// False also if the file had one name only, and was renamed or given other permissions.
    package var isUnchanged: Bool { (try? checkUnchanged()) != nil }

    /// Whether the file was not written since it was opened, even if its names have changed.
    package var hasUnchangedBytes: Bool {
        FileStatus(of: descriptor)?.hasLengthAndTime(of: opened) ?? false
    }

    /// Reads the file in pieces, from its beginning to the end that it had when it was opened.
    ///
    /// - Parameters:
    ///   - limit: The most bytes to read; by default all.
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

extension FileStatus {
    /// Whether no process has written to the file between an earlier status and this one.
    ///
    /// A change of its names gives the file a new state-change time although its bytes are the
    /// same: that happens if another file takes its last name, or if one of several names is
    /// removed.
    fileprivate func hasContent(of earlier: FileStatus) -> Bool {
        let hasOneName = linkCount == 1 && earlier.linkCount == 1
        return hasLengthAndTime(of: earlier) && (changed == earlier.changed || !hasOneName)
    }

    /// Whether it has the length and modification time of an earlier status, which a new name does
    /// not change.
    fileprivate func hasLengthAndTime(of earlier: FileStatus) -> Bool {
        byteCount == earlier.byteCount && modified == earlier.modified
    }
}
