internal import FolderWatch

#if canImport(Glibc)
internal import Glibc
#endif

/// What is in a folder, by names as the system knows them.
enum FolderNames {
    /// The names of the regular files in a folder, in the order of their bytes.
    ///
    /// - Parameters:
    ///   - folder: The path.
    ///   - isWanted: Which names to give; those of pictures where it is left out.
    /// - Returns: The names.
    /// - Throws: ``FilingError`` where the folder cannot be read.
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

    /// What bears a name.
    enum Kind {
        case file, folder, link, other
        /// Nothing does any more.
        case gone
    }

    /// Goes through what is in an open folder, whatever has become of its path.
    ///
    /// - Parameters:
    ///   - folder: The descriptor, whose place stays.
    ///   - body: Gets each name but the two of dots, and says whether to go on.
    /// - Returns: 0, or the number of the error.
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

    /// Whether a name is not hidden, or is that of a picture that is being moved.
    private static func isPicture(_ name: [UInt8]) -> Bool {
        name.first != UInt8(ascii: ".") || name.starts(with: ClaimedPicture.prefix)
    }

    /// Some file systems do not say what kind an entry is.
    private static func isRegular(_ folder: String, _ name: [UInt8]) -> Bool {
        var status = stat()
        let path = Array("\(folder)/".utf8) + name
        return unsafe lstat(path.cString, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
