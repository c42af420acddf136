internal import LuggageTags
internal import System

#if canImport(Glibc)
internal import Glibc
#endif

/// What is left in a folder that was dropped, and why.
struct FolderRefusal: Hashable, Sendable {
    /// Why something is left.
    enum Cause: Hashable {
        /// The service may not look into a folder.
        case closed(Int32)
        /// The service may not take anything out of a folder.
        case locked(Int32)
        /// A folder is in too many others.
        case tooDeep
        /// Another file system is mounted at a folder.
        case otherFileSystem
        /// It is a symbolic link.
        case link
        /// It is a pipe, a socket or a device.
        case special
        /// A folder is watched by itself, or was.
        case watched
        /// A folder has files in it that the service uses.
        case own
        /// The system gives another error.
        case error(Int32)

        /// Whether that is how somebody has set things up: nothing is to be done about it then.
        var isMeant: Bool { self == .watched || self == .own }

        /// Whether the same may succeed later.
        var mayPass: Bool { if case .error = self { true } else { false } }
    }

    /// Why it is left.
    let cause: Cause
    /// Its path, the first where there are several.
    let path: [UInt8]
    /// How many are left for this reason.
    var count = 1

    /// What it is and what to do about it, for a person.
    var words: String {
        let more = count > 1 ? " (and \(count - 1) more like it)" : ""
        let name = path.displayText.onOneLine + more
        return switch cause {
        case .closed(let number):
            "\(name) cannot be looked into: \(describe(errorNumber: number)); let the service read and "
                + "change it and what is in it (chmod -R g+rwX), or move its pictures out of it"
        case .locked(let number):
            "nothing can be taken out of \(name): \(describe(errorNumber: number)); let the service "
                + "change it and what is in it (chmod -R g+rwX), or move its pictures out of it"
        case .tooDeep:
            "\(name) is more than \(FolderEmptying.mostDepth) folders deep and was not looked into; move "
                + "it further up"
        case .otherFileSystem:
            "\(name) is on another file system, which is mounted there; copy its pictures out of it"
        case .link:
            "\(name) is a symbolic link, which is not followed; put what it leads to in its place"
        case .special: "\(name) is a pipe, a socket or a device, and no picture; remove it"
        case .watched:
            "\(name) is a watched folder itself, or was one, and is left alone; if it is none any more, "
                + "move its pictures out of it"
        case .own:
            "\(name) is left alone: the record, or another file that the service writes, is in it"
        case .error(let number):
            "\(name) cannot be emptied: \(describe(errorNumber: number)); it will be tried again"
        }
    }
}
