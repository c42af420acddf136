internal import FoundationEssentials
internal import Glibc
internal import HubConnection
internal import Logging
internal import LuggageService
internal import LuggageSync
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// The program that `luggage sync` runs: all that needs the library for PostgreSQL.
///
/// It takes no arguments; `luggage sync` hands it a ``SyncRequest`` and has checked the record.
@main
enum LuggageSyncProgram {
    static func main() {
        StandardStreams.prepare()
        let environment = ProcessInfo.processInfo.environment
        guard let request = SyncRequest(environment: environment) else {
            endRunByHand("luggage-sync", insteadOf: "luggage sync")
        }
        // Whatever it may start must not see the address of the hub, in which a password may be.
        unsafe unsetenv(SyncRequest.variable)
        do {
            try perform(request, environment)
        } catch let failure as Failure {
            failure.end("luggage")
        } catch {
            Failure(error.status, error.words).end("luggage")
        }
    }

    private static func perform(_ request: SyncRequest, _ environment: [String: String]) throws {
        switch request {
        case .setUp(let hub, let logins):
            let connection = try connect(hub)
            switch try HubSchema.setUp(connection, admitting: logins) {
            case .made: try StandardOutput.line("made the hub")
            case .refreshed(let indexes):
                try StandardOutput.line("brought the hub's functions and views up to date")
                for index in indexes { try StandardOutput.line("made the index \(index) anew") }
            case .present: try StandardOutput.line("the hub is there, and of this version")
            }
            for login in logins { try tellAdmitted(login, publishes: false) }
            try tellAdvice(connection)
        case .admit(let hub, let login, let publishes):
            let connection = try connect(hub)
            try connection.transaction {
                try StationLogin(login).admit(publishes: publishes, connection)
            }
            try tellAdmitted(login, publishes: publishes)
        case .expel(let hub, let login):
            let expulsion = try StationLogin(login).expel(connect(hub))
            try tell(expulsion, of: login)
        case .takeBack(let hub, let purge):
            try HubOperation.takeBack(purge, connect(hub))
            try StandardOutput.line(
                "took back the purge \(purge.uuidString); stations send again what the hub has forgotten by it"
            )
        case .join(let hub, let record, let station, let pullsEverything, let asNew):
            let hub = try Hub(connect(hub))
            let entry = Membership.Entry(
                station: station,
                pullsEverything: pullsEverything,
                asNew: asNew
            )
            if SQLiteStore.isMissing(at: record) {
                try Membership.join(hub, entry) { try withRecord(record, $0) }
            } else {
                try withRecord(record) { try Membership($0).join(hub, entry) }
            }
            try StandardOutput.line("joined the hub as \(station.onOneLine)")
        case .exchange(let hub, let record, let isOnce, let publishes, let overdue, let log):
            // In its unit it has no network, but a relay.
            let relayPort = environment["SYNC_RELAY"].map { _ in 5432 }
            let address = try HubAddress(hub, relayPort: relayPort)
            try exchange(address, record, isOnce, publishes, overdue, log, environment)
        case .relay(let hub):
            guard environment["LISTEN_FDS"] == "1", environment["LISTEN_PID"] == "\(getpid())"
            else {
                throw Failure(.usage, "the relay is for the service luggage-sync, which starts it")
            }
            let relay = try HubRelay(to: HubAddress(hub)) { StandardError.complain("luggage", $0) }
            throw Failure(.ioFailed, "the relay takes no more connections: \(relay.run(3))")
        case .verify(let hub, let record):
            try withRecord(record) { container in
                let connection = try connect(hub)
                var exchange = try StationExchange(
                    container,
                    Hub(connection),
                    version: programVersion
                )
                try exchange.run()
                let differing = try exchange.reconcile()
                try StandardOutput.line(
                    differing == 0
                        ? "the record and the hub have the same facts"
                        : "\(differing) \(differing == 1 ? "day" : "days") differed; what each lacked was exchanged"
                )
                try tellAdvice(connection)
            }
        case .leave(let hub, let record):
            try withRecord(record) { try Membership($0).leave(Hub(connect(hub))) }
            try StandardOutput.line("left the hub; the record keeps what it has")
        }
    }

    /// Opens a record whose facts nobody else exchanges meanwhile.
    private static func withRecord(
        _ record: String,
        _ use: (PersistentContainer) throws -> Void
    ) throws {
        let lock = try claim(record)
        defer { withExtendedLifetime(lock) {} }
        let container = try open(record)
        defer { close(container) }
        try use(container)
    }

    /// Says what a person should change at the server.
    private static func tellAdvice(_ connection: HubConnection) throws {
        for sentence in try HubOperation.advice(connection) {
            StandardError.complain("luggage", sentence)
        }
    }

    private static func tell(_ expulsion: StationLogin.Expulsion, of login: String) throws {
        try StandardOutput.line("\(login.onOneLine) may no longer exchange facts")
        for station in expulsion.stations {
            try StandardOutput.line(
                "station \(station.onOneLine) has left; the facts that it has sent stay, but for those kept apart"
            )
        }
    }

    private static func tellAdmitted(_ login: String, publishes: Bool) throws {
        let what = publishes ? "station that publishes" : "station"
        try StandardOutput.line("\(login.onOneLine) may log in as a \(what)")
    }

    private static func exchange(
        _ address: HubAddress,
        _ record: String,
        _ isOnce: Bool,
        _ publishes: Bool,
        _ overdue: Double?,
        _ log: SyncRequest.Log,
        _ environment: [String: String]
    ) throws {
        let lock = try claim(record)
        defer { withExtendedLifetime(lock) {} }
        let serviceLog = ServiceLog(
            format: LogFormat(rawValue: log.format) ?? .auto,
            level: Logger.Level(rawValue: log.level) ?? .info,
            environment: environment
        )
        let service = SyncService(
            .init(
                address: address,
                recordPath: record,
                openRecord: { try open(record) },
                publishes: publishes,
                overdue: overdue,
                version: programVersion,
                logger: serviceLog.makeLogger(),
                environment: environment
            )
        )
        endAtSignals(service)
        if !isOnce { return service.run() }
        _ = try service.runOnce()
        try StandardOutput.line("everything is exchanged with the hub")
    }

    /// Lets SIGTERM and SIGINT end a service in order.
    private static func endAtSignals(_ service: SyncService) {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT] { unsafe sigaddset(&signals, number) }
        // Threads inherit it, so only the one below hears them.
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        DetachedThread.startPatiently {
            var (signals, number) = (awaited, Int32(0))
            while unsafe sigwait(&signals, &number) == 0 { service.stop() }
        }
    }

    /// Keeps others from exchanging facts of the record, for as long as the result lives.
    private static func claim(_ record: String) throws -> ExchangeLock {
        do {
            return try ExchangeLock(ofRecordAt: record)
        } catch let error as ExchangeInUse {
            throw SyncError.busy(error.owner)
        }
    }

    private static func connect(_ hub: String) throws(HubError) -> HubConnection {
        try HubConnection(toHub: HubAddress(hub))
    }

    @Sendable
    private static func open(_ record: String) throws -> PersistentContainer {
        try RecordMark(of: record).refuseStrayLog()
        if SQLiteStore.isMissing(at: record), RecordMark(of: record).isThere {
            throw RecordMark(of: record).gone
        }
        let store = try SQLiteStore(path: record, lockTimeout: ServiceStore.patience)
        return try PersistentContainer(model: LuggageModel.make(), store: store)
    }

    private static func close(_ container: PersistentContainer) {
        try? (container.store as? SQLiteStore)?.close()
    }
}

extension Error {
    /// The status with which the program ends.
    fileprivate var status: ExitStatus {
        switch self {
        case let error as HubError where error.kind == .address: .configuration
        case is HubError, is SyncError: .unavailable
        case is StoreError: .cannotCreate
        default: .ioFailed
        }
    }
}
