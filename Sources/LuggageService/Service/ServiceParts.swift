internal import FoundationEssentials
internal import Logging
package import ObjectStore

/// What every service needs from the program that runs it.
package struct ServiceParts: Sendable {
    /// The settings.
    package var configuration: WatchConfiguration
    /// Reads the settings again.
    package var reload: @Sendable () throws(ConfigurationError) -> WatchConfiguration
    /// Yields when to do that; nil if nobody can ask for it.
    package var reloadRequests: AsyncStream<Int32>?
    /// The record's file.
    package var storePath: String?
    /// Whether a missing record is made anew, and one that has lost saves is taken as it is.
    package var acceptsRecordAsItIs = false
    /// Opens the record.
    package var openStore: @Sendable () throws -> PersistentContainer
    /// Where the log goes.
    package var log: ServiceLog
    /// The variables of the environment.
    package var environment: [String: String]
    /// The clock by which the service sleeps.
    package var clock: any Clock<Duration> = ContinuousClock()
    /// Gives the present moment, by which alarms begin.
    var now: @Sendable () -> Date = { Date() }
    /// How long pictures in work and hooks may take once the service is stopping.
    var stopPatience = Duration.seconds(10)

    /// Names the parts.
    package init(
        configuration: WatchConfiguration,
        reload: @escaping @Sendable () throws(ConfigurationError) -> WatchConfiguration,
        reloadRequests: AsyncStream<Int32>? = nil,
        storePath: String? = nil,
        openStore: @escaping @Sendable () throws -> PersistentContainer,
        log: ServiceLog,
        environment: [String: String]
    ) {
        self.configuration = configuration
        self.reload = reload
        self.reloadRequests = reloadRequests
        self.storePath = storePath
        self.openStore = openStore
        self.log = log
        self.environment = environment
    }

    /// The hook's environment: a `luggage` in the hook uses the record that the service files into.
    var hookEnvironment: [String: String] {
        guard let storePath else { return environment }
        // A hook may change its folder.
        let path = URL(filePath: storePath).path(percentEncoded: false)
        return environment.merging(["LUGGAGE_STORE": path]) { $1 }
    }

    /// Where the record should be, and what is told of it; nil if it is in no file.
    func recordPlace(_ logger: Logger) -> ServiceStore.Place? {
        guard let storePath else { return nil }
        var place = ServiceStore.Place(path: storePath)
        place.isAcceptedAsItIs = acceptsRecordAsItIs
        place.tellReplaced = { logger.warning("\($0)") }
        return place
    }
}
