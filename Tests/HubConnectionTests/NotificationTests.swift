import HubConnection
import SystemSupport
import TestHubs
import Testing

@Suite("News of a hub", .timeLimit(.minutes(30)))
struct NotificationTests {
    @Test("come to those who listen, in order, and none is lost during statements")
    func order() async throws {
        try await onThread {
            let hub = try SharedHub.get()
            let listener = try hub.connect()
            let channel = "Facts \"of\" order"
            try listener.listen(to: channel)
            let speaker = try hub.connect()
            for number in 0..<100 {
                try speaker.query("SELECT pg_notify($1, $2)", [channel, "\(number)"])
                if number % 10 == 0 { try listener.query("SELECT 1") }
            }
            var heard: [HubNotification] = []
            while heard.count < 100 {
                guard case .notifications(let news) = try listener.wait() else { break }
                heard += news
            }
            #expect(heard.map(\.payload) == (0..<100).map { "\($0)" })
            #expect(heard.allSatisfy { $0.channel == channel })
            #expect(try listener.wait(until: .now) == .deadline)
        }
    }

    @Test("wake who waits for them on another thread")
    func arrival() async throws {
        let hub = try await onThread { try SharedHub.get() }
        async let wake = onThread {
            let listener = try hub.connect()
            try listener.listen(to: "arrival")
            try listener.query("SELECT pg_notify('arrival-ready', '')")
            return try listener.wait()
        }
        try await onThread {
            try hub.waitUntil("idle", "arrival-ready")
            try hub.query("NOTIFY arrival")
        }
        guard case .notifications(let news) = try await wake else {
            Issue.record("something else has woken it")
            return
        }
        #expect(news.map(\.channel) == ["arrival"])
        #expect(news.map(\.payload) == [""])
    }

    @Test("are not awaited longer than until a signal, which only its owner lowers")
    func waking() async throws {
        try await onThread {
            let connection = try SharedHub.get().connect()
            let waking = WakeSignal()
            waking.raise()
            for _ in 0..<2 { #expect(try connection.wait(or: waking) == .woken) }
            waking.lower()
            #expect(try connection.wait(until: .now + .milliseconds(10), or: waking) == .deadline)
            // A statement is none of its business.
            waking.raise()
            #expect(try connection.query("SELECT 1").first?[0] == "1")
        }
    }
}
