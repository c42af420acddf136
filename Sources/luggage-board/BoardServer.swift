internal import Glibc
internal import LuggageBoard
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ProgramSupport
internal import Synchronization
internal import SystemSupport

/// Gives the pages of a board to browsers.
///
/// One thread moves all bytes. It never waits for the record or a disk: what asks them runs on others.
final class BoardServer: Sendable {
    /// How many connections there may be; others are told to come again.
    static let mostConnections = 1000

    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    /// The port that it got, if it listens on one.
    let port: Int?

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - board: The board.
    ///   - address: Where.
    /// - Throws: ``Failure`` if it cannot listen there.
    init(_ board: Board, at address: ListeningAddress) throws {
        Self.allowManyConnections()
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let desk = NewsDesk(board) { ByteBuffer(bytes: $0) }
        let count = ConnectionCount()
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // What a slow reader does not take is bounded, also in the kernel, and then nothing more is sent.
            .childChannelOption(.socketOption(.so_sndbuf), value: 64 << 10)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(low: 16 << 10, high: 64 << 10)
            )
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try Self.prepare(channel, board, desk, count)
                }
            }
        do {
            switch address {
            case .port(let host, let number):
                channel = try bootstrap.bind(host: host, port: number).wait()
            case .socket(let path):
                // The file of a board that was killed is replaced, and not that of one that listens.
                if Self.answers(at: path) { throw IOError(errnoCode: EADDRINUSE, reason: "bind") }
                // As on loopback, whoever is on this machine may connect; the tokens say who may do what.
                let before = umask(0)
                defer { umask(before) }
                channel = try bootstrap.bind(
                    unixDomainSocketPath: path,
                    cleanupExistingSocketFile: true
                ).wait()
            }
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw Failure(
                .unavailable,
                "another program listens at \(address.link(port: nil)) already, perhaps another board; end it, "
                    + "or choose another place with --listen, such as 127.0.0.1:0 for any port"
            )
        } catch {
            let place = address.link(port: nil)
            throw Failure(
                .unavailable,
                "the board cannot listen at \(place): \(error); choose another place with --listen"
            )
        }
        port = channel.localAddress?.port
    }

    /// Whether a program listens at a socket.
    private static func answers(at path: String) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // It waits while a busy board has no room for it: one that does not wait would take that for nobody.
        return unsafe LocalAddress(path)?.withAddress { unsafe connect(descriptor, $0, $1) == 0 }
            ?? false
    }

    private static func prepare(
        _ channel: any Channel,
        _ board: Board,
        _ desk: NewsDesk<ByteBuffer>,
        _ count: ConnectionCount
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        guard count.enter(limit: mostConnections) else {
            return try pipeline.addHandler(RefusingHandler())
        }
        channel.closeFuture.whenComplete { _ in count.leave() }
        let deadlines = Deadlines()
        try pipeline.addHandler(deadlines)
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8 << 10
        limits.maxHeaderListSize = 32 << 10
        limits.maxHeaderFieldCount = 64
        let decoder = HTTPRequestDecoder(
            leftOverBytesStrategy: .dropBytes,
            informationalResponseStrategy: .drop,
            limitConfiguration: limits
        )
        try pipeline.addHandlers(
            HTTPResponseEncoder(),
            ByteToMessageHandler(decoder),
            HTTPServerProtocolErrorHandler(),
            PageHandler(board, desk, deadlines)
        )
    }

    /// Raises the limit of open files as far as it goes.
    private static func allowManyConnections() {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static var ending: sigset_t {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        for number in [SIGTERM, SIGINT] { unsafe sigaddset(&signals, number) }
        return signals
    }

    /// Keeps the signals that end it for ``runUntilSignal()``, also from threads that start later.
    static func awaitSignals() {
        var signals = ending
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Serves until SIGTERM or SIGINT comes.
    func runUntilSignal() {
        var signals = Self.ending
        var number: Int32 = 0
        while unsafe sigwait(&signals, &number) != 0 {}
        try? channel.close().wait()
    }
}

/// How many connections there are.
private final class ConnectionCount: Sendable {
    private let count = Mutex(0)

    func enter(limit: Int) -> Bool {
        count.withLock { count in
            if count >= limit { return false }
            count += 1
            return true
        }
    }

    func leave() {
        let left = count.withLock { count in
            count -= 1
            return count
        }
        // What many have needed at a time is not kept for few.
        if left.isMultiple(of: 16) { returnFreeMemory() }
    }
}

/// Tells whoever comes when there are too many already to come again.
private final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelActive(context: ChannelHandlerContext) {
        let sentence = Words.tooMany(BoardServer.mostConnections)
        let text = """
            HTTP/1.1 503 Service Unavailable\r
            Retry-After: 30\r
            Connection: close\r
            Content-Type: text/plain\r
            Content-Length: \(sentence.utf8.count)\r
            \r
            \(sentence)
            """
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(string: text)))
            .assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }
}
