internal import SystemSupport

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
        var names: [[UInt8]] = []
        let number = FolderEntry.forEach(at: Array(folder.utf8)) { entry in
            if isWanted(entry.name) && entry.kind == .file { names.append(entry.name) }
            return true
        }
        if number != 0 { throw FilingError(number, "\(folder) cannot be read") }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Whether a name is that of a picture: not hidden, or the hidden name of one that is being moved.
    private static func isPicture(_ name: [UInt8]) -> Bool {
        name.first != UInt8(ascii: ".") || name.starts(with: ClaimedPicture.prefix)
    }
}
