internal import CReaderProtocol
internal import Glibc

/// The reason why a conversation with a reader process failed.
enum ConversationFailure: Error {
    /// The process ended before it accepted the picture, which is not at fault.
    case notAccepted
    /// The process ended, or closed its socket, while it held the picture.
    case ended
    /// There was no answer within the limit.
    case timedOut
    /// The answer was invalid; the text completes "the reader process …".
    case nonsense(String)
    /// The process did not report within the limit that it is ready.
    case silent
    /// The process uses another version of the protocol.
    case anotherBuild
    /// The system refused a call; the process may be fine.
    case refused(Int32)
}

/// An answer as received: the success or failure of the picture itself.
enum ReaderAnswer {
    case read(ReaderFindings)
    case failed(ReadError)
}

/// The reading of a picture, and its explanation if that was requested.
struct ReaderFindings: Sendable {
    var reading: Reading
    var explanation: ReadingExplanation?
}

/// Passes one picture to a reader process and validates all of its answer.
///
/// The process has parsed hostile input, so no field of its answer is trusted: no length, no count,
/// not even that it answers the request.
@safe struct ReaderConversation: ~Copyable {
    private let socket: Int32
    private let limits: ReadLimits
    let sequence: UInt32
    private let time: Duration
    private let started: SuspendingClock.Instant
    // Holds one packet at a time; freed with the conversation, and never passed on.
    let buffer: UnsafeMutableRawBufferPointer

    /// Begins a conversation with a time limit.
    init(socket: Int32, limits: ReadLimits, time: Duration, sequence: UInt32) {
        self.socket = socket
        self.limits = limits
        self.time = time
        self.sequence = sequence
        self.started = .now
        let capacity = MemoryLayout<ReaderSymbolHeader>.size + Int(READER_MAX_PAYLOAD)
        unsafe self.buffer = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        unsafe buffer.deallocate()
    }

    /// Waits for the greeting of a new process, before it gets a picture.
    func receiveGreeting() throws(ConversationFailure) -> SandboxReport {
        let count: Int
        do {
            count = try receive()
        } catch {
            switch error {
            case .ended: throw .notAccepted
            case .timedOut: throw .silent
            default: throw error
            }
        }
        guard count == MemoryLayout<ReaderGreeting>.size else { throw .anotherBuild }
        let greeting = unsafe buffer.loadUnaligned(as: ReaderGreeting.self)
        guard greeting.version == READER_PROTOCOL_VERSION else { throw .anotherBuild }
        return SandboxReport(greeting)
    }

    /// Sends the picture and waits for the answer.
    func read(
        _ image: TagImage,
        explains: Bool = false
    ) throws(ConversationFailure) -> ReaderAnswer {
        // An idle process sends nothing: readable data is its end, or invalid.
        guard poll(for: 0) == 0 else { throw .notAccepted }
        try send(image, explains)
        let reply = try receiveReply()
        guard let status = ReaderStatus(rawValue: reply.status) else {
            throw .nonsense("gave the unknown status \(reply.status)")
        }
        let words = unsafe withUnsafeBytes(of: reply.message) { unsafe Array($0) }
        if let error = status.error(message: words, errorNumber: reply.error_number) {
            guard reply.symbol_count == 0 else { throw .nonsense("gave symbols with a failure") }
            guard reply.unread_count == 0 else { throw .nonsense("gave places with a failure") }
            return .failed(error)
        }
        let reading = try receiveReading(reply)
        let explanation = explains ? try receiveExplanation(of: reading) : nil
        return .read(ReaderFindings(reading: reading, explanation: explanation))
    }

    private func send(_ image: TagImage, _ explains: Bool) throws(ConversationFailure) {
        var request = ReaderRequest(
            version: READER_PROTOCOL_VERSION,
            sequence: sequence,
            pixels: UInt64(clamping: limits.pixels),
            file_bytes: UInt64(clamping: limits.fileBytes),
            symbols: UInt32(clamping: limits.symbols),
            // 0 would mean no limit.
            processor_seconds: UInt32(clamping: max(1, limits.processorSeconds)),
            effort: limits.effort.number,
            explains: explains ? 1 : 0
        )
        let number = unsafe reader_send(
            socket,
            &request,
            MemoryLayout<ReaderRequest>.size,
            image.descriptor
        )
        switch number {
        case 0: return
        case EPIPE, ECONNRESET, ENOTCONN: throw .notAccepted
        default: throw .refused(number)
        }
    }

    private func receiveReply() throws(ConversationFailure) -> ReaderReply {
        let count = try receive()
        let version = unsafe buffer.loadUnaligned(as: UInt32.self)
        guard count >= MemoryLayout<UInt32>.size, version == READER_PROTOCOL_VERSION else {
            throw .anotherBuild
        }
        guard count == MemoryLayout<ReaderReply>.size else {
            throw .nonsense("gave a reply of \(count) bytes")
        }
        let reply = unsafe buffer.loadUnaligned(as: ReaderReply.self)
        guard reply.sequence == sequence else {
            throw .nonsense("answered what was not asked")
        }
        return reply
    }

    private func receiveReading(_ reply: ReaderReply) throws(ConversationFailure) -> Reading {
        let (width, height) = (Int(reply.width), Int(reply.height))
        guard width > 0, height > 0, width <= limits.pixels / height else {
            throw .nonsense("gave a picture of \(width) x \(height) pixels")
        }
        guard Int(reply.symbol_count) <= limits.symbols else {
            throw .nonsense("gave \(reply.symbol_count) symbols")
        }
        guard reply.unread_count <= UInt32(READER_MAX_UNREAD) else {
            throw .nonsense("gave \(reply.unread_count) unread places")
        }
        let places = unsafe withUnsafeBytes(of: reply.unread) { bytes in
            unsafe Array(bytes.bindMemory(to: ReaderUnread.self))
        }
        var symbols: [Symbol] = []
        for index in 0..<reply.symbol_count {
            symbols.append(try receiveSymbol(index))
        }
        return Reading(
            symbols: symbols,
            unread: places.prefix(Int(reply.unread_count)).map { UnreadPlace($0) },
            width: width,
            height: height,
            duration: min(.nanoseconds(Int64(clamping: reply.nanoseconds)), .now - started)
        )
    }

    private func receiveSymbol(_ index: UInt32) throws(ConversationFailure) -> Symbol {
        let count = try receive()
        let headerCount = MemoryLayout<ReaderSymbolHeader>.size
        guard count >= headerCount else { throw .nonsense("gave a symbol of \(count) bytes") }
        let header = unsafe buffer.loadUnaligned(as: ReaderSymbolHeader.self)
        guard header.sequence == sequence, header.index == index else {
            throw .nonsense("gave its symbols out of order")
        }
        guard Int(header.byte_count) == count - headerCount else {
            throw .nonsense("gave a payload of another length than it said")
        }
        guard header.corner_count <= UInt32(READER_MAX_CORNERS), header.is_partial <= 1 else {
            throw .nonsense("gave an impossible symbol")
        }
        let isTold = header.refusal == 0
        let refusal = TextRefusal(number: header.refusal, characterSet: header.character_set)
        guard isTold ? header.character_set == 0 : refusal != nil && count == headerCount else {
            throw .nonsense("gave an impossible refusal")
        }
        let corners = [header.corners.0, header.corners.1, header.corners.2, header.corners.3]
        return Symbol(
            payload: unsafe Array(buffer[headerCount..<count]),
            corners: corners.prefix(Int(header.corner_count)).map { PixelPoint($0) },
            isPartial: header.is_partial == 1,
            refusal: refusal
        )
    }

    /// Waits for one packet and receives it into the buffer.
    func receive() throws(ConversationFailure) -> Int {
        while true {
            let remaining = time - (.now - started)
            guard remaining > .zero else { throw .timedOut }
            guard poll(for: Self.milliseconds(remaining)) > 0 else { continue }
            let count = unsafe reader_receive(socket, buffer.baseAddress, buffer.count, nil)
            guard count <= 0 else { return count }
            switch Int32(-count) {
            case 0: throw .ended
            case EAGAIN: continue
            // The peer closed its socket before it had read our request.
            case ECONNRESET: throw .notAccepted
            case EMSGSIZE: throw .nonsense("gave an oversized packet")
            case let number: throw .refused(number)
            }
        }
    }

    /// Waits for something to receive.
    ///
    /// - Returns: 0 if the time is over or the wait was interrupted.
    private func poll(for milliseconds: Int32) -> Int32 {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe max(0, Glibc.poll(&entry, 1, milliseconds))
    }

    /// Whole milliseconds, rounded up so that a wait never spins.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        guard seconds < 86_400 else { return 86_400_000 }
        return Int32(seconds) * 1000 + Int32(attoseconds / 1_000_000_000_000_000) + 1
    }
}

extension UnreadPlace {
    fileprivate init(_ place: ReaderUnread) {
        let corners = place.corners
        self.init(corners: [corners.0, corners.1, corners.2, corners.3].map { PixelPoint($0) })
    }
}

extension PixelPoint {
    /// The position as it was received: any.
    init(_ point: ReaderPoint) {
        self.init(x: Int(point.x), y: Int(point.y))
    }
}
