internal import FolderWatch

#if canImport(Glibc)
internal import Glibc
#endif

/// Lists folders, by names as the system knows them.
enum FolderNames {
    /// The names of the regular files in a folder, in the order of their bytes.
    ///
    /// - Parameters:
    ///   - folder: The path.
    ///   - isWanted: Which names to return; by default those of pictures.
    /// - Returns: The names.
    /// - Throws: ``FilingError`` if the folder cannot be read.
    static func files(
        in folder: String,
        where isWanted: ([UInt8]) -> Bool = isPicture
    ) throws(FilingError) -> [[UInt8]] {
        guard let stream = unsafe opendir(folder) else {
            throw FilingError(errno, "\(folder) cannot be read")
        }
        defer { unsafe closedir(stream) }
        var names: [[UInt8]] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            let kind = unsafe entry.pointee.d_type
            let mayBeFile = kind == DT_REG || kind == DT_UNKNOWN
            if mayBeFile && isWanted(name) && (kind == DT_REG || isRegular(folder, name)) {
                names.append(name)
            }
            errno = 0
        }
        if errno != 0 { throw FilingError(errno, "\(folder) cannot be read") }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The kind of a folder's entry.
    enum Kind {
        case file, folder, link, other
        /// There is no such entry any more.
        case gone
    }

    /// Goes through the entries of an open folder, even if its path has changed.
    ///
    /// - Parameters:
    ///   - folder: The descriptor; its read position does not change.
    ///   - body: Gets each name except `.` and `..`, and returns whether to go on.
    /// - Returns: 0, or the error number.
    static func forEach(in folder: Int32, _ body: ([UInt8], Kind) -> Bool) -> Int32 {
        let own = unsafe openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0 else { return errno }
        guard let stream = unsafe fdopendir(own) else {
            defer { close(own) }
            return errno
        }
        defer { unsafe closedir(stream) }
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else { return errno }
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe Array(bytes.prefix { $0 != 0 })
            }
            if name == [0x2E] || name == [0x2E, 0x2E] { continue }
            let kind =
                switch Int(unsafe entry.pointee.d_type) {
                case DT_REG: Kind.file
                case DT_DIR: Kind.folder
                case DT_LNK: Kind.link
                case DT_UNKNOWN: kind(of: name, in: folder)
                default: Kind.other
                }
            guard body(name, kind) else { return 0 }
        }
    }

    private static func kind(of name: [UInt8], in folder: Int32) -> Kind {
        var status = stat()
        guard unsafe fstatat(folder, name.cString, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            return .gone
        }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFLNK: .link
        default: .other
        }
    }

    /// Whether a name is not hidden, or belongs to a picture that is being moved.
    private static func isPicture(_ name: [UInt8]) -> Bool {
        name.first != UInt8(ascii: ".") || name.starts(with: ClaimedPicture.prefix)
    }

    /// Asks for the kind of an entry: some file systems do not list it.
    private static func isRegular(_ folder: String, _ name: [UInt8]) -> Bool {
        var status = stat()
        let path = Array("\(folder)/".utf8) + name
        return unsafe lstat(path.cString, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
