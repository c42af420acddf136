internal import Dispatch
internal import Glibc
internal import ObjectStore
internal import Synchronization

/// One connection for writing, and some for reading beside it.
final class ConnectionPool: Sendable {
    /// The most readers that are kept for later readings.
    ///
    /// Nobody waits for one: who reads may hold what another reader needs to end.
    private static let mostIdle = 2

    /// The connection for writing, used by the one whose turn it is.
    let writer: SQLiteConnection
    /// Kept until all connections are closed: it holds the files that must be closed last.
    private let turns: WriterTurns
    private let openReader: @Sendable () throws -> SQLiteConnection
    /// All that are reading.
    private let reading = DispatchGroup()
    private let state = Mutex(State())

    private struct State: Sendable {
        /// Readers that nobody uses.
        var idle: [SQLiteConnection] = []
        /// The readers in use, each by the thread that reads.
        var busy: [pthread_t: SQLiteConnection] = [:]
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
    /// A nested read on the same thread sees the same state.
    func read<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let thread = pthread_self()
        if let outer = state.withLock({ $0.busy[thread] }) { return try body(outer) }
        try state.withLock { state in
            if state.isClosed { throw SQLiteError.closed }
            reading.enter()
        }
        // The last to go: until then a connection that is not kept has closed.
        defer { reading.leave() }
        let reader = try state.withLock { $0.idle.popLast() } ?? openReader()
        state.withLock { $0.busy[thread] = reader }
        defer {
            state.withLock { state in
                state.busy[thread] = nil
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
            return try body(reader)
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
