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
        let token = Token()
        try change { list in
            if list.tokens.contains(where: { $0.name == name }) {
                throw Failure(
                    .incomplete,
                    "there is a token for \(name.onOneLine) already; revoke it first, or take another name, "
                        + "such as that of the device"
                )
            }
            list.tokens.append(TokenEntry(name: name, role: role, token: token, madeAt: Date()))
        }
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
        try change { list in
            let count = list.tokens.count
            list.tokens.removeAll { $0.name == name }
            if list.tokens.count == count {
                throw Failure(
                    .incomplete,
                    "there is no token for \(name.onOneLine); `luggage board token list` shows those there are"
                )
            }
        }
        try StandardOutput.line("revoked: \(name.onOneLine)")
    }

    /// Changes the list, and lets nobody else change it meanwhile: a revocation must not get lost.
    private func change(_ body: (inout TokenList) throws -> Void) throws {
        let lock: FileLock
        do throws(SystemError) {
            lock = try FileLock(holdingFolder: folder)
        } catch {
            throw Failure(.ioFailed, "\(folder.onOneLine) cannot be opened: \(error)")
        }
        try withExtendedLifetime(lock) {
            var list = try self.list()
            try body(&list)
            try write(list)
        }
    }

    private var folder: String { path.parentFolder }

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
        if geteuid() == 0, let owner = FileStatus(at: folder)?.owner {
            _ = unsafe chown(path, owner, .max)
        }
    }
}
