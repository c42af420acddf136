internal import Glibc
internal import SystemSupport

/// A printer that takes bytes as they are: at a port of its own, or at a cable.
package struct PrinterStream: ~Copyable {
    private let name: String
    private let descriptor: Int32
    private let isSocket: Bool
    private let patience: Duration

    /// How long a printer may take nothing, because paper or ribbon is being changed.
    package static let patience = Duration.seconds(120)
    /// How long to wait for a printer's host to answer.
    private static let connecting = Duration.seconds(15)
    /// How long a printer may leave the connection open that it has nothing more to get from.
    private static let closing = Duration.seconds(5)

    /// Opens a printer.
    ///
    /// - Parameters:
    ///   - address: A device or a socket.
    ///   - patience: How long it may take nothing.
    /// - Throws: ``TagPrintingError`` if it is not there.
    package init(_ address: PrinterAddress, patience: Duration = Self.patience) throws {
        let opened: Int32
        switch address {
        case .device(let path): opened = try Self.open(path)
        case .socket(let host, let port):
            let time = min(patience, Self.connecting)
            opened = try Self.connect(host, port, address.description, time)
        case .queue(let name):
            throw TagPrintingError(.printer, "\(name.quoted) takes no bytes as they are")
        }
        name = address.description
        descriptor = opened
        if case .socket = address { isSocket = true } else { isSocket = false }
        self.patience = patience
    }

    deinit { close(descriptor) }

    /// Sends bytes, as fast as the printer takes them.
    ///
    /// - Throws: ``TagPrintingError`` if it hangs up, is full, or takes nothing for too long.
    package func write(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            try waitUntilReady(for: POLLOUT)
            let count = unsafe rest.withUnsafeBytes {
                unsafe isSocket
                    ? send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    : Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0 {
                if [EINTR, EAGAIN].contains(errno) { continue }
                throw failure(errno)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more comes, and waits a little for the printer to close the connection.
    ///
    /// Not all printers do. Who hung up before it had everything is found out here.
    ///
    /// - Throws: ``TagPrintingError`` if the connection was broken.
    package func finish() throws {
        guard isSocket else { return }
        if shutdown(descriptor, Int32(SHUT_WR)) != 0 { throw failure(errno) }
        let deadline = ContinuousClock.now + min(patience, Self.closing)
        var answer = [UInt8](repeating: 0, count: 4096)
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero, Self.isReady(descriptor, for: POLLIN, left) else { return }
            let count = unsafe recv(descriptor, &answer, answer.count, 0)
            if count == 0 { return }
            if count < 0 && ![EINTR, EAGAIN].contains(errno) { throw failure(errno) }
        }
    }

    private func waitUntilReady(for event: Int32) throws {
        if Self.isReady(descriptor, for: event, patience) { return }
        throw TagPrintingError(
            .printer,
            "\(name) has taken nothing for \(patience.components.seconds) s; see whether it has paper, and "
                + "is not paused"
        )
    }

    private func failure(_ number: Int32) -> TagPrintingError {
        let words =
            switch number {
            case EPIPE, ECONNRESET: "hung up"
            default: "takes no more: \(describe(errorNumber: number))"
            }
        return TagPrintingError(.printer, "\(name) \(words)")
    }

    /// Waits until a descriptor can be read or written, or has failed.
    private static func isReady(_ descriptor: Int32, for event: Int32, _ time: Duration) -> Bool {
        let deadline = ContinuousClock.now + time
        while true {
            let left = max(.zero, ContinuousClock.now.duration(to: deadline))
            let (seconds, attoseconds) = left.components
            let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
            var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
            let count = unsafe poll(&polled, 1, Int32(clamping: milliseconds + 1))
            if count > 0 { return true }
            if count == 0 || errno != EINTR { return false }
        }
    }

    private static func open(_ path: String) throws -> Int32 {
        func refuse(_ reason: String) -> TagPrintingError {
            TagPrintingError(.printer, "\(path.onOneLine) \(reason)")
        }
        // Without waiting for a reader if it is a pipe, and without becoming its terminal.
        let descriptor = unsafe Glibc.open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        if descriptor < 0 {
            let number = errno
            let remedy =
                switch number {
                case EACCES: "; who prints is to be in the group lp"
                case ENXIO, ENODEV: "; switch the printer on"
                case ENOENT: "; connect the printer, or name another"
                default: ""
                }
            throw refuse("cannot be opened: \(describe(errorNumber: number))\(remedy)")
        }
        let kind = FileStatus(of: descriptor)?.kind
        guard kind == .device || kind == .pipe else {
            close(descriptor)
            throw refuse("is no printer but a file; write to it with --out")
        }
        return descriptor
    }

    /// Connects to the first of a host's addresses that answers.
    private static func connect(
        _ host: String,
        _ port: UInt16,
        _ name: String,
        _ patience: Duration
    ) throws -> Int32 {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        let status = unsafe getaddrinfo(host, "\(port)", &hints, &list)
        guard status == 0 else {
            let reason = unsafe gai_strerror(status).map { unsafe String(cString: $0) } ?? ""
            throw TagPrintingError(.printer, "\(name): there is no such host: \(reason)")
        }
        defer { unsafe freeaddrinfo(list) }
        var number: Int32 = 0
        var place = unsafe list
        while let address = unsafe place {
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = unsafe socket(address.pointee.ai_family, type, 0)
            if descriptor >= 0 {
                number = unsafe connect(descriptor, address.pointee, patience)
                if number == 0 { return descriptor }
                close(descriptor)
            } else {
                number = errno
            }
            unsafe place = address.pointee.ai_next
        }
        throw TagPrintingError(
            .printer,
            "\(name) cannot be reached: \(describe(errorNumber: number)); see whether it is switched on, and "
                + "takes raw bytes at this port"
        )
    }

    /// Connects a socket; returns 0 or the error number.
    private static func connect(
        _ descriptor: Int32,
        _ address: addrinfo,
        _ patience: Duration
    ) -> Int32 {
        if unsafe Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        guard isReady(descriptor, for: POLLOUT, patience) else { return ETIMEDOUT }
        var number: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size) == 0 else {
            return errno
        }
        return number
    }
}
