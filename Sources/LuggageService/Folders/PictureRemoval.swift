internal import CFiling
internal import FolderWatch
internal import LuggageTags
internal import SystemCalls
internal import TagReading

#if canImport(Glibc)
internal import Glibc
#endif

/// Removes pictures from the folders in which a service has put them.
public struct PictureRemoval: Sendable {
    private let layout: FolderLayout

    /// Works on the folders of a watched one.
    public init(_ layout: FolderLayout) {
        self.layout = layout
    }

    /// Finds the pictures with given contents, and removes them.
    ///
    /// - Parameters:
    ///   - digests: The SHA-256 of the pictures, in hexadecimal.
    ///   - isRehearsal: Whether to find them only.
    /// - Returns: The paths of the pictures, as a person sees them.
    /// - Throws: ``FilingError`` where a folder cannot be read, or a picture cannot be removed.
    public func run(_ digests: Set<String>, isRehearsal: Bool) async throws -> [String] {
        var found: [String] = []
        for destination in FolderLayout.Destination.allCases {
            let folder = layout.path(of: destination)
            for name in try FolderNames.files(in: folder) {
                let path = Array("\(folder)/".utf8) + name
                guard let digest = await FiledFile(path: path)?.digest, digests.contains(digest)
                else { continue }
                found.append(path.displayText.onOneLine)
                if isRehearsal { continue }
                guard unsafe unlink(path.cString) == 0 else {
                    throw FilingError(errno, "\(path.displayText.onOneLine) cannot be removed")
                }
                let note = path + Array(FailureNote.ending.utf8)
                if FailureNote.read(at: note) != nil { _ = unsafe unlink(note.cString) }
            }
            if !isRehearsal { folder.synchronizeFolder() }
        }
        return found
    }
}

/// A file among the filed pictures.
struct FiledFile {
    /// The number of the file in its file system.
    let number: UInt64
    /// The SHA-256 of its content, in hexadecimal, as a scan of it has it.
    let digest: String

    /// Reads a file; nil where it cannot be read, as when it has gone meanwhile.
    init?(path: [UInt8]) async {
        let descriptor = unsafe filing_open(AT_FDCWD, path.cString)
        guard descriptor >= 0 else { return nil }
        do throws(ReadError) {
            let image = try TagImage(adopting: descriptor, name: path.displayText)
            number = image.fileNumber
            digest = try await image.digest(within: .default)
        } catch {
            return nil
        }
    }
}
