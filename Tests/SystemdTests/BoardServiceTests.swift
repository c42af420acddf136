import Testing

@Suite(
    "The service that shows the record in a browser, under systemd",
    .enabled("another system can be booted beside this one") { await Machine.isAvailable },
    .serialized,
    .timeLimit(.minutes(30))
)
struct BoardServiceTests {
    private static let unit = "luggage-board"

    /// Asks through the socket, as the server in front does, as a user who is of no group.
    private static func ask(_ target: String, _ token: String = "") -> String {
        """
        setpriv --reuid=nobody --regid=nogroup --clear-groups \
        curl --silent --unix-socket /run/luggage-board/socket --cookie 'luggage=\(token)' 'http://a\(target)'
        """
    }

    @Test("shows the scanner's record through its socket to who has a token, and to nobody else")
    func shows() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await scanner.start()
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await scanner.start(Self.unit)
            let link = try await machine.shell(
                """
                setpriv --reuid=luggage --regid=luggage --init-groups \
                luggage board token add anna --address https://bags.example | tail -n 1
                """
            )
            let token = try #require(
                link.firstMatch(of: /^https:\/\/bags.example\/enter\?token=(.+)$/)
            ).1
            #expect(try await machine.shell(Self.ask("/")).contains("Come in"))
            try await machine.shell(
                "until \(Self.ask("/search?for=F432", String(token))) | grep -q F432BDB8; do sleep 0.1; done"
            )
            try await machine.shell("luggage board token revoke anna")
            #expect(try await machine.shell(Self.ask("/", String(token))).contains("Come in"))
            // It has no network, and only its reader's processes unpack pictures.
            let network = try await machine.shell(
                "systemctl show --property=PrivateNetwork --value \(Self.unit)"
            )
            #expect(network == "yes")
            // It tells no watchdog anything, and would be ended by one.
            let watchdog = try await machine.shell(
                "systemctl show --property=WatchdogUSec --value \(Self.unit)"
            )
            #expect(watchdog == "0")
            try await machine.shell("systemctl stop \(Self.unit)")
            let result = try await machine.shell(
                "systemctl show --property=Result --value \(Self.unit)"
            )
            #expect(result == "success")
            let journal = try await machine.journal(of: Self.unit)
            #expect(!journal.contains("not permitted") && !journal.contains("denied"), "\(journal)")
        }
    }
}
