internal import Foundation
package import ObjectStore
package import TagReading
package import UnixSignals

extension WatchService {
    /// What the service needs from the program that runs it.
    package struct Parts: Sendable {
        /// The settings.
        package var configuration: WatchConfiguration
        /// Reads the settings again.
        package var reload: @Sendable () throws(ConfigurationError) -> WatchConfiguration
        /// Yields when to do that; nil if nobody can ask for it.
        package var reloadRequests: UnixSignalsSequence?
        /// The record's file.
        package var storePath: String?
        /// Whether a missing record is made anew, and one that has lost saves is taken as it is.
        package var acceptsRecordAsItIs = false
        /// Opens the record.
        package var openStore: @Sendable () throws -> PersistentContainer
        /// Reads pictures.
        package var reader: any TagReader
        /// What one picture may cost to read.
        package var limits = ReadLimits.default
        /// How many pictures can be read at the same time.
        package var readers = 1
        /// Starts a reader, and returns how it is confined.
        package var prepareReading: @Sendable () async throws(ReadError) -> SandboxReport? = {
            () throws(ReadError) in nil
        }
        /// Cancels all reading; nothing is read after that.
        package var endReading: @Sendable () async -> Void = {}
        /// Where the log goes.
        package var log: ServiceLog
        /// The variables of the environment.
        package var environment: [String: String]
        /// Whether to end as soon as everything that is there is filed.
        package var isOnce: Bool
        /// The clock by which the service sleeps.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// How long pictures in work may take once the service is stopping.
        var stopPatience = Duration.seconds(10)
        /// The time without a change after which an emptied dropped folder is removed.
        var folderQuiet = Duration.seconds(600)
        /// Called with what happened to each file.
        var observe: @Sendable (DroppedFile, Disposition) -> Void = { _, _ in }

        /// The hook's environment: a `luggage` in the hook uses the record that the service files into.
        var hookEnvironment: [String: String] {
            guard let storePath else { return environment }
            // A hook may change its folder.
            let path = URL(filePath: storePath).path(percentEncoded: false)
            return environment.merging(["LUGGAGE_STORE": path]) { $1 }
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
