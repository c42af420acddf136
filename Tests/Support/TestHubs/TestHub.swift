internal import Foundation
package import HubConnection
internal import Synchronization
internal import TestFolders
internal import TestProcesses

/// A PostgreSQL server of a test's own, which ends with the test.
///
/// It listens at a socket, where everybody is whom he says he is, and at addresses: with TLS each client
/// is who its certificate says, and without it a password is asked for.
package final class TestHub: Sendable {
    /// How a hub is to be.
    package struct Options: Sendable {
        /// Whether what is committed survives a failure of the machine; else it is faster.
        package var isDurable = false
        /// Further settings of `postgresql.conf`.
        package var settings: [String: String] = [:]
        /// Lines of `pg_hba.conf` that come before the others.
        package var rules: [String] = []
        /// Where it listens.
        package var addresses = ["127.0.0.1"]
        /// What its certificate names.
        package var names = ["DNS:localhost", "IP:127.0.0.1"]
        /// The words before its command, such as those that enter a network namespace.
        package var prefix: [String] = []
        /// How many bytes the tables may take, for tests that fill them; nil for as many as there are.
        package var space: Int?

        package init() {}
    }

    let options: Options
    let folder: TemporaryFolder
    private let room: TestRoom?
    private let process = Mutex<LastingProcess?>(nil)

    private let reservation: PortReservation

    /// The port, of the socket too.
    package var port: Int { reservation.port }

    /// Who certifies it and its clients.
    package let authority: TestAuthority

    /// Makes and starts one, with an empty database `postgres`.
    ///
    /// - Parameter options: How it is to be.
    /// - Throws: ``TestHubError``, which says what to install if something is missing.
    package convenience init(_ options: Options = Options()) throws {
        try self.init(options) { try HubTemplate.shared.get().copy(to: $0) }
        try start()
    }

    /// Makes one that is not started.
    init(_ options: Options, _ makeFiles: (_ data: String) throws -> Void) throws {
        let programs = try PostgresPrograms.shared.get()
        self.options = options
        authority = try TestAuthority.shared.get()
        folder = try HubFolders.make("hub")
        reservation = try PortReservation()
        try FileManager.default.createDirectory(
            atPath: folder.path("socket"),
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        try programs.giveAway(folder.path, folder.path("socket"))
        try makeFiles(folder.path("data"))
        room = try options.space.map { [folder] in try TestRoom(of: folder, bytes: $0) }
        try configure()
    }

    deinit {
        // Before its folder goes.
        process.withLock { $0 = nil }
    }

    /// What it has written to its log since it was last started.
    package var log: String { process.withLock { $0?.log ?? "" } }

    // MARK: - Starting and ending

    /// Starts it, and waits until it takes connections.
    package func start() throws {
        let programs = try PostgresPrograms.shared.get()
        let data = folder.path("data")
        let server = try LastingProcess(
            options.prefix + programs.user + [programs.path("postgres"), "-D", data]
        )
        let ready = ["ready to accept connections", "ready to accept read-only connections"]
        guard server.waitForLine(containing: ready) else {
            throw TestHubError("PostgreSQL does not start:\n\(server.log)")
        }
        process.withLock { $0 = server }
    }

    /// Ends it in order, which ends its connections too.
    package func stop() { end { $0.send(SIGINT) } }

    /// Ends it without order: all connections at once, and it recovers when it starts again.
    package func stopAtOnce() { end { $0.send(SIGQUIT) } }

    /// Kills all of its processes, as a failing machine would.
    package func kill() { end { $0.killAll() } }

    private func end(_ how: (LastingProcess) -> Void) {
        let server = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let server else { return }
        how(server)
        _ = server.waitForEnd()
    }

    /// Lets all of its processes stand still; the system goes on to take connections for it.
    package func freeze() { process.withLock { $0?.sendToAll(SIGSTOP) } }

    /// Lets its processes go on.
    package func thaw() { process.withLock { $0?.sendToAll(SIGCONT) } }

    // MARK: - Reaching it

    /// The address of the socket.
    ///
    /// - Parameters:
    ///   - role: The role to be.
    ///   - database: The database.
    /// - Returns: It, in libpq's words.
    package func address(as role: String = "postgres", database: String = "postgres") -> String {
        Self.address([
            "host": folder.path("socket"), "port": "\(port)", "user": role, "dbname": database,
            "connect_timeout": "\(Self.patience)",
        ])
    }

    /// The address over TLS.
    ///
    /// - Parameters:
    ///   - role: The role to be.
    ///   - certificate: That of the role.
    ///   - database: The database.
    ///   - port: The port of a relay before the hub; nil for the hub itself.
    ///   - settings: Further parameters of libpq, which replace these.
    /// - Returns: It, in libpq's words.
    package func address(
        as role: String,
        with certificate: TestAuthority.Certificate,
        database: String = "postgres",
        port: Int? = nil,
        settings: [String: String] = [:]
    ) -> String {
        let usual = [
            "host": "localhost", "hostaddr": options.addresses.first ?? "127.0.0.1",
            "port": "\(port ?? self.port)", "user": role, "dbname": database,
            "connect_timeout": "\(Self.patience)", "sslmode": "verify-full",
            "sslrootcert": authority.path,
            "sslcert": certificate.certificate, "sslkey": certificate.key,
        ]
        return Self.address(usual.merging(settings) { $1 })
    }

    /// In seconds: a busy machine takes its time, and a test of silence says less.
    fileprivate static let patience = 600

    static func address(_ settings: [String: String]) -> String {
        settings.sorted { $0.key < $1.key }.map { name, value in
            let escaped = value.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
            return "\(name)='\(escaped)'"
        }.joined(separator: " ")
    }

    /// Connects to the socket.
    package func connect(
        as role: String = "postgres",
        database: String = "postgres"
    ) throws -> HubConnection {
        try HubConnection(ofTest: address(as: role, database: database))
    }

    /// Carries out a statement as the superuser.
    @discardableResult
    package func query(
        _ sql: String,
        _ parameters: [String?] = [],
        database: String = "postgres"
    ) throws -> [HubRow] {
        try connect(database: database).query(sql, parameters)
    }

    // MARK: - States

    /// Sets whether it takes changes.
    package func setReadOnly(_ isReadOnly: Bool) throws {
        let word = isReadOnly ? "on" : "off"
        try query("ALTER SYSTEM SET default_transaction_read_only = \(word)")
        try query("SELECT pg_reload_conf()")
        // A new connection has the setting once the server has told it to the others.
        while try query("SHOW default_transaction_read_only").first?[0] != word {}
    }

    /// Takes all the space that is left for its tables.
    package func fill() throws { try limitedRoom.fill() }

    /// Gives the space back.
    package func makeRoom() throws { try limitedRoom.empty() }

    private var limitedRoom: TestRoom {
        get throws {
            guard let room else { throw TestHubError("the space of this hub has no limit") }
            return room
        }
    }

    // MARK: - Its files

    private func configure() throws {
        let programs = try PostgresPrograms.shared.get()
        let data = folder.path("data")
        let certificate = try authority.certificate(for: "localhost", hosts: options.names)
        for (from, name) in [(certificate.certificate, "hub.crt"), (certificate.key, "hub.key")] {
            try? FileManager.default.removeItem(atPath: "\(data)/\(name)")
            try FileManager.default.copyItem(atPath: from, toPath: "\(data)/\(name)")
            try programs.giveAway("\(data)/\(name)")
        }
        let durability = options.isDurable ? "on" : "off"
        let settings = [
            "listen_addresses": options.addresses.joined(separator: ","), "port": "\(port)",
            "unix_socket_directories": folder.path("socket"), "ssl": "on",
            "ssl_cert_file": "hub.crt",
            "ssl_key_file": "hub.key", "ssl_ca_file": authority.path, "fsync": durability,
            // In its folder, and so gone with it, also if it is killed.
            "dynamic_shared_memory_type": "mmap",
        ].merging(options.settings) { $1 }
        let lines = settings.sorted { $0.key < $1.key }.map { name, value in
            "\(name) = '\(value.replacing("'", with: "''"))'\n"
        }
        try write(lines.joined(), to: "postgresql.conf")
        let rules =
            options.rules + [
                "local all all trust", "local replication all trust",
                "hostssl all all all cert map=\(Self.map)", "host all all all scram-sha-256",
            ]
        try write(rules.map { "\($0)\n" }.joined(), to: "pg_hba.conf")
        try write("\(Self.map) /^(.*)$ \\1\n", to: "pg_ident.conf")
    }

    private static let map = "certificates"

    private func write(_ text: String, to name: String) throws {
        try folder.write(text, to: "data/\(name)")
        try PostgresPrograms.shared.get().giveAway(folder.path("data/\(name)"))
    }
}

extension HubConnection {
    /// Connects for a test that is not about silence.
    package convenience init(ofTest address: String) throws(HubError) {
        try self.init(
            to: HubAddress(address),
            applicationName: "a test",
            patience: .seconds(TestHub.patience)
        )
    }
}
