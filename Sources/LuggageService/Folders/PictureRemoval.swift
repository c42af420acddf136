internal import LuggageTags
internal import SystemSupport
internal import TagReading

/// Removes pictures from the folders into which a service has moved them.
package struct PictureRemoval: Sendable {
    private let layout: FolderLayout

    /// Works on the folders of a watched one.
    package init(_ layout: FolderLayout) {
        self.layout = layout
    }

    /// Finds the pictures with given contents, and removes them.
    ///
    /// - Parameters:
    ///   - digests: The SHA-256 of the pictures, in hexadecimal.
    ///   - isRehearsal: Whether to find them without removing them.
    /// - Returns: The paths of the pictures, as a person sees them.
    /// - Throws: ``FilingError`` if a folder cannot be read, or a picture cannot be removed.
    package func run(_ digests: Set<String>, isRehearsal: Bool) async throws -> [String] {
        var found: [String] = []
        for destination in FolderLayout.Destination.allCases {
            let folder = try layout.held(destination)
            for name in try FolderNames.files(in: folder.path) {
                let place = FilePlace(name, in: folder)
                guard let digest = await FiledFile(at: place)?.digest, digests.contains(digest)
                else { continue }
                let shown = place.path.displayText.onOneLine
                found.append(shown)
                if isRehearsal { continue }
                let number = place.remove()
                guard number == 0 else { throw FilingError(number, "\(shown) cannot be removed") }
                let note = FailureNote.place(beside: name, in: folder)
                if FailureNote.read(at: note) != nil { note.remove() }
            }
            if !isRehearsal { _ = folder.synchronize() }
        }
        return found
    }
}

/// A file among the filed pictures.
struct FiledFile {
    /// The SHA-256 of its content, in hexadecimal, as a scan computes it.
    let digest: String

    /// Reads a file; nil if it cannot be read, for example because it has gone meanwhile.
    init?(at place: FilePlace) async {
        let descriptor = place.open()
        guard descriptor >= 0 else { return nil }
        do throws(ReadError) {
            let image = try TagImage(adopting: descriptor, name: place.path.displayText)
            digest = try await image.digest(within: .default)
        } catch {
            return nil
        }
    }
}
