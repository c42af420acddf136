import HubConnection
import SystemSupport
import TestHubs
import TestNetworks
import Testing

@Suite(
    "A line that is dead",
    .enabled("this machine has hosts for tests") { TestHost.isExpected },
    .timeLimit(.minutes(30))
)
struct DeadLineTests {
    /// A hub and a station with a line between them.
    private struct Network {
        let station: TestHost
        let line: TestLine
        let hub: TestHub
        let address: String

        init() throws {
            let other = try TestHost()
            station = try TestHost()
            line = try TestLine(station, other)
            var options = TestHub.Options()
            options.prefix = other.prefix
            options.addresses = [line.addresses[1]]
            hub = try TestHub(options)
            let certificate = try hub.authority.certificate(for: "postgres")
            address = hub.address(as: "postgres", with: certificate)
        }
    }

    @Test(
        "is known after some 6 seconds, though nobody hears of it, whatever is under way",
        arguments: ["news", "statement", "sending", "news by a relay"]
    )
    func dead(work: String) async throws {
        let network = try await onThread { try Network() }
        try await network.station.onThread {
            let isRelayed = work.hasSuffix("relay")
            let hosts =
                "host=localhost hostaddr=\(network.line.addresses[1]) port=\(network.hub.port)"
            let relayed = try isRelayed ? RelayedAddress(hosts, of: network.hub) : nil
            let connection = try relayed?.connect() ?? connect(network.address)
            try connection.query("SELECT 1")
            let much = String(repeating: "x", count: 50_000_000)
            try network.line.cut()
            let start = SuspendingClock.now
            let error = failure {
                switch work {
                case "news", "news by a relay": _ = try connection.wait()
                case "statement": try connection.query("SELECT 1")
                default: try connection.query("SELECT $1", [much])
                }
            }
            let time = SuspendingClock.now - start
            #expect(error?.kind == .unreachable, "\(String(describing: error))")
            // 5.5 s by itself; without these settings it would be hours, or the minute of patience.
            #expect(time < .seconds(30), "it took \(time)")
            print("a dead line was known after \(time), during \(work)")
            // A new connection is not waited for either.
            let again = SuspendingClock.now
            #expect(
                failure { _ = try connect("\(network.address) connect_timeout=5") }?.kind
                    == .unreachable
            )
            #expect(SuspendingClock.now - again < .seconds(30))
            try network.line.mend()
            #expect(try connect(network.address).query("SELECT 1").first?[0] == "1")
        }
    }

    @Test("or pulled out is in use again once it is mended, and a short cut is not noticed")
    func mended() async throws {
        let network = try await onThread { try Network() }
        try await network.station.onThread {
            let connection = try connect(network.address)
            try network.line.cut()
            try network.line.mend()
            #expect(try connection.query("SELECT 1").first?[0] == "1")
            try network.line.plug(false)
            #expect(failure { _ = try connect(network.address) }?.kind == .unreachable)
            try network.line.plug(true)
            #expect(try connect(network.address).query("SELECT 1").first?[0] == "1")
        }
    }
}
