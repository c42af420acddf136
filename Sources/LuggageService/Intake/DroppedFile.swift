internal import CLinux
internal import Glibc
internal import SQLiteStore
internal import SystemSupport
internal import TagReading

/// A file in a drop folder, by its name in bytes, which need not be valid text.
package struct DroppedFile: Hashable, Sendable {
    /// The folder in which it was dropped.
    package let folder: DropFolder
    /// The name in that folder.
    package let name: [UInt8]

    /// Names a file.
    package init(folder: DropFolder, name: [UInt8]) {
        self.folder = folder
        self.name = name
    }

    var path: [UInt8] { folder.path + [UInt8(ascii: "/")] + name }

    /// The name as a person sees it.
    var displayName: String { String(decoding: name, as: UTF8.self) }
}

/// The result of opening a dropped file.
enum OpenedFile {
    case opened(TagImage)
    /// Someone has taken it away.
    case gone
    /// The service does not file it; the words complete "NAME …".
    case passedOver(String)
    /// It has another name too (a hard link), and belongs to another user than the service.
    case linked
    /// The system refused; a retry may succeed.
    case refused(ReadError)
}

extension TagImage {
    /// The number by which the journal knows the file.
    ///
    /// A file of another user is removed once it is copied, and a new file may then reuse its inode
    /// number. So the number also contains the creation time, if the file system has it.
    ///
    /// - Parameter user: The user as whom the service runs.
    /// - Returns: The number; for a file of that user, the inode number.
    func journalNumber(of user: UInt32 = geteuid()) -> UInt64 {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_uid != user else {
            return fileNumber
        }
        guard let birth = FileBirth(of: descriptor)?.time, birth != 0 else { return fileNumber }
        // Within 63 bits, since the store's integers are signed.
        return (fileNumber ^ UInt64(bitPattern: birth) &* 0x9E37_79B9_7F4A_7C15) & UInt64(Int64.max)
    }
}

extension DroppedFile {
    /// Opens the file once; everything that is learnt about it comes from this descriptor.
    ///
    /// Opens only regular files and follows no link: users who may drop files must not be able to make
    /// the service read others.
    ///
    /// - Parameter user: The user as whom the service runs.
    /// - Returns: The result.
    func open(as user: UInt32 = geteuid()) -> OpenedFile {
        let path = path
        if SQLiteStore.hasOpen(path) { return .passedOver("is a file of the record") }
        let descriptor = unsafe filing_open(AT_FDCWD, path.cString)
        guard descriptor >= 0 else { return Self.refusal(-descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            return .refused(.inputFailed("cannot be examined", number))
        }
        // Its owner can change it by its other name after it was filed. No event of this folder tells when
        // that name is removed.
        if status.st_nlink > 1 && status.st_uid != user {
            close(descriptor)
            return .linked
        }
        do throws(ReadError) {
            return .opened(try TagImage(adopting: descriptor, name: displayName))
        } catch {
            return .passedOver(error.message)
        }
    }

    private static func refusal(_ number: Int32) -> OpenedFile {
        switch number {
        case ENOENT, ENOTDIR: .gone
        case ELOOP: .passedOver("is a symbolic link")
        case ENXIO, ENODEV: .passedOver("is not a regular file")
        default: .refused(.inputFailed("cannot be opened", number))
        }
    }
}
