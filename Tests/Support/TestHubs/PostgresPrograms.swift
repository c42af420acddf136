internal import Foundation
internal import TestProcesses

/// The programs of a PostgreSQL server of whatever version is installed, and who runs them.
struct PostgresPrograms: Sendable {
    private let folder: String

    /// The words before a command that make it run as a user whom a server accepts: it refuses root.
    let user: [String]
    private let owner: (user: uid_t, group: gid_t)?

    /// The programs; a failure if they are missing says what to install.
    static let shared = Result { () throws(TestHubError) in try PostgresPrograms() }

    init(among folders: [String] = Self.folders) throws(TestHubError) {
        guard let folder = folders.first(where: { Self.isProgram("\($0)/initdb") }) else {
            throw TestHubError("there is no PostgreSQL server here: apt-get install postgresql")
        }
        self.folder = folder
        guard getuid() == 0 else {
            (user, owner) = ([], nil)
            return
        }
        guard let owner = Self.owner else {
            throw TestHubError(
                "there is no user postgres or nobody here, whom PostgreSQL could run as"
            )
        }
        self.owner = owner
        user = [
            "setpriv", "--reuid=\(owner.user)", "--regid=\(owner.group)", "--clear-groups", "--",
        ]
    }

    /// The path of a program such as `initdb`.
    func path(_ program: String) -> String { "\(folder)/\(program)" }

    /// Gives files to the user of the server.
    func giveAway(_ paths: String...) throws(TestHubError) {
        guard let owner else { return }
        for path in paths where unsafe chown(path, owner.user, owner.group) != 0 {
            throw TestHubError("\(path) cannot be given to the user of PostgreSQL")
        }
    }

    /// Runs a program of PostgreSQL to its end, as the user of a server.
    @discardableResult
    func run(_ program: String, _ arguments: [String]) throws -> String {
        try runToEnd(user + [path(program)] + arguments)
    }

    /// Debian keeps each version in a folder of its own; the newest comes first.
    private static var folders: [String] {
        let parent = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        let newest = versions.compactMap { Int($0) }.sorted(by: >).map { "\(parent)/\($0)/bin" }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return newest + path.split(separator: ":").map(String.init)
    }

    private static func isProgram(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: path)
    }

    private static var owner: (user: uid_t, group: gid_t)? {
        for name in ["postgres", "nobody"] {
            if let user = unsafe getpwnam(name)?.pointee {
                return unsafe (user.pw_uid, user.pw_gid)
            }
        }
        return nil
    }
}
