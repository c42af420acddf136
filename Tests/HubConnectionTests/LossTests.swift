import Foundation
import HubConnection
import SystemSupport
import TestHubs
import Testing

@Suite("A connection that is lost", .timeLimit(.minutes(30)))
struct LossTests {
    /// What becomes of a hub while it carries out a statement.
    struct End: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let kind: HubError.Kind
        let bring: @Sendable (TestHub) throws -> Void

        static let all = [
            End(testDescription: "killed with all of its processes", kind: .unreachable) {
                $0.kill()
            },
            End(testDescription: "stopped in order", kind: .notReady) { $0.stop() },
            End(testDescription: "stopped at once", kind: .notReady) { $0.stopAtOnce() },
            End(testDescription: "with one process killed by the system", kind: .notReady) { hub in
                // The server's own user may do that; all others are ended too.
                let other = try hub.connect()
                let number = try other.query("SELECT pg_backend_pid()").first?[0] ?? ""
                _ = try? hub.query("COPY (SELECT 1) TO PROGRAM 'kill -9 \(number)'")
            },
            End(testDescription: "told by its administrator to end it", kind: .notReady) { hub in
                let sql = """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
                    """
                try hub.query(sql)
            },
        ]
    }

    @Test("during a statement says so, and another one can be made later", arguments: End.all)
    func duringStatement(end: End) async throws {
        let hub = try await onThread { try TestHub() }
        async let error = onThread {
            let connection = try hub.connect()
            let error = failure { try connection.query("SELECT pg_sleep(600)") }
            #expect(!connection.isOpen)
            return error
        }
        try await onThread {
            try hub.waitUntil("active", "pg_sleep(600)")
            try end.bring(hub)
        }
        let loss = try await error
        #expect(loss?.kind == end.kind, "\(String(describing: loss))")
        #expect(loss?.description.contains("the hub at the socket in") == true)
        try await onThread {
            hub.kill()
            try hub.start()
            #expect(try hub.query("SELECT 1").first?[0] == "1")
        }
    }

    @Test("while it waits for news says so", arguments: End.all)
    func duringWait(end: End) async throws {
        let hub = try await onThread { try TestHub() }
        async let error = onThread {
            let connection = try hub.connect()
            try connection.listen(to: "news")
            try connection.query("SELECT pg_notify('ready', '')")
            let error = failure { _ = try connection.wait() }
            #expect(!connection.isOpen)
            return error
        }
        try await onThread {
            try hub.waitUntil("idle", "'ready'")
            try end.bring(hub)
        }
        let loss = try await error
        #expect(loss?.kind == end.kind, "\(String(describing: loss))")
    }

    @Test("because the server says nothing any more is known after the time that was given to it")
    func silence() async throws {
        try await onThread {
            let hub = try TestHub()
            let connection = try connect(hub.address(), patience: .milliseconds(300))
            hub.freeze()
            let error = failure { try connection.query("SELECT 1") }
            #expect(error?.kind == .unreachable)
            #expect(error?.message.hasSuffix("nothing came for 0.3 s") == true)
            #expect(!connection.isOpen)
            // The system still takes connections for it.
            let start = SuspendingClock.now
            let other = failure { _ = try connect("\(hub.address()) connect_timeout=2") }
            #expect(other?.kind == .unreachable)
            #expect(other?.message.hasSuffix("nothing came for 2 s") == true)
            #expect(SuspendingClock.now - start >= .seconds(2))
            hub.thaw()
            #expect(try hub.query("SELECT 1").first?[0] == "1")
        }
    }

    @Test(
        "because the caller's signal ends it is known at once",
        arguments: ["statement", "news", "start"]
    )
    func ended(during: String) async throws {
        let hub = try await onThread { try TestHub() }
        let ending = WakeSignal()
        async let error = onThread {
            if during == "start" {
                hub.freeze()
                ending.raise()
                return failure { _ = try connect(hub.address(), ending: ending) }
            }
            let connection = try connect(hub.address(), ending: ending)
            let error = failure {
                try connection.query("SELECT 'begun'")
                _ =
                    during == "news"
                    ? [] : try connection.query("SELECT pg_sleep(600)")
                _ = try connection.wait()
            }
            #expect(!connection.isOpen)
            return error
        }
        try await onThread {
            if during == "statement" { try hub.waitUntil("active", "pg_sleep(600)") }
            if during == "news" { try hub.waitUntil("idle", "'begun'") }
            if during != "start" { ending.raise() }
        }
        #expect(try await error?.kind == .ended)
        try await onThread {
            hub.thaw()
            ending.lower()
            let connection = try connect(hub.address(), ending: ending)
            #expect(try connection.query("SELECT 1").first?[0] == "1")
            connection.close()
            #expect(!connection.isOpen)
            #expect(failure { _ = try connection.wait() }?.kind == .unreachable)
        }
    }
}
