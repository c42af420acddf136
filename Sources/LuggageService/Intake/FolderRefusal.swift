internal import SystemSupport

/// What is left in a dropped folder, and why.
struct FolderRefusal: Hashable, Sendable {
    /// Why something is left.
    enum Cause: Hashable {
        /// The service may not read a folder.
        case closed(Int32)
        /// The service may not take anything out of a folder.
        case locked(Int32)
        /// A folder is nested too deeply.
        case tooDeep
        /// Another file system is mounted at a folder.
        case otherFileSystem
        /// It is a symbolic link.
        case link
        /// It is a pipe, a socket or a device.
        case special
        /// A folder is watched by itself, or was.
        case watched
        /// A folder contains files that the service uses.
        case own
        /// The system returned another error.
        case error(Int32)

        /// Whether someone has set it up so: then nobody needs to do anything about it.
        var isMeant: Bool { self == .watched || self == .own }

        /// Whether a retry may succeed.
        var mayPass: Bool { if case .error = self { true } else { false } }
    }

    /// Why it is left.
    let cause: Cause
    /// Its path; the first one if there are several.
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
