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
