internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import ObjectStore
internal import Synchronization

/// One connection for writing, and some for reading beside it.
final class ConnectionPool: Sendable {
    /// The most readers that are kept for later readings: to open one takes as long as many readings.
    ///
    /// Nobody waits for one: who reads may hold what another reader needs to end.
    private static let mostIdle = max(4, ProcessInfo.processInfo.activeProcessorCount)

    /// The connection for writing, used by the one whose turn it is.
    let writer: SQLiteConnection
    /// Kept until all connections are closed: it holds the files that must be closed last.
    private let turns: WriterTurns
    private let openReader: @Sendable () throws -> SQLiteConnection
    /// All that are reading.
    private let reading = DispatchGroup()
    private let state = Mutex(State())

    /// What a thread reads.
    private struct Reading: Sendable {
        let reader: SQLiteConnection
        /// Whether this thread has saved since, so that its next reading must see more.
        var isOutdated = false
    }

    private struct State: Sendable {
        /// Readers that nobody uses.
        var idle: [SQLiteConnection] = []
        /// The readers in use, each by the thread that reads.
        var busy: [pthread_t: Reading] = [:]
        var isClosed = false
    }

    init(
        writer: SQLiteConnection,
        _ turns: WriterTurns,
        openReader: @escaping @Sendable () throws -> SQLiteConnection
    ) {
        self.writer = writer
        self.turns = turns
        self.openReader = openReader
    }

    deinit {
        // The writer closes last, and so merges the log.
        state.withLock { $0.idle = [] }
    }

    /// Reads one consistent state.
    ///
    /// A nested read on the same thread sees the same state, until that thread saves.
    func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let thread = pthread_self()
        let outer = state.withLock { $0.busy[thread] }
        if let outer, !outer.isOutdated { return try body(outer.reader) }
        try state.withLock { state in
            // The outer reading is waited for.
            if state.isClosed && outer == nil { throw SQLiteError.closed }
            reading.enter()
        }
        // The last to go: until then a connection that is not kept has closed.
        defer { reading.leave() }
        let reader = try takeIdle() ?? openReader()
        state.withLock { $0.busy[thread] = Reading(reader: reader) }
        defer {
            state.withLock { state in
                // What was saved within this reading was saved within the outer one.
                state.busy[thread] = outer
                // One that could not end its transaction would see its state for ever.
                if !reader.isInTransaction && state.idle.count < Self.mostIdle {
                    state.idle.append(reader)
                }
            }
        }
        return try reader.transaction("BEGIN DEFERRED") {
            // The state is the one from here on. Without this, a connection that knows the tables of before
            // takes a disk that fails now for a table that is not there.
            try reader.look()
            let result = try body(reader)
            // A result that may be wrong is never returned.
            try reader.frozen?.check()
            return result
        }
    }

    /// A reader that nobody uses; nil if there is none that sees the files as they are now.
    private func takeIdle() throws -> SQLiteConnection? {
        while let reader = state.withLock({ $0.idle.popLast() }) {
            if reader.frozen?.isPresent ?? true { return reader }
            try reader.close()
        }
        return nil
    }

    /// Notes that this thread has saved.
    func noteSave() {
        let thread = pthread_self()
        state.withLock { state in
            if !state.busy.isEmpty { state.busy[thread]?.isOutdated = true }
        }
    }

    /// Closes the connections for reading when those that read have ended; nobody begins to read any more.
    ///
    /// - Throws: ``StoreError`` if this thread is reading.
    func closeReaders() throws {
        if state.withLock({ $0.busy[pthread_self()] != nil }) { throw StoreError.isInTransaction }
        state.withLock { $0.isClosed = true }
        reading.wait()
        let readers = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for reader in readers { try reader.close() }
    }
}
