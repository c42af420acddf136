internal import LuggageBoard
internal import NIOCore
internal import NIOHTTP1
internal import SystemSupport

/// Turns what comes on one connection into requests, and answers into what goes.
final class PageHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Outgoing
    typealias OutboundOut = HTTPServerResponsePart

    /// What comes back from the threads that ask the record.
    enum Outgoing: Sendable {
        /// The answer to the present request.
        case answer(PageAnswer)
        /// More of the news; many share its bytes.
        case news(ByteBuffer)
        /// A piece of a form with pictures is kept; or why it is refused.
        case kept(PageAnswer?)
    }

    private enum State {
        /// Nothing is asked.
        case idle
        /// A form is coming.
        case form(PageRequest, [UInt8])
        /// A form with pictures is coming.
        case pictures(HandIn, Pieces)
        /// The answer is being made, or has gone; what still comes is dropped.
        case answering
        /// News are being told.
        case news(Int)
    }

    /// What has come of a form with pictures, and is not kept yet.
    private struct Pieces {
        var bytes: [UInt8] = []
        var isKeeping = false
        var isWhole = false
        /// What has come since the deadline was last moved.
        var progress = 0
    }

    private static let longestForm = 16 << 10
    /// How much of what was refused may still come, so that its sender can read why.
    private static let mostDropped = 8 << 20
    /// How much of an answer is on its way at a time, in bytes.
    private static let longestPiece = 32 << 10
    /// The fewest bytes of a request.
    private static let leastHead = 18

    private let board: Board
    private let desk: NewsDesk<ByteBuffer>
    private let deadlines: Deadlines
    private var state = State.idle
    private var isHead = false
    /// Whether a request came before the one in front of it was answered: none is answered after that one.
    private var isOver = false
    /// What has not been sent of an answer; a picture is the same for all who read it.
    private var rest: ArraySlice<UInt8> = []
    /// How much has come of what was refused, in bytes.
    private var dropped = 0
    private var keepsAlive = true
    private var version = HTTPVersion.http1_1

    init(_ board: Board, _ desk: NewsDesk<ByteBuffer>, _ deadlines: Deadlines) {
        (self.board, self.desk, self.deadlines) = (board, desk, deadlines)
    }

    // MARK: Coming in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            if case .idle = state { return begin(head, context) }
            // Browsers and proxies wait. What would be kept until its turn comes would have no bound.
            isOver = true
            drop(Self.leastHead, context)
        case .body(let buffer):
            if isOver { drop(buffer.readableBytes, context) } else { take(buffer, context) }
        case .end: if !isOver { end(context) }
        }
    }

    private func drop(_ count: Int, _ context: ChannelHandlerContext) {
        dropped += count
        if dropped > Self.mostDropped { context.close(promise: nil) }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        (version, keepsAlive) = (head.version, head.isKeepAlive)
        isHead = head.method == .HEAD
        deadlines.enter(.body)
        var headers: [String: String] = [:]
        for (name, value) in head.headers {
            let name = name.lowercased()
            // A cookie may come in several headers.
            headers[name] =
                headers[name].map { $0 + (name == "cookie" ? "; " : ", ") + value } ?? value
        }
        guard
            let request = PageRequest(
                method: head.method.rawValue,
                target: head.uri,
                headers: headers
            )
        else { return refuse(.wrong, nil, context) }
        if request.method == .post, request.path == ["hand-in"] {
            switch board.beginHandIn(request) {
            case .success(let form):
                state = .pictures(form, Pieces())
                // Only as much comes as is kept.
                _ = context.channel.setOption(.autoRead, value: false)
                if head.headers["expect"].contains("100-continue") {
                    context.writeAndFlush(
                        wrapOutboundOut(.head(.init(version: version, status: .continue))),
                        promise: nil
                    )
                }
            case .failure(let refusal): refuse(with: refusal.answer, context)
            }
            return
        }
        if request.method == .post, let refusal = board.refusal(ofFormIn: request) {
            return refuse(with: refusal, context)
        }
        state = .form(request, [])
        let length = request.headers["content-length"].map { Int($0) ?? .max } ?? 0
        if length > Self.longestForm { refuse(.tooLong, request, context) }
    }

    private func take(_ buffer: ByteBuffer, _ context: ChannelHandlerContext) {
        switch state {
        case .form(let request, var bytes):
            // Taken out first, so that it is not copied.
            state = .answering
            bytes += buffer.readableBytesView
            if bytes.count > Self.longestForm || request.method != .post {
                return refuse(.tooLong, request, context)
            }
            state = .form(request, bytes)
        case .pictures(let form, var pieces):
            state = .answering
            pieces.bytes += buffer.readableBytesView
            pieces.progress += buffer.readableBytes
            if pieces.progress >= 64 << 10 {
                pieces.progress = 0
                deadlines.enter(.body)
            }
            state = .pictures(form, pieces)
        case .idle, .answering, .news: drop(buffer.readableBytes, context)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        keepPieces(context)
        context.fireChannelReadComplete()
    }

    private func end(_ context: ChannelHandlerContext) {
        switch state {
        case .form(var request, let bytes):
            state = .answering
            deadlines.enter(.answering)
            if request.method == .post {
                let isForm =
                    request.headers["content-type"]?.hasPrefix("application/x-www-form-urlencoded")
                guard isForm == true,
                    let form = PageRequest.fields(String(decoding: bytes, as: UTF8.self))
                else { return refuse(.wrong, request, context) }
                request.form = form
            }
            let (board, channel, asked) = (board, context.channel, request)
            Task(executorPreference: TaskThreads.shared) {
                let answer = await board.answer(asked)
                channel.writeAndFlush(Outgoing.answer(answer), promise: nil)
            }
        case .pictures(let form, var pieces):
            pieces.isWhole = true
            state = .pictures(form, pieces)
            keepPieces(context)
        case .idle, .answering, .news: break
        }
    }

    /// Has what came kept on the disk, and then asks for more.
    private func keepPieces(_ context: ChannelHandlerContext) {
        guard case .pictures(let form, var pieces) = state, !pieces.isKeeping else { return }
        let channel = context.channel
        if pieces.bytes.isEmpty {
            guard pieces.isWhole else { return context.read() }
            state = .answering
            deadlines.enter(.answering)
            Task(executorPreference: TaskThreads.shared) {
                channel.writeAndFlush(Outgoing.answer(form.finish()), promise: nil)
            }
            return
        }
        let bytes = pieces.bytes
        (pieces.bytes, pieces.isKeeping) = ([], true)
        state = .pictures(form, pieces)
        Task(executorPreference: TaskThreads.shared) {
            channel.writeAndFlush(Outgoing.kept(form.take(bytes)), promise: nil)
        }
    }

    // MARK: Going out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .answer(let answer): send(answer, context)
        case .news(let bytes):
            if case .news = state {
                context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
            }
        case .kept(let refusal):
            guard case .pictures(let form, var pieces) = state else { break }
            if let refusal {
                refuse(with: refusal, context)
            } else {
                pieces.isKeeping = false
                state = .pictures(form, pieces)
                keepPieces(context)
            }
        }
        promise?.succeed()
    }

    private func refuse(
        _ refusal: Refusal,
        _ request: PageRequest?,
        _ context: ChannelHandlerContext
    ) {
        refuse(with: board.page(refusal, nil, request), context)
    }

    /// Answers before the request has come whole; what still comes is not read.
    private func refuse(with answer: PageAnswer, _ context: ChannelHandlerContext) {
        state = .answering
        keepsAlive = false
        send(answer, context)
    }

    private func send(_ answer: PageAnswer, _ context: ChannelHandlerContext) {
        var headers = HTTPHeaders(PageAnswer.common.map { ($0.name, $0.value) })
        for (name, value) in answer.headers { headers.add(name: name, value: value) }
        let status = HTTPResponseStatus(statusCode: answer.status)
        switch answer.body {
        case .whole(let bytes):
            headers.add(name: "Content-Length", value: "\(bytes.count)")
            if isOver { keepsAlive = false }
            if !keepsAlive { headers.add(name: "Connection", value: "close") }
            let head = HTTPResponseHead(version: version, status: status, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            rest = isHead ? [] : bytes[...]
            deadlines.enter(.reading)
            sendRest(context)
        case .news(let request):
            let head = HTTPResponseHead(version: version, status: status, headers: headers)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            if isHead {
                context.close(promise: nil)
                return
            }
            deadlines.enter(.news)
            let channel = context.channel
            // Before the first news can come.
            state = .news(0)
            let number = desk.add(
                request,
                NewsReader(
                    send: { channel.writeAndFlush(Outgoing.news($0), promise: nil) },
                    isReady: { channel.isWritable },
                    end: { channel.close(promise: nil) }
                )
            )
            guard let number else { return context.close(promise: nil) }
            state = .news(number)
        }
    }

    /// Sends a piece of an answer when the one before has gone: whoever reads slowly costs no more.
    private func sendRest(_ context: ChannelHandlerContext) {
        let piece = rest.prefix(Self.longestPiece)
        rest = rest.count == piece.count ? [] : rest.dropFirst(piece.count)
        if !rest.isEmpty {
            context.writeAndFlush(body(piece, context)).assumeIsolated().whenSuccess {
                self.sendRest(context)
            }
            return
        }
        if !piece.isEmpty { context.write(body(piece, context), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
            let isLast = self.isOver || !self.keepsAlive
            if !isLast { self.state = .idle }
            // What still comes after the last is dropped for a while: a connection that is closed before it has
            // come would take the answer with it.
            self.deadlines.enter(isLast ? .body : .idle)
            _ = context.channel.setOption(.autoRead, value: true)
            if isLast { context.close(mode: .output, promise: nil) }
        }
    }

    private func body(_ bytes: ArraySlice<UInt8>, _ context: ChannelHandlerContext) -> NIOAny {
        wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: bytes))))
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .news = state {
            deadlines.enter(context.channel.isWritable ? .news : .reading)
            if context.channel.isWritable { desk.poke() }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .news(let number) = state { desk.remove(number) }
        // A form that has not come whole leaves nothing.
        state = .answering
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
