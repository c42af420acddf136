package import Foundation

/// A folder that is removed with all that is in it when nobody holds it any more.
///
/// A test that is killed leaves it behind. All of them are called `luggage-test-…`.
package final class TemporaryFolder: Sendable {
    /// An absolute path, without a slash at its end.
    package let path: String

    package var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// Makes an empty folder.
    ///
    /// - Parameters:
    ///   - parent: The folder that it is made in; the one for temporary files where none is named.
    ///   - name: Comes in its name.
    /// - Throws: Where it cannot be made.
    package init(in parent: String? = nil, named name: String = "") throws {
        let parent = parent.map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
        let pattern = parent.appending(path: "luggage-test-\(name)XXXXXX")
        var template = Array(pattern.path(percentEncoded: false).utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw POSIXError.last }
        // A program of another user may be given a file in it.
        guard unsafe chmod(template, 0o755) == 0 else { throw POSIXError.last }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        Self.remove(Array(path.utf8))
    }

    /// The path of something in it; with a slash at its end where there is no name.
    package func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and gives its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return path(name)
    }

    /// Writes a file and gives its path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    package func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appending(path: name)), as: UTF8.self)
    }

    // Foundation removes no name that is not UTF-8, and nothing in a folder without rights.
    private static func remove(_ path: [UInt8]) {
        let name = path.map { CChar(bitPattern: $0) } + [0]
        var status = stat()
        guard unsafe lstat(name, &status) == 0 else { return }
        // A link to a folder is none.
        guard status.st_mode & S_IFMT == S_IFDIR else {
            unsafe unlink(name)
            return
        }
        unsafe chmod(name, 0o700)
        for child in children(of: name) { remove(path + [UInt8(ascii: "/")] + child) }
        unsafe rmdir(name)
    }

    private static func children(of folder: [CChar]) -> [[UInt8]] {
        guard let stream = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = unsafe readdir(stream) {
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let start = unsafe UnsafeRawPointer(entry) + offset
            let count = unsafe strlen(start.assumingMemoryBound(to: CChar.self))
            let name = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
            if name != Array(".".utf8) && name != Array("..".utf8) { names.append(name) }
        }
        return names
    }
}

extension POSIXError {
    fileprivate static var last: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
