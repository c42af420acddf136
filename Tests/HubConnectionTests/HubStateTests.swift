import HubConnection
import SystemSupport
import TestHubs
import Testing

@Suite("A hub", .timeLimit(.minutes(30)))
struct HubStateTests {
    @Test("that is read-only says so, and takes changes again later")
    func readOnly() async throws {
        try await onThread {
            let hub = try TestHub()
            try hub.query("CREATE TABLE kept (number integer)")
            let connection = try hub.connect()
            try hub.setReadOnly(true)
            let error = failure { try connection.query("INSERT INTO kept VALUES (1)") }
            #expect(error?.kind == .readOnly)
            #expect(error?.sqlState == "25006")
            try hub.setReadOnly(false)
            try connection.query("INSERT INTO kept VALUES (1)")
        }
    }

    @Test(
        "whose disk is full says so, loses nothing, and takes changes again later",
        .enabled("this machine mounts small disks") { TestHub.isFillingExpected }
    )
    func full() async throws {
        try await onThread {
            var options = TestHub.Options()
            options.space = 64 << 20
            let hub = try TestHub(options)
            let connection = try hub.connect()
            try connection.query("CREATE TABLE kept (text text)")
            try connection.query("INSERT INTO kept VALUES ('before')")
            try hub.fill()
            let insert = "INSERT INTO kept SELECT repeat('x', 1000) FROM generate_series(1, 10000)"
            let error = failure { try connection.query(insert) }
            #expect(error?.kind == .full)
            #expect(error?.sqlState == "53100")
            #expect(connection.isOpen)
            #expect(try connection.query("SELECT text FROM kept").map(\.values) == [["before"]])
            try hub.makeRoom()
            try connection.query(insert)
            #expect(try connection.query("SELECT count(*) FROM kept").first?[0] == "10001")
        }
    }

    @Test("that has no connection left says so")
    func crowded() async throws {
        try await onThread {
            var options = TestHub.Options()
            options.settings = ["max_connections": "4", "superuser_reserved_connections": "0"]
            options.settings["max_wal_senders"] = "0"
            let hub = try TestHub(options)
            var connections: [HubConnection] = []
            let error = failure { while true { connections.append(try hub.connect()) } }
            #expect(error?.kind == .notReady)
            #expect(error?.sqlState == "53300")
            #expect(connections.count == 4)
        }
    }

    @Test("fails over to a standby that lags: what it had not heard is gone, and it says who it is")
    func failover() async throws {
        try await onThread {
            let primary = try TestHub()
            try primary.query("CREATE TABLE kept (number integer)")
            let standby = try primary.standby()
            try primary.query("INSERT INTO kept VALUES (1)")
            try primary.waitUntilFollowed(by: standby)
            let error = failure { try standby.query("INSERT INTO kept VALUES (2)") }
            #expect(error?.kind == .readOnly)

            // Of both, in any order, the one that takes changes.
            let hosts = "host=127.0.0.1,127.0.0.1,127.0.0.1 port=1,\(standby.port),\(primary.port)"
            let certificate = try primary.authority.certificate(for: "postgres")
            let address = """
                user=postgres sslmode=verify-full \(hosts) sslrootcert='\(primary.authority.path)' \
                sslcert='\(certificate.certificate)' sslkey='\(certificate.key)'
                """
            let port = "SELECT inet_server_port()"
            #expect(try connect(address).query(port).first?[0] == "\(primary.port)")

            try standby.stopFollowing()
            try primary.query("INSERT INTO kept VALUES (3)")
            primary.kill()
            #expect(failure { _ = try connect(address) } != nil)
            try standby.promote()
            #expect(try connect(address).query(port).first?[0] == "\(standby.port)")
            #expect(try standby.query("SELECT number FROM kept").map(\.values) == [["1"]])
            let timeline = "SELECT timeline_id FROM pg_control_checkpoint()"
            try standby.query("CHECKPOINT")
            #expect(try standby.query(timeline).first?[0] == "2")
        }
    }

    @Test("is brought back to a backup, with the same identifier")
    func restored() async throws {
        try await onThread {
            let hub = try TestHub()
            let identifier = "SELECT system_identifier FROM pg_control_system()"
            let before = try hub.query(identifier)
            try hub.query("CREATE TABLE kept (number integer)")
            try hub.query("INSERT INTO kept VALUES (1)")
            let backup = try hub.backup()
            try hub.query("INSERT INTO kept VALUES (2)")
            try hub.restore(backup)
            #expect(try hub.query("SELECT number FROM kept").map(\.values) == [["1"]])
            #expect(try hub.query(identifier) == before)
            hub.stop()
            try hub.start()
            #expect(try hub.query("SELECT number FROM kept").map(\.values) == [["1"]])
        }
    }

    @Test("is of nobody else: each has files and a port of its own")
    func separate() async throws {
        try await onThread {
            let hubs = try (0..<2).map { _ in try TestHub() }
            #expect(Set(hubs.map(\.port)).count == 2)
            try hubs[0].query("CREATE TABLE kept ()")
            #expect(failure { try hubs[1].query("TABLE kept") }?.kind == .undefined)
        }
    }
}
