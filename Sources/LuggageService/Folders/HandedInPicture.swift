internal import CLinux
internal import FolderWatch
internal import FoundationEssentials
internal import Glibc
internal import LuggageTags
internal import SystemSupport

/// A picture that comes piece by piece, for example from a telephone, to be dropped into a watched folder.
///
/// Until it is whole it has a hidden name, which no service takes. Then it is renamed, as if somebody had
/// dropped it: the service does the rest, exactly once. What is destroyed before leaves nothing, and what a
/// killed program leaves is removed by ``removeLeftovers(in:)``.
package struct HandedInPicture: ~Copyable {
    private var file: TemporaryFile
    private let folder: HeldFolder
    private var digest = SHA256()
    /// How many bytes have come.
    package private(set) var byteCount = 0

    private static let prefix = ".luggage-board-"
    private static let ending = ".part"

    /// Begins with no bytes.
    ///
    /// - Parameter folder: The folder where pictures of its point are dropped.
    /// - Throws: ``FilingError`` if nothing can be written there.
    package init(into folder: DropFolder) throws(FilingError) {
        let held = try HeldFolder(at: folder.path.pathText)
        file = try Self.makeFile(in: held)
        self.folder = held
        // Who clears up knows by the lock that it is still being written.
        filing_lock(file.descriptor)
    }

    private static func makeFile(in folder: HeldFolder) throws(FilingError) -> TemporaryFile {
        let name = Self.prefix + UUID().uuidString + Self.ending
        do throws(SystemError) {
            // The service that files it may be another user of the group.
            return try TemporaryFile(at: FilePlace(Array(name.utf8), in: folder), mode: 0o660)
        } catch {
            throw FilingError(error.number, "nothing can be written to \(folder.path)")
        }
    }

    /// Adds bytes.
    ///
    /// - Throws: ``FilingError``, for example if the disk is full.
    package mutating func add(_ bytes: [UInt8]) throws(FilingError) {
        let number = bytes.writeAll(to: file.descriptor)
        if number != 0 { throw FilingError(number, "\(folder.path) cannot be written") }
        digest.update(bytes)
        byteCount += bytes.count
    }

    /// Makes it durable, and drops it.
    ///
    /// - Parameter name: The name that it has where it comes from.
    /// - Returns: Its SHA-256 in hexadecimal, by which the record knows it.
    /// - Throws: ``FilingError``; then nothing is dropped.
    package consuming func drop(as name: String) throws(FilingError) -> String {
        let what = "a picture cannot be dropped into \(folder.path)"
        if fsync(file.descriptor) != 0 { throw FilingError(errno, what) }
        let wanted = Self.safeName(name)
        for name in FreeNames(for: wanted, at: FreeNames.present) {
            switch file.drop(at: FilePlace(name, in: folder)) {
            case 0:
                _ = folder.synchronize()
                filing_unlock(file.descriptor)
                return digest.finalize().hexadecimal
            case EEXIST: continue
            case let number: throw FilingError(number, what)
            }
        }
        throw FilingError(EEXIST, what)
    }

    /// A name that is visible, in one folder, and no note beside another picture.
    private static func safeName(_ name: String) -> [UInt8] {
        let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
        let hidden = last.hiddenCharacters
        let visible = last.indices.filter { !hidden.contains($0) }.map { last[$0] }
        var text = String(visible.drop { $0 == "." || $0 == " " })
        if text.isEmpty { text = "picture" }
        let bytes = Array(text.utf8)
        if FailureNote.isNamedAsNote(bytes) || IgnoredNames.contains(bytes) { text += ".picture" }
        return Array(text.utf8)
    }

    /// Removes what programs that were killed have left in the folders for dropping.
    package static func removeLeftovers(in layout: FolderLayout) {
        for folder in layout.dropFolders {
            guard let held = try? HeldFolder(at: folder.path.pathText) else { continue }
            let names = try? FolderNames.files(in: folder.path.pathText) { name in
                name.starts(with: Self.prefix.utf8)
                    && name.suffix(5) == Array(Self.ending.utf8)[...]
            }
            for name in names ?? [] {
                let place = FilePlace(name, in: held)
                let descriptor = place.open()
                guard descriptor >= 0 else { continue }
                defer { close(descriptor) }
                if filing_is_locked(descriptor) == 0 { place.remove() }
            }
        }
    }
}
