internal import FoundationEssentials
internal import Synchronization
internal import SystemSupport

/// The file of the tokens, which is read again as soon as it has changed.
///
/// So a token that was revoked is of no use from the next request on.
package final class TokenFile: Sendable {
    /// The path of the file.
    package let path: String
    /// Tokens that are in no file, and count as long as the program runs.
    private let passing: TokenList
    private let state = Mutex<(version: FileVersion?, list: TokenList)>((nil, TokenList()))

    /// What tells one content of a file from another.
    private struct FileVersion: Equatable {
        var identity: FileIdentity
        var byteCount: Int
        var seconds: Double
    }

    /// Names a file, which need not be there.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - passing: Tokens that count besides those in it.
    package init(at path: String, passing: TokenList = TokenList()) {
        (self.path, self.passing) = (path, passing)
    }

    /// The tokens.
    ///
    /// - Throws: The error if the file is there and cannot be read or understood.
    package func list() throws -> TokenList {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            if FileStatus(at: path) == nil { return TokenList() }
            throw CocoaError(.fileReadNoPermission)
        }
        return try TokenList(bytes)
    }

    /// The holder of a token; nil if it does not count.
    func visitor(_ token: Token) -> Visitor? {
        if let visitor = passing.visitor(token) { return visitor }
        let version = FileStatus(at: path).map {
            FileVersion(
                identity: $0.identity,
                byteCount: $0.byteCount,
                seconds: $0.changed.inSeconds
            )
        }
        let list = state.withLock { state in
            if version == nil || version != state.version {
                // A file that cannot be understood lets nobody in.
                state = (version, (try? self.list()) ?? TokenList())
            }
            return state.list
        }
        return list.visitor(token)
    }
}
