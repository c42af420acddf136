import HubConnection
import SystemSupport
import TestHubs
import Testing

@Suite("A hub and its client", .timeLimit(.minutes(30)))
struct TrustTests {
    /// What a client says of itself and of the hub.
    struct Client: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var role = "station"
        var name = "station"
        var isExpired = false
        var isOfAnotherAuthority = false
        var settings: [String: String] = [:]
        let kind: HubError.Kind?
        var words = ""

        static let all = [
            Client(testDescription: "of the right name", kind: nil),
            Client(
                testDescription: "of a name with signs",
                role: "a/b \\ 'ü'",
                name: "a/b \\ 'ü'",
                kind: nil
            ),
            Client(testDescription: "of another role", role: "postgres", kind: .refused),
            Client(
                testDescription: "of a role that is not there",
                role: "nobody",
                name: "nobody",
                kind: .refused,
                words: "nobody"
            ),
            Client(
                testDescription: "whose certificate has expired",
                isExpired: true,
                kind: .refused
            ),
            Client(
                testDescription: "of another authority",
                isOfAnotherAuthority: true,
                kind: .refused
            ),
            Client(
                testDescription: "without a certificate",
                settings: ["sslcert": "/nowhere/none", "sslkey": "/nowhere/none"],
                kind: .refused,
                words: "certificate"
            ),
            Client(
                testDescription: "for whom the hub has another name",
                settings: ["host": "elsewhere.example"],
                kind: .refused,
                words: "elsewhere.example"
            ),
            Client(
                testDescription: "without the certificate of the authority",
                settings: ["sslrootcert": "/nowhere/root.crt"],
                kind: .refused,
                words: "/nowhere/root.crt"
            ),
            Client(
                testDescription: "without the key",
                settings: ["sslkey": "/nowhere/station.key"],
                kind: .refused,
                words: "/nowhere/station.key"
            ),
            Client(
                testDescription: "with a wrong password",
                settings: ["sslmode": "disable", "password": "se'cret"],
                kind: .refused,
                words: "password"
            ),
            Client(
                testDescription: "without a password",
                settings: ["sslmode": "disable", "passfile": "/nowhere/pgpass"],
                kind: .refused,
                words: "password"
            ),
            Client(
                testDescription: "of a database that is not there",
                settings: ["dbname": "luggage"],
                kind: .refused,
                words: "create that database"
            ),
            Client(
                testDescription: "at a port where nobody listens",
                settings: ["port": "1"],
                kind: .unreachable,
                words: "refused"
            ),
            Client(
                testDescription: "at a host that is not there",
                settings: ["host": "nowhere.invalid", "hostaddr": ""],
                kind: .unreachable,
                words: "nowhere.invalid"
            ),
        ]
    }

    @Test("trust each other only if all is right", arguments: Client.all)
    func trust(client: Client) async throws {
        try await onThread {
            let hub = try TrustedHub.get()
            let authority = client.isOfAnotherAuthority ? try TestAuthority() : hub.authority
            let certificate = try authority.certificate(
                for: client.name,
                isExpired: client.isExpired
            )
            var settings = client.settings
            if client.isOfAnotherAuthority { settings["sslrootcert"] = hub.authority.path }
            let address = hub.address(as: client.role, with: certificate, settings: settings)
            var role: String?
            let error = failure {
                let connection = try connect(address)
                #expect(connection.isEncrypted)
                role = try connection.query("SELECT current_user").first?[0]
            }
            #expect(error?.kind == client.kind, "\(String(describing: error))")
            #expect(role == (client.kind == nil ? client.role : nil))
            guard let error else { return }
            #expect(error.description.contains(client.words), "\(error)")
            #expect(error.remedy != nil)
            #expect(!error.description.contains("se'cret"))
            #expect(!error.description.contains("\n"))
        }
    }

    @Test("do not trust each other if the hub is certified by somebody else")
    func otherHub() async throws {
        try await onThread {
            let hub = try TrustedHub.get()
            let certificate = try hub.authority.certificate(for: "station")
            let settings = ["sslrootcert": try TestAuthority().path]
            let address = hub.address(as: "station", with: certificate, settings: settings)
            let error = failure { _ = try connect(address) }
            #expect(error?.kind == .refused, "\(String(describing: error))")
        }
    }

    @Test(
        "have no address in common if it has no meaning, and what it says is not repeated",
        arguments: [
            "secret", "host", "host='secret", "password=secret host",
            "postgresql://u:secret@[::1/x",
            "postgresql://u:secret@h:port%zz/d", "nonsense=secret", "host=h\0secret",
            "postgresql://u:secret@h/d?nonsense=1",
        ]
    )
    func meaning(address: String) {
        let error = failure { _ = try HubAddress(address) }
        #expect(error?.kind == .address)
        #expect(error.map { "\($0)".contains("secret") } == false)
        #expect(error?.remedy?.contains("postgresql://USER@HOST/DATABASE") == true)
    }

    @Test(
        "may not be told apart from somebody in between only where nothing goes over a network",
        arguments: [
            ("host=hub.example", false), ("host=hub.example sslmode=require", false),
            ("host=hub.example sslmode=verify-ca", false), ("host=10.0.0.1 sslmode=disable", false),
            ("host=/run/postgresql,hub.example", false), ("hostaddr=10.0.0.1", false),
            ("host=localhost hostaddr=10.0.0.1", false),
            ("postgresql://u:secret@h/d?ssl=true", false),
            ("host=hub.example sslmode=verify-full", true), ("host=/run/postgresql", true),
            ("dbname=luggage", true), ("host=localhost", true), ("host=127.0.0.1,::1", true),
            ("host=hub.example hostaddr=127.0.0.1", true),
        ]
    )
    func verified(address: String, isTaken: Bool) {
        let error = failure { _ = try HubAddress(address) }
        #expect((error == nil) == isTaken, "\(address)")
        if isTaken { return }
        #expect(error?.kind == .address && error?.remedy?.contains("sslmode=verify-full") == true)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("are told apart from what an address says besides")
    func parts() throws {
        let address = try HubAddress("postgresql://anna:secret@h:5433/luggage?sslmode=verify-full")
        #expect(address["host"] == "h" && address["port"] == "5433" && address["user"] == "anna")
        #expect(address["dbname"] == "luggage" && address["sslmode"] == "verify-full")
        #expect(address["password"] == nil && address["hostaddr"] == nil)
    }
}

/// A hub with the roles of these tests.
private enum TrustedHub {
    private static let hub = Result {
        let hub = try TestHub()
        try hub.query("CREATE ROLE station LOGIN PASSWORD 'right'")
        try hub.query("CREATE ROLE \"a/b \\ 'ü'\" LOGIN")
        return hub
    }

    static func get() throws -> TestHub { try hub.get() }
}
