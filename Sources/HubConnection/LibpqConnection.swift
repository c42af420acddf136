internal import CPostgres
internal import Glibc

/// The one owner of a connection of libpq: its calls, with Swift's types, and none of them waits.
///
/// Only `PQconnectPoll` may: it asks the resolver for the address of a host that is given by name.
@safe
final class LibpqConnection {
    private let handle: OpaquePointer

    /// What the server last said by itself, and not in an answer, about why it ends the connection.
    private(set) var farewell: ServerMessage?

    /// Begins to connect; nil if there is no memory for it.
    init?(_ settings: [(name: String, value: String)]) {
        let names = CTexts(settings.map(\.name))
        let values = CTexts(settings.map(\.value))
        let handle = unsafe names.withPointers { names in
            unsafe values.withPointers { values in unsafe PQconnectStartParams(names, values, 0) }
        }
        guard let handle = unsafe handle else { return nil }
        unsafe self.handle = handle
        // So that the texts of failures to connect have the server's code, which they lack otherwise.
        _ = unsafe PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        // Without a receiver libpq writes what the server says to standard error.
        _ = unsafe PQsetNoticeReceiver(
            handle,
            { this, result in
                guard let this = unsafe this else { return }
                let connection = unsafe Unmanaged<LibpqConnection>.fromOpaque(this)
                    .takeUnretainedValue()
                unsafe connection.note(result)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    deinit {
        unsafe PQfinish(handle)
    }

    private func note(_ notice: OpaquePointer?) {
        let message = unsafe ServerMessage(notice)
        // Of its other notices none says that the connection ends.
        if message.sqlState?.hasPrefix("57P") ?? false { farewell = message }
    }

    // MARK: - The state

    /// Whether the connection has failed, or not been made.
    var isBroken: Bool { unsafe PQstatus(handle) == CONNECTION_BAD }

    /// The descriptor to wait for, which libpq may change while it connects; -1 if there is none.
    var socket: Int32 { unsafe PQsocket(handle) }

    /// What failed last, in libpq's words, of several lines.
    var complaint: String { unsafe String(cString: PQerrorMessage(handle)) }

    /// The host or the folder of the socket, and the port, that are being tried.
    var place: (host: String, port: String) {
        let (host, port) = unsafe (PQhost(handle), PQport(handle))
        return unsafe (
            host.map { unsafe String(cString: $0) } ?? "",
            port.map { unsafe String(cString: $0) } ?? ""
        )
    }

    /// Whether what goes over the connection is encrypted.
    var isEncrypted: Bool { unsafe PQsslInUse(handle) == 1 }

    // MARK: - Connecting

    /// What is awaited while connecting.
    enum Connecting {
        case reading, writing, failed, done
    }

    /// Goes on to connect.
    func poll() -> Connecting {
        switch unsafe PQconnectPoll(handle) {
        case PGRES_POLLING_READING: .reading
        case PGRES_POLLING_WRITING: .writing
        case PGRES_POLLING_OK: .done
        default: .failed
        }
    }

    /// Lets no later call wait for the network.
    func forbidWaiting() -> Bool { unsafe PQsetnonblocking(handle, 1) == 0 }

    // MARK: - Statements and their answers

    /// Queues a statement; false if the connection does not take it.
    func send(_ sql: String, _ parameters: [String?]) -> Bool {
        let texts = CTexts(parameters)
        return unsafe sql.withCString { sql in
            unsafe texts.withPointers { values in
                unsafe PQsendQueryParams(
                    handle,
                    sql,
                    Int32(parameters.count),
                    nil,
                    values,
                    nil,
                    nil,
                    0
                )
            }
        } == 1
    }

    /// What is left to send.
    enum Flushing {
        case done, unfinished, failed
    }

    /// Sends what is queued, as far as the network takes it.
    func flush() -> Flushing {
        switch unsafe PQflush(handle) {
        case 0: .done
        case 1: .unfinished
        default: .failed
        }
    }

    /// Takes what has come; false if the connection has failed.
    func consume() -> Bool { unsafe PQconsumeInput(handle) == 1 }

    /// Whether the next result has not come whole yet.
    var isBusy: Bool { unsafe PQisBusy(handle) == 1 }

    /// The next result, if the connection is not busy; nil if there are no more.
    func nextResult() -> LibpqResult? {
        guard let result = unsafe PQgetResult(handle) else { return nil }
        return unsafe LibpqResult(result)
    }

    /// The next notification that has come; nil if there are no more.
    func nextNotification() -> HubNotification? {
        guard let notification = unsafe PQnotifies(handle) else { return nil }
        defer { unsafe PQfreemem(notification) }
        return unsafe HubNotification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra)
        )
    }
}

extension String {
    /// Whether C would take it for shorter than it is.
    var hasNUL: Bool {
        // Texts of many megabytes are looked through.
        let isFound = unsafe utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.baseAddress.map { unsafe memchr($0, 0, bytes.count) != nil } ?? false
        }
        return isFound ?? utf8.contains(0)
    }
}

/// Texts as C wants them: each ends with a 0 byte.
struct CTexts {
    private var bytes: [UInt8] = []
    private var starts: [Int?] = []

    /// Copies the texts, in one piece: they may be many, and long.
    init(_ texts: [String?]) {
        for text in texts {
            guard let text else {
                starts.append(nil)
                continue
            }
            starts.append(bytes.count)
            bytes.append(contentsOf: text.utf8)
            bytes.append(0)
        }
        // Where libpq wants to see the end of the list.
        starts.append(nil)
    }

    /// Passes pointers to the texts, and a null pointer after the last; they are valid until this returns.
    func withPointers<Result>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        unsafe bytes.withUnsafeBytes { bytes in
            let pointers = unsafe starts.map { start in
                unsafe start.flatMap { start in
                    unsafe bytes.baseAddress.map { base in
                        unsafe (base + start).assumingMemoryBound(to: CChar.self)
                    }
                }
            }
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
        }
    }
}
