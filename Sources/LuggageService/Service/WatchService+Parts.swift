package import ObjectStore
package import TagReading
package import UnixSignals

extension WatchService {
    /// What the service needs from the program that runs it.
    package struct Parts: Sendable {
        /// How it is to work.
        package var configuration: WatchConfiguration
        /// Puts the configuration together anew.
        package var reload: @Sendable () throws(ConfigurationError) -> WatchConfiguration
        /// Tells when to do that; nil where nobody asks for it.
        package var reloadRequests: UnixSignalsSequence?
        /// The file that the record is in.
        package var storePath: String?
        /// Whether a record that is gone is made anew, and one that has lost saves is taken as it is.
        package var acceptsRecordAsItIs = false
        /// Opens the record.
        package var openStore: @Sendable () throws -> PersistentContainer
        /// What reads pictures.
        package var reader: any TagReader
        /// What one picture may cost to read.
        package var limits = ReadLimits.default
        /// How many pictures can be read at the same time.
        package var readers = 1
        /// Starts a reader, and says how it is confined.
        package var prepareReading: @Sendable () async throws(ReadError) -> SandboxReport? = {
            () throws(ReadError) in nil
        }
        /// Gives up what is being read; after that nothing more is.
        package var endReading: @Sendable () async -> Void = {}
        /// Where the log goes.
        package var log: ServiceLog
        /// The variables of the environment.
        package var environment: [String: String]
        /// Whether to end as soon as everything is filed that is there.
        package var isOnce: Bool
        /// What the service sleeps by.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// How long pictures in work may take to be finished once the service is to stop.
        var stopPatience = Duration.seconds(10)
        /// After how long without a change an emptied folder that was dropped is removed.
        var folderQuiet = Duration.seconds(600)
        /// Is told what becomes of each file.
        var observe: @Sendable (DroppedFile, Disposition) -> Void = { _, _ in }

        /// What a hook inherits from: the `luggage` in it asks the record that the service files into.
        var hookEnvironment: [String: String] {
            guard let storePath else { return environment }
            return environment.merging(["LUGGAGE_STORE": storePath]) { $1 }
        }

        /// Names the parts.
        package init(
            configuration: WatchConfiguration,
            reload: @escaping @Sendable () throws(ConfigurationError) -> WatchConfiguration,
            reloadRequests: UnixSignalsSequence? = nil,
            storePath: String? = nil,
            openStore: @escaping @Sendable () throws -> PersistentContainer,
            reader: any TagReader,
            log: ServiceLog,
            environment: [String: String],
            isOnce: Bool
        ) {
            self.configuration = configuration
            self.reload = reload
            self.reloadRequests = reloadRequests
            self.storePath = storePath
            self.openStore = openStore
            self.reader = reader
            self.log = log
            self.environment = environment
            self.isOnce = isOnce
            guard let pool = reader as? ReaderPool else { return }
            limits = pool.limits
            readers = pool.workers
            endReading = { await pool.shutdown() }
            prepareReading = { () throws(ReadError) in try await pool.prepare() }
        }
    }
}
