internal import SystemSupport
package import TagReading

extension FolderLayout {
    /// Finds a picture that the record knows.
    ///
    /// Filed pictures keep their names, or get a number in them if that was taken.
    ///
    /// - Parameters:
    ///   - name: The name of its file, without the folder.
    ///   - digest: The SHA-256 of its file, in hexadecimal.
    /// - Returns: The picture; nil if it is in none of the folders any more.
    package func picture(named name: String, digest: String) async -> TagImage? {
        for folder in Self.Destination.allCases.map(path(of:)) {
            for name in FreeNames(for: Array(name.utf8), at: 0).prefix(Self.likelyNames) {
                let path = Array("\(folder)/".utf8) + name
                guard FileStatus(at: path, followsLinks: false)?.kind == .file,
                    await FiledFile(at: FilePlace(path))?.digest == digest
                else { continue }
                return try? TagImage(path: path, name: name.displayText)
            }
        }
        return nil
    }

    /// How many names are tried: the others have the time in them.
    private static var likelyNames: Int { 9 }
}
