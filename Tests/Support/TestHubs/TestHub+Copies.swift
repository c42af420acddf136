internal import Foundation
internal import HubConnection
internal import TestFolders
internal import TestProcesses

/// Copies of a hub: standbys and backups.
extension TestHub {
    /// A backup of a hub.
    package final class Backup: Sendable {
        fileprivate let folder: TemporaryFolder

        fileprivate init(of hub: TestHub) throws {
            folder = try HubFolders.make("backup")
            try PostgresPrograms.shared.get().giveAway(folder.path)
            try hub.copyFiles(to: folder.path("data"), asStandby: false)
        }
    }

    /// Makes a backup of the running hub.
    package func backup() throws -> Backup { try Backup(of: self) }

    /// Brings the hub back to what it was at a backup, and starts it.
    ///
    /// - Parameter backup: One of this hub.
    /// - Throws: ``TestHubError``.
    package func restore(_ backup: Backup) throws {
        kill()
        try runToEnd(["rm", "-rf", folder.path("data")])
        try runToEnd(["cp", "-a", backup.folder.path("data"), folder.path("data")])
        try start()
    }

    /// Makes and starts a standby that follows this hub.
    ///
    /// - Parameter options: How it is to be.
    /// - Returns: The standby, which takes connections.
    /// - Throws: ``TestHubError``.
    package func standby(_ options: Options = Options()) throws -> TestHub {
        let standby = try TestHub(options) { try copyFiles(to: $0, asStandby: true) }
        try standby.start()
        return standby
    }

    /// Waits until a standby has all that is committed here now.
    package func waitUntilFollowed(by standby: TestHub) throws {
        let place = try query("SELECT pg_current_wal_flush_lsn()").first?[0]
        let connection = try standby.connect()
        let sql = "SELECT pg_sleep(0.01), pg_last_wal_replay_lsn() >= $1::pg_lsn AS is_here"
        while try connection.query(sql, [place]).first?["is_here"] != "t" {}
    }

    /// Lets a standby hear nothing more of the hub that it follows.
    package func stopFollowing() throws {
        try query("ALTER SYSTEM SET primary_conninfo = ''")
        try query("SELECT pg_reload_conf()")
        let connection = try connect()
        let sql = "SELECT pg_sleep(0.01), count(*) AS number FROM pg_stat_wal_receiver"
        while try connection.query(sql).first?["number"] != "0" {}
    }

    /// Makes a hub of a standby.
    package func promote() throws {
        guard try query("SELECT pg_promote(true, 600)").first?[0] == "t" else {
            throw TestHubError("the standby is not promoted:\n\(log)")
        }
    }

    fileprivate func copyFiles(to path: String, asStandby: Bool) throws {
        try PostgresPrograms.shared.get().run(
            "pg_basebackup",
            [
                "--pgdata=\(path)", "--dbname=\(address())", "--checkpoint=fast",
                "--wal-method=stream",
                "--no-sync",
            ] + (asStandby ? ["--write-recovery-conf"] : [])
        )
    }
}
