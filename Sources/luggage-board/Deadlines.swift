internal import NIOCore

/// Ends connections on which too little happens.
///
/// A browser that sends or reads a byte now and then would otherwise keep its connection for ever.
final class Deadlines: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// What is awaited from the other side.
    enum Phase {
        /// Another request, or none.
        case idle
        /// The rest of the headers.
        case head
        /// The rest of a form, or the next 64 KiB of one with pictures.
        case body
        /// Nothing: the answer is being made.
        case answering
        /// That it reads what was sent.
        case reading
        /// Nothing: it gets news, and has read those before.
        case news

        fileprivate var patience: TimeAmount? {
            switch self {
            case .idle: .seconds(75)
            case .head: .seconds(20)
            case .body: .seconds(30)
            case .reading: .seconds(60)
            case .answering, .news: nil
            }
        }
    }

    /// How many bytes of headers one request may have.
    private static let mostHead = 32 << 10

    private var phase = Phase.idle
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    private var headBytes = 0

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        enter(.idle)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    /// Begins a phase, and its time.
    func enter(_ phase: Phase) {
        timer?.cancel()
        timer = nil
        self.phase = phase
        if phase != .head { headBytes = 0 }
        guard let context, let patience = phase.patience else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: patience) {
            context.close(promise: nil)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if phase == .idle { enter(.head) }
        let count = unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
        // What is longer is refused field by field; this bounds them all together.
        guard phase == .head else { return }
        headBytes += count
        if headBytes > Self.mostHead { context.close(promise: nil) }
    }
}
