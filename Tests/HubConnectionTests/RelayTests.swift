import HubConnection
import Synchronization
import SystemSupport
import TestHubs
import TestNetworks
import Testing

@Suite("A relay, for a client that has no network", .timeLimit(.minutes(30)))
struct RelayTests {
    @Test("lets it reach of several hosts the one that answers, and trust none that is not the hub")
    func hosts() async throws {
        try await onThread {
            let hub = try TestHub()
            let relayed = try RelayedAddress(
                "host=127.0.0.1,elsewhere.invalid,localhost,localhost hostaddr=,127.0.0.1,, "
                    + "port=1,\(hub.port),1,\(hub.port)",
                of: hub
            )
            let connection = try relayed.connect()
            #expect(connection.isEncrypted)
            #expect(connection.place.contains("localhost"))
            // It comes from the relay, whoever is behind that.
            let port = try connection.query("SELECT inet_server_port()").first?[0]
            #expect(port == "\(hub.port)")
            #expect(relayed.told.count == 2)
            let refusal = "port 1, cannot be reached: Connection refused"
            #expect(relayed.told.allSatisfy { $0.contains(refusal) })
            let much = String(repeating: "x", count: 3_000_000)
            #expect(try connection.query("SELECT $1", [much]).first?[0] == much)
            hub.kill()
            #expect(failure { try connection.query("SELECT 1") }?.kind == .unreachable)
            #expect(failure { _ = try relayed.connect() }?.kind == .unreachable)
            try hub.start()
            #expect(try relayed.connect().query("SELECT 1").first?[0] == "1")

            let stranger = "host=elsewhere.invalid hostaddr=127.0.0.1 port=\(hub.port)"
            let other = try RelayedAddress(stranger, of: hub)
            let error = failure { _ = try other.connect() }
            #expect(error?.kind == .refused && error?.message.contains("elsewhere.invalid") == true)
        }
    }

    @Test("is not asked where the hub is at a socket in a folder")
    func folder() async throws {
        try await onThread {
            let hub = try TestHub()
            let address = try HubAddress(hub.address(), relayPort: 1)
            let connection = try HubConnection(to: address, applicationName: "a test")
            #expect(try connection.query("SELECT 1").first?[0] == "1")
        }
    }
}

/// The address of a hub by way of a relay, which runs until the tests end.
final class RelayedAddress: Sendable {
    private let address: HubAddress
    private let words = Words()

    private final class Words: Sendable {
        let lines = Mutex<[String]>([])
    }

    /// What the relay has told.
    var told: [String] { words.lines.withLock { $0 } }

    /// Starts a relay on this thread's host.
    init(_ hosts: String, of hub: TestHub) throws {
        let certificate = try hub.authority.certificate(for: "postgres")
        let text = """
            user=postgres dbname=postgres sslmode=verify-full sslrootcert='\(hub.authority.path)' \
            sslcert='\(certificate.certificate)' sslkey='\(certificate.key)' \(hosts)
            """
        let listener = try listenEverywhere()
        address = try HubAddress(text, relayPort: listener.port)
        let relay = HubRelay(to: address) { [words] line in words.lines.withLock { $0.append(line) }
        }
        DetachedThread.startPatiently { _ = relay.run(listener.descriptor) }
    }

    func connect() throws -> HubConnection {
        try HubConnection(to: address, applicationName: "a test")
    }
}
