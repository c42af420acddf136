import HubConnection
import SystemSupport
import TestHubs
import TestNetworks
import Testing

@Suite("A connection over a bad network", .timeLimit(.minutes(30)))
struct RelayedTests {
    /// A hub behind a relay, over TLS.
    private struct Line {
        let hub: TestHub
        let relay: TestRelay
        let address: String

        init() throws {
            hub = try SharedHub.get()
            relay = try TestRelay(to: hub.port)
            let certificate = try hub.authority.certificate(for: "postgres")
            address = hub.address(as: "postgres", with: certificate, port: relay.port)
        }
    }

    /// What is done on each connection here.
    private static func work(_ connection: HubConnection) throws {
        try connection.query("SELECT $1::text", [String(repeating: "x", count: 20_000)])
        try connection.listen(to: "news")
    }

    @Test(
        "that is cut at any byte fails in words, and only there",
        arguments: TestRelay.Side.allCases,
        [TestRelay.Course.End.close, .reset]
    )
    func cuts(side: TestRelay.Side, end: TestRelay.Course.End) async throws {
        try await onThread {
            let line = try Line()
            try Self.work(try connect(line.address))
            let traffic = try #require(line.relay.traffic.first)
            let whole = side == .client ? traffic.client : traffic.server
            #expect(whole > 20_000)
            // Each byte of the beginning would be a minute: a prime number of places, all over it.
            let places =
                Array(stride(from: 0, to: min(whole, 4000), by: 61))
                + Array(stride(from: 4000, to: whole - 100, by: 4001))
            for place in places {
                line.relay.plan(TestRelay.Course(after: place, of: side, end))
                let error = failure { try Self.work(try connect(line.address)) }
                guard let error else {
                    Issue.record("nothing fails after \(place) of \(whole) bytes")
                    continue
                }
                #expect(error.kind == .unreachable, "after \(place) bytes: \(error)")
                #expect(!error.description.contains("\n"))
            }
            try Self.work(try connect(line.address))
        }
    }

    @Test(
        "on which answers are lost, or nothing passes, is given up in time",
        arguments: [true, false]
    )
    func silence(answersAreLost: Bool) async throws {
        try await onThread {
            let line = try Line()
            let connection = try connect(line.address)
            try connection.query("SELECT 1")
            connection.patience = .milliseconds(300)
            if answersAreLost {
                let passed = line.relay.traffic[0].server
                connection.close()
                line.relay.plan(TestRelay.Course(after: passed - 20, of: .server, .loss))
                let error = failure {
                    let connection = try connect(
                        "\(line.address) connect_timeout=2",
                        patience: .milliseconds(300)
                    )
                    while true { try connection.query("SELECT 1") }
                }
                // Answers that differ in length may have been lost while it was connecting already.
                let words = ["nothing came for 0.3 s", "nothing came for 2 s"]
                #expect(
                    words.contains { error?.message.hasSuffix($0) == true },
                    "\(String(describing: error))"
                )
            } else {
                line.relay.isSilent = true
                let error = failure { try connection.query("SELECT 1") }
                #expect(error?.message.hasSuffix("nothing came for 0.3 s") == true)
                let other = failure { _ = try connect("\(line.address) connect_timeout=2") }
                #expect(other?.message.hasSuffix("nothing came for 2 s") == true)
                line.relay.isSilent = false
            }
            try Self.work(try connect(line.address))
        }
    }

    @Test("is not given up for being slow, as long as something comes")
    func slowness() async throws {
        try await onThread {
            let line = try Line()
            line.relay.usual = TestRelay.Course(delay: .milliseconds(50))
            let connection = try connect(line.address, patience: .seconds(30))
            let start = SuspendingClock.now
            #expect(
                try connection.query("SELECT repeat('x', 3000000)").first?[0]?.count == 3_000_000
            )
            #expect(SuspendingClock.now - start >= .milliseconds(100))
        }
    }

    @Test("hears at once that all connections are cut, or refused")
    func cutNow() async throws {
        try await onThread {
            let line = try Line()
            let connection = try connect(line.address)
            line.relay.cut()
            let error = failure { _ = try connection.wait() }
            #expect(error?.kind == .unreachable)
            line.relay.refuses = true
            #expect(failure { _ = try connect(line.address) }?.kind == .unreachable)
            line.relay.refuses = false
            try Self.work(try connect(line.address))
        }
    }
}
