package import SystemSupport

/// A connection to a PostgreSQL server.
///
/// It has one user at a time, as libpq demands, and the compiler sees to that: it is not `Sendable`. Its
/// calls wait, so they belong on a thread that may. Other threads end all of its waits with a
/// ``SystemSupport/WakeSignal``. Nothing waits for ever: neither for a host that does not answer, nor for
/// an answer that does not come.
///
/// After a failure of the connection itself nobody knows what the server has done with the last statement;
/// ``isOpen`` is false then, and the user connects anew.
package final class HubConnection {
    /// Nil once it is closed.
    private var connection: LibpqConnection?

    /// The hub in sentences: `the hub at db.example, port 5432`.
    package let place: String

    /// For how long the server may say nothing while an answer is due, and take nothing of a statement.
    package var patience: Duration

    /// Ends all waits while it is raised; they throw ``HubError/Kind/ended``.
    private let ending: WakeSignal?

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: Where to.
    ///   - applicationName: What the server shows as the client's name, if the address says none.
    ///   - patience: For how long the server may be silent while an answer is due.
    ///   - ending: A signal that ends all waits while it is raised.
    /// - Throws: ``HubError``. If the address names several hosts, that of the last one.
    package init(
        to address: HubAddress,
        applicationName: String,
        patience: Duration = .seconds(60),
        ending: WakeSignal? = nil
    ) throws(HubError) {
        self.ending = ending
        self.patience = patience
        var failure: HubError?
        for attempt in address.attempts(applicationName: applicationName) {
            guard let connection = LibpqConnection(attempt) else { throw .noMemory }
            let place = Self.place(of: connection)
            do throws(HubError) {
                try Self.connect(connection, place, within: address.patience, ending)
                (self.connection, self.place) = (connection, place)
                return
            } catch {
                if error.kind == .ended || error.kind == .local { throw error }
                failure = error
            }
        }
        throw failure ?? .noMemory
    }

    private static func place(of connection: LibpqConnection) -> String {
        let (host, port) = connection.place
        let words = host.hasPrefix("/") ? "the hub at the socket in" : "the hub at"
        return "\(words) \(host.onOneLine), port \(port.onOneLine)"
    }

    private static func connect(
        _ connection: LibpqConnection,
        _ place: String,
        within patience: Duration?,
        _ ending: WakeSignal?
    ) throws(HubError) {
        let deadline = patience.map { SuspendingClock.now + $0 }
        var awaited = LibpqConnection.Connecting.writing
        while awaited != .done {
            guard awaited != .failed, !connection.isBroken else {
                throw HubError(connecting: connection.complaint, to: place)
            }
            var wait = SocketWait(
                socket: connection.socket,
                signals: ending.map { [$0] } ?? [],
                deadline: deadline
            )
            if awaited == .writing { wait.awaited = .writing }
            switch try wait.end() {
            case .socket: awaited = connection.poll()
            case .signal: throw .ended(place)
            case .deadline: throw .silent(place, for: patience ?? .zero)
            }
        }
        guard connection.forbidWaiting() else { throw .noMemory }
    }

    /// Whether it can still be used, as far as is known without asking the server.
    package var isOpen: Bool { connection.map { !$0.isBroken } ?? false }

    /// Whether what goes over it is encrypted.
    package var isEncrypted: Bool { connection?.isEncrypted ?? false }

    /// Closes it at once; a transaction that is under way is rolled back.
    package func close() {
        connection = nil
    }

    // MARK: - Statements

    /// Carries out one statement.
    ///
    /// - Parameters:
    ///   - sql: The statement, with `$1`, `$2`, … for the parameters.
    ///   - parameters: The parameters as text, as PostgreSQL reads it; nil for null.
    ///   - patience: For how long the server may be silent until it has answered, if not as always.
    /// - Returns: The rows of its answer.
    /// - Throws: ``HubError``. The connection is closed unless the server itself has answered.
    @discardableResult
    package func query(
        _ sql: String,
        _ parameters: [String?] = [],
        patience: Duration? = nil
    ) throws(HubError) -> [HubRow] {
        try answer(to: sql, parameters, patience ?? self.patience).rows
    }

    /// Carries out several statements, all of them or none.
    ///
    /// - Parameter body: Makes queries of this connection. What it throws rolls all of them back.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, and ``HubError``. If that is ``HubError/Kind/unreachable``, nobody
    ///   knows whether the transaction has been carried out.
    package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try query("BEGIN")
        let result: Result
        do {
            result = try body()
        } catch {
            // If that fails, the connection is lost, and with it the transaction.
            if isOpen { _ = try? query("ROLLBACK") }
            throw error
        }
        // If the body has passed over a failure, PostgreSQL rolls back and does not call that an error.
        guard try answer(to: "COMMIT", [], patience).command == "COMMIT" else {
            throw HubError(
                .statement,
                "\(place) has undone a transaction of which a statement failed"
            )
        }
        return result
    }

    /// Sends a statement, and waits for all of its answer.
    private func answer(
        to sql: String,
        _ parameters: [String?],
        _ patience: Duration
    ) throws(HubError) -> (rows: [HubRow], command: String) {
        guard !sql.hasNUL, !parameters.contains(where: { $0?.hasNUL ?? false }) else {
            throw HubError(.statement, "a text with a NUL character cannot be sent to \(place)")
        }
        let connection = try opened
        do throws(HubError) {
            guard connection.send(sql, parameters) else { throw loss(of: connection) }
            try flush(connection, patience)
            var (rows, command): ([HubRow], String) = ([], "")
            var failure: HubError?
            while let result = try next(of: connection, patience) {
                switch result.status {
                case .rows, .done:
                    rows += result.rows
                    command = result.command
                // What libpq says after the server's own words is only that it has gone.
                case .failed where failure != nil: break
                case .failed:
                    let message = result.message
                    failure =
                        message.sqlState == nil
                        ? loss(of: connection, message.text)
                        : HubError(answer: message, from: place)
                case .unexpected:
                    throw HubError(
                        .unintelligible,
                        "\(place) begins a copy, which no statement of ours asks for"
                    )
                }
            }
            if let failure { throw failure }
            return (rows, command)
        } catch {
            // The server has answered with a code, and the connection lives; otherwise, nobody knows what
            // is still under way on it.
            if error.sqlState == nil || connection.isBroken { close() }
            throw error
        }
    }

    private func flush(_ connection: LibpqConnection, _ patience: Duration) throws(HubError) {
        while true {
            switch connection.flush() {
            case .done: return
            case .failed: throw loss(of: connection)
            case .unfinished: break
            }
            // A server that cannot write takes nothing more either, so what it says is read meanwhile.
            guard let isWritable = try wait(connection, .both, until: .now + patience) else {
                throw .silent(place, for: patience)
            }
            if !isWritable, !connection.consume() { throw loss(of: connection) }
        }
    }

    private func next(
        of connection: LibpqConnection,
        _ patience: Duration
    ) throws(HubError) -> LibpqResult? {
        var lastHeard = SuspendingClock.now
        while connection.isBusy {
            // OpenSSL may hold the rest of a large record back, for which the socket says nothing any
            // more; libpq takes it when it is asked again.
            let wait = connection.isEncrypted ? min(patience, .milliseconds(250)) : patience
            if try self.wait(connection, .reading, until: min(lastHeard + patience, .now + wait))
                != nil
            {
                lastHeard = .now
            } else if .now - lastHeard >= patience {
                throw .silent(place, for: patience)
            }
            // A failure shows in the result.
            _ = connection.consume()
        }
        return connection.nextResult()
    }

    /// Waits for the socket; tells whether it can be written, or nil after the deadline.
    private func wait(
        _ connection: LibpqConnection,
        _ awaited: SocketWait.Awaited,
        until deadline: SuspendingClock.Instant
    ) throws(HubError) -> Bool? {
        let wait = SocketWait(
            socket: connection.socket,
            awaited: awaited,
            signals: ending.map { [$0] } ?? [],
            deadline: deadline
        )
        switch try wait.end() {
        case .socket(let isWritable): return isWritable
        case .signal: throw .ended(place)
        case .deadline: return nil
        }
    }

    // MARK: - Notifications

    /// Hears of what is sent with `NOTIFY` from now on.
    ///
    /// - Parameter channel: The name of the channel, as it is in quotes.
    /// - Throws: ``HubError``.
    package func listen(to channel: String) throws(HubError) {
        try query("LISTEN \"\(channel.replacing("\"", with: "\"\""))\"")
    }

    /// What has ended a wait for notifications.
    package enum Wake: Hashable, Sendable {
        /// At least one.
        case notifications([HubNotification])
        case woken
        case deadline
    }

    /// Waits for notifications.
    ///
    /// It never waits if some have come already, also during another call.
    ///
    /// - Parameters:
    ///   - deadline: Until when; nil for ever.
    ///   - waking: A signal that ends this wait only while it is raised; who waits lowers it.
    /// - Returns: What has ended the wait.
    /// - Throws: ``HubError`` if the connection is lost, or ended by the other signal.
    package func wait(
        until deadline: SuspendingClock.Instant? = nil,
        or waking: WakeSignal? = nil
    ) throws(HubError) -> Wake {
        let connection = try opened
        do throws(HubError) {
            while true {
                guard connection.consume(), !connection.isBusy, !connection.isBroken else {
                    throw loss(of: connection)
                }
                var notifications: [HubNotification] = []
                while let notification = connection.nextNotification() {
                    notifications.append(notification)
                }
                if !notifications.isEmpty { return .notifications(notifications) }
                let signals = [ending, waking].compactMap(\.self)
                let wait = SocketWait(
                    socket: connection.socket,
                    signals: signals,
                    deadline: deadline
                )
                switch try wait.end() {
                case .socket: continue
                case .signal(0) where ending != nil: throw .ended(place)
                case .signal: return .woken
                case .deadline: return .deadline
                }
            }
        } catch {
            close()
            throw error
        }
    }

    // MARK: - Failures

    private var opened: LibpqConnection {
        get throws(HubError) {
            guard let connection else { throw .lost(place, because: "the connection is closed") }
            return connection
        }
    }

    /// Why a connection is lost: what the server last said, if it did, or what libpq says.
    private func loss(of connection: LibpqConnection, _ words: String? = nil) -> HubError {
        // Its last words may have come with the end.
        _ = connection.isBusy
        if let farewell = connection.farewell { return HubError(answer: farewell, from: place) }
        return .lost(place, because: words ?? ServerMessage.firstLine(of: connection.complaint))
    }
}

extension HubError {
    static let noMemory = HubError(.local, "there is no memory for a connection")

    static func ended(_ place: String) -> HubError {
        HubError(.ended, "the wait for \(place) was ended")
    }
}

extension SocketWait {
    /// Waits; a failure is one of this machine.
    fileprivate func end() throws(HubError) -> End {
        do throws(SystemError) {
            return try run()
        } catch {
            throw HubError(.local, "this machine cannot wait for a connection: \(error)")
        }
    }
}
