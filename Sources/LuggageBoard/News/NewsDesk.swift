internal import ObjectStore
internal import Synchronization
internal import SystemSupport

/// What a page asks for that wants to know of news.
package struct NewsRequest: Sendable {
    var page: PageRequest
    /// Who looks at it.
    var visitor: Visitor
    /// The request for the news, which has the token.
    var own: PageRequest
    /// The last save that the page takes into account; nil if it is not known.
    var after: HistoryToken?
}

/// Who reads the news about a page.
package struct NewsReader<Message: Sendable>: Sendable {
    /// Takes news; nobody waits until they have gone.
    package var send: @Sendable (Message) -> Void
    /// Whether it has read what was sent before.
    package var isReady: @Sendable () -> Bool
    package var end: @Sendable () -> Void

    /// Describes a reader.
    package init(
        send: @escaping @Sendable (Message) -> Void,
        isReady: @escaping @Sendable () -> Bool,
        end: @escaping @Sendable () -> Void
    ) {
        (self.send, self.isReady, self.end) = (send, isReady, end)
    }
}

/// Tells pages what has changed on them, section by section.
///
/// News are states, not steps: a page that has missed some gets the present state of each section that has
/// changed, once. A reader that is slow costs no memory: it gets the next state when it has read the last.
/// The same news for many are in memory once. While nobody reads, nothing is done at all.
package final class NewsDesk<Message: Sendable>: Sendable {
    private struct Entry {
        let request: NewsRequest
        let reader: NewsReader<Message>
        /// What each section was when it was last sent.
        var sent: [String: Int]
        /// The last save that it knows.
        var after: HistoryToken?
    }

    /// A page as those with one role see it.
    private struct PageForRole: Hashable {
        let target: String
        let role: Role
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var next = 0
        var work: Task<Void, Never>?
        var poke: AsyncStream<Void>.Continuation?
    }

    private let board: Board
    private let pack: @Sendable ([UInt8]) -> Message
    private let state = Mutex(State())

    /// How long readers wait for the next news at most, if there is more than they can read.
    private static var pause: Duration { .milliseconds(100) }
    /// How often a sign of life is sent.
    private static var beat: Duration { .seconds(15) }
    /// After how many of them everything is looked at again: time passes too.
    private static var beatsARound: Int { 4 }

    /// Makes a desk for the pages of a board, whose news are packed once for all.
    package init(_ board: Board, packing pack: @escaping @Sendable ([UInt8]) -> Message) {
        (self.board, self.pack) = (board, pack)
    }

    /// How many pages may be open with one link: who has more would take all connections from the others.
    private static var mostPages: Int { 200 }

    /// Adds a reader, who is told at once what has changed since its page was made.
    ///
    /// - Returns: What stands for it here; nil if whoever it is has too many already.
    package func add(_ request: NewsRequest, _ reader: NewsReader<Message>) -> Int? {
        let number = state.withLock { state -> Int? in
            let others = state.entries.values.count { $0.request.visitor == request.visitor }
            if others >= Self.mostPages { return nil }
            state.next += 1
            state.entries[state.next] = Entry(
                request: request,
                reader: reader,
                sent: [:],
                after: request.after
            )
            if state.work == nil { begin(&state) }
            return state.next
        }
        guard let number else { return nil }
        reader.send(pack(Array(":\n\n".utf8)))
        poke()
        return number
    }

    /// Forgets a reader.
    package func remove(_ number: Int) {
        let work = state.withLock { state -> Task<Void, Never>? in
            state.entries[number] = nil
            guard state.entries.isEmpty else { return nil }
            defer { (state.work, state.poke) = (nil, nil) }
            state.poke?.finish()
            return state.work
        }
        work?.cancel()
    }

    /// Looks whether there is something to tell, for example because a reader has read what was sent.
    package func poke() {
        _ = state.withLock { $0.poke }?.yield()
    }

    // MARK: Working

    private func begin(_ state: inout State) {
        let (pokes, poke) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.poke = poke
        // Those of other processes too.
        let saves = board.record.changes
        state.work = Task(executorPreference: TaskThreads.shared) { [weak self] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { for await _ in saves { poke.yield() } }
                group.addTask { await self?.keepAlive() }
                group.addTask {
                    let clock = TaskThreads.shared.clock
                    for await _ in pokes {
                        self?.round()
                        try? await Task.sleep(for: Self.pause, clock: clock)
                    }
                }
            }
        }
    }

    private func keepAlive() async {
        var beats = 0
        while (try? await Task.sleep(for: Self.beat, clock: TaskThreads.shared.clock)) != nil {
            beats += 1
            let entries = state.withLock { Array($0.entries.values) }
            for entry in entries where entry.reader.isReady() {
                entry.reader.send(pack(Array(":\n\n".utf8)))
            }
            guard beats % Self.beatsARound == 0 else { continue }
            // Of a page on which nothing was news yet nobody knows what time has changed: it gets all once.
            state.withLock { state in
                for number in state.entries.keys where state.entries[number]?.sent.isEmpty ?? false
                {
                    state.entries[number]?.after = nil
                }
            }
            poke()
        }
    }

    /// Tells every reader who can read what has changed on its page.
    private func round() {
        let entries = state.withLock { $0.entries }.filter { $0.value.reader.isReady() }
        // Sections with news have no forms, and so are the same for all who may do the same.
        let pages = Dictionary(grouping: entries) {
            PageForRole(target: $0.value.request.page.target, role: $0.value.request.visitor.role)
        }
        // The first page before the others, some of which take longer.
        for (_, entries) in pages.sorted(by: { $0.key.target < $1.key.target }) {
            guard let first = entries.first?.value.request else { continue }
            let page: Page
            do {
                page = try board.page(first.page, first.visitor)
            } catch is Refusal {
                // It is none any more, for example because its bag was purged.
                for (_, entry) in entries { entry.reader.end() }
                continue
            } catch {
                continue
            }
            guard let token = page.token else { continue }
            let sections = page.sections.filter(\.isLive)
            let states = sections.map { ($0.id, $0.html.hashValue) }
            var packed: [[String]: Message] = [:]
            for (number, entry) in entries {
                // Whoever was let in must still be.
                guard board.isStillWelcome(entry.request) else {
                    entry.reader.end()
                    continue
                }
                if entry.sent.isEmpty && entry.after == token { continue }
                let changed = sections.filter { entry.sent[$0.id] != $0.html.hashValue }
                if !changed.isEmpty {
                    let names = changed.map(\.id)
                    let news = packed[names] ?? pack(Self.event(changed, token))
                    packed[names] = news
                    entry.reader.send(news)
                }
                state.withLock { state in
                    state.entries[number]?.sent = Dictionary(states) { first, _ in first }
                    state.entries[number]?.after = token
                }
            }
        }
    }

    /// Sections as events; only the last has the number, so that news cut off on the way come again whole.
    private static func event(_ sections: [Page.Section], _ token: HistoryToken) -> [UInt8] {
        var text = ""
        for (index, section) in sections.enumerated() {
            if index == sections.count - 1 { text += "id: \(token.rawValue)\n" }
            text += "event: section\ndata: \(section.id)\n"
            for line in section.html.text.split(separator: "\n", omittingEmptySubsequences: true) {
                text += "data: \(line)\n"
            }
            text += "\n"
        }
        return Array(text.utf8)
    }
}

extension Board {
    /// Begins to tell the news about a page.
    func news(_ request: PageRequest, _ visitor: Visitor) throws -> PageAnswer {
        guard let target = request.query["of"],
            let page = PageRequest(method: "GET", target: target),
            page.path.first != "news",
            // These do not follow the news, and each look at them may take long.
            page.path.first != "report", !page.wantsWhole
        else { throw Refusal.wrong }
        let (role, make) = try self.page(at: page, for: visitor)
        try require(role, visitor)
        // A bag may be purged: then there is no news, and the browser asks for the page again.
        if page.path.first == "bag" { _ = try make() }
        // The browser says what it has seen last if its line was cut.
        let after = Int64(request.headers["last-event-id"] ?? request.query["after"] ?? "")
        let news = NewsRequest(
            page: page,
            visitor: visitor,
            own: request,
            after: after.map { HistoryToken(rawValue: $0) }
        )
        return PageAnswer(
            200,
            [
                ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
                ("X-Accel-Buffering", "no"),
            ],
            .news(news)
        )
    }

    /// Whether the token of a reader still counts, for what it did.
    func isStillWelcome(_ request: NewsRequest) -> Bool {
        (try? visitor(of: request.own)) == request.visitor
    }
}
