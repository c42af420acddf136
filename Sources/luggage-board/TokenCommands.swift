internal import FoundationEssentials
internal import Glibc
internal import LuggageBoard
internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport

/// Makes, lists and revokes tokens.
struct TokenCommands {
    let path: String

    /// Makes a token, and prints the link that has it: nothing else ever shows it.
    ///
    /// - Returns: The link.
    func add(_ name: String, _ roleName: String, address: String) throws -> String {
        guard let role = Role(rawValue: roleName) else {
            throw Failure(
                .usage,
                "there is no role \(roleName.quoted); there are see, file and correct"
            )
        }
        guard name.isStationName else {
            throw Failure(.usage, "a name has 1 to 64 characters, all of them visible")
        }
        let lock = try lock()
        defer { lock.release() }
        var list = try list()
        if list.tokens.contains(where: { $0.name == name }) {
            throw Failure(
                .incomplete,
                "there is a token for \(name.onOneLine) already; revoke it first, or take another name, "
                    + "such as that of the device"
            )
        }
        let token = Token()
        list.tokens.append(TokenEntry(name: name, role: role, token: token, madeAt: Date()))
        try write(list)
        let base = address.hasSuffix("/") ? String(address.dropLast()) : address
        let link = "\(base)/enter?token=\(token.text)"
        try StandardOutput.line("\(name.onOneLine) may \(role.rawValue), whoever has this link:")
        try StandardOutput.line(link)
        return link
    }

    /// Prints what is known of the tokens.
    func show() throws {
        let list = try list()
        if list.tokens.isEmpty { return try StandardOutput.line("there are no tokens") }
        for entry in list.tokens {
            let word = entry.role.rawValue
            let role = word + String(repeating: " ", count: max(0, 8 - word.count))
            try StandardOutput.line("\(role)  \(entry.madeAt.local)  \(entry.name.onOneLine)")
        }
    }

    /// Removes a token: its holder is a stranger from the next request on.
    func revoke(_ name: String) throws {
        let lock = try lock()
        defer { lock.release() }
        var list = try list()
        let left = list.tokens.filter { $0.name != name }
        guard left.count < list.tokens.count else {
            throw Failure(
                .incomplete,
                "there is no token for \(name.onOneLine); `luggage board token list` shows those there are"
            )
        }
        list.tokens = left
        try write(list)
        try StandardOutput.line("revoked: \(name.onOneLine)")
    }

    /// Lets nobody else change the tokens meanwhile: a revocation must not get lost.
    private func lock() throws -> FolderGuard {
        let folder = path.parentPath
        guard let lock = FolderGuard(folder.isEmpty ? "." : folder) else {
            throw Failure(.ioFailed, "the folder of \(path.onOneLine) cannot be opened")
        }
        return lock
    }

    private func list() throws -> TokenList {
        do {
            return try TokenFile(at: path).list()
        } catch {
            throw Failure(
                .ioFailed,
                "the tokens in \(path.onOneLine) cannot be read; if the file is damaged, remove it, and make "
                    + "them anew"
            )
        }
    }

    private func write(_ list: TokenList) throws {
        var file = try AtomicFile(path: path, replaces: true)
        try file.write(list.bytes)
        try file.finish()
        // The administrator makes it for the service, which must read it.
        let folder = path.parentPath
        if geteuid() == 0, let owner = FileStatus(at: folder.isEmpty ? "." : folder)?.owner {
            _ = unsafe chown(path, owner, .max)
        }
    }
}

/// A folder that one program at a time holds.
private struct FolderGuard {
    private let descriptor: Int32

    /// Waits until nobody else holds it; nil if it cannot be opened.
    init?(_ path: String) {
        descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if descriptor < 0 { return nil }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    func release() { close(descriptor) }
}
