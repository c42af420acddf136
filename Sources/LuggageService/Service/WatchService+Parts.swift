package import TagReading

extension WatchService {
    /// What the service needs from the program that runs it.
    @dynamicMemberLookup
    package struct Parts: Sendable {
        /// What every service needs.
        private(set) var common: ServiceParts
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
        /// Whether to end as soon as everything that is there is filed.
        package var isOnce: Bool
        /// The time without a change after which an emptied dropped folder is removed.
        var folderQuiet = Duration.seconds(600)
        /// Called with what happened to each file.
        var observe: @Sendable (DroppedFile, Disposition) -> Void = { _, _ in }

        /// Names the parts.
        package init(_ common: ServiceParts, reader: any TagReader, isOnce: Bool) {
            self.common = common
            self.reader = reader
            self.isOnce = isOnce
            guard let pool = reader as? ReaderPool else { return }
            limits = pool.limits
            readers = pool.workers
            endReading = { await pool.shutdown() }
            prepareReading = { () throws(ReadError) in try await pool.prepare() }
        }

        /// The parts that every service needs.
        package subscript<Part>(dynamicMember part: WritableKeyPath<ServiceParts, Part>) -> Part {
            get { common[keyPath: part] }
            set { common[keyPath: part] = newValue }
        }
    }
}
