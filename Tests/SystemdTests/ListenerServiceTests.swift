import Foundation
import Testing

@Suite(
    "The service for hand scanners under systemd",
    .enabled("another system can be booted beside this one") { await Machine.isAvailable },
    .serialized,
    .timeLimit(.minutes(30))
)
struct ListenerServiceTests {
    /// Commands that make a terminal to whose other end a FIFO leads.
    private static let plug = """
        mkfifo /tmp/typed /tmp/name
        setsid sleep infinity >/tmp/typed 2>/dev/null &
        setsid script --quiet --command 'tty >/tmp/name; exec sleep infinity' /dev/null \\
            </tmp/typed >/dev/null 2>&1 &
        read -r name </tmp/name
        chgrp dialout $name && chmod 660 $name && ln -s $name /dev/ttyACM0
        """

    @Test("files what a scanner reads that is plugged in while it runs, and takes over settings")
    func plugged() async throws {
        try await Scanner.run { scanner in
            let (machine, unit) = (scanner.machine, "luggage-listener")
            let before = try await machine.mark()
            try await machine.shell(
                "printf 'scanners:\\n  /dev/ttyACM*: origin gate-4\\n' >>/etc/luggage/luggage.yaml"
            )
            try await scanner.start(unit)
            try await machine.await("ttyACM.* is not plugged in", of: unit, after: before)
            try await machine.shell(Self.plug)
            try await machine.await("listening to /dev/ttyACM0", of: unit, after: before)
            let tag = #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","weight":42}"#
            try await machine.shell("printf '%s\\r' '\(tag)' >/tmp/typed")
            try await machine.await("ttyACM0: new: F432BDB8", of: unit, after: before)
            try await machine.shell("systemctl reload \(unit)")
            try await machine.await(
                "reloaded: the configuration is as it was",
                of: unit,
                after: before
            )
            let status = try await machine.shell(
                "systemctl show --property=StatusText --value \(unit)"
            )
            #expect(status == "Listening to 1 scanner: 1 filed, 0 failed")
            try await machine.shell("systemctl stop \(unit)")
            #expect(
                try await machine.shell("systemctl show --property=Result --value \(unit)")
                    == "success"
            )
            #expect(try await scanner.scans() == 1)
            let journal = try await machine.shell("journalctl --unit=\(unit) --output=cat")
            #expect(!journal.contains("not permitted") && !journal.contains("denied"))
        }
    }

    @Test("does not start without a scanner in the configuration, and says what to write")
    func unconfigured() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            #expect(try await machine.attempt("systemctl start luggage-listener").status != 0)
            let status = try await machine.shell(
                "systemctl show --property=ExecMainStatus,StatusText --value luggage-listener"
            )
            #expect(status.contains("78") && status.contains("no scanner is named"))
        }
    }
}
