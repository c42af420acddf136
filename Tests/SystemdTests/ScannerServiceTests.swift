import Foundation
import Testing

@Suite(
    "The scanner as a service of systemd",
    .enabled("another system can be booted beside this one") { await Machine.isAvailable },
    .serialized,
    .timeLimit(.minutes(30))
)
struct ScannerServiceTests {
    @Test("is up only once it watches, files what somebody drops, and tells of it")
    func files() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            let before = try await machine.mark()
            try await scanner.start()
            #expect(try await scanner.property("StatusText").hasPrefix("Watching /srv/luggage"))
            let lines = try await machine.journal().split(separator: "\n")
            let watching = try #require(lines.firstIndex { $0.contains("watching /srv/luggage") })
            let started = try #require(lines.firstIndex { $0.hasPrefix("Started ") })
            #expect(watching < started)

            try await scanner.drop("tag-f432-dzmu", as: "departing.png")
            try await machine.await("departing.png: new: F432BDB8", after: before)
            try await scanner.drop("tag-f432-dzmu", into: "destination", as: "arriving.png")
            try await machine.await("arriving.png: updated: F432BDB8", after: before)
            try await scanner.drop("tag-f432-dzmu", as: "again.png")
            try await machine.await("again.png was filed before", after: before)
            try await scanner.drop("weight-in-words", as: "wrong.png")
            try await machine.await("wrong.png: invalid", after: before)

            #expect(try scanner.pictures(in: "processed") == ["departing.png", "arriving.png"])
            #expect(try scanner.pictures(in: "duplicates") == ["again.png"])
            #expect(try scanner.pictures(in: "failed") == ["wrong.png"])
            #expect(try scanner.pictures(in: "origin").isEmpty)
            // Whoever has dropped them may look at what became of them.
            #expect(
                try await scanner.asAlice("cat /srv/luggage/failed/wrong.png.error.json")
                    .contains("weight")
            )
            #expect(try await scanner.luggage("list").contains("F432BDB8"))
        }
    }

    @Test(
        "files the pictures of a folder that somebody drops, and says what to do where it may not"
    )
    func folders() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            let before = try await machine.mark()
            try await scanner.start()
            try await scanner.asAlice(
                """
                umask 022
                mkdir -p /tmp/DCIM/100CANON
                cp /run/source/samples/tag-f432-dzmu.png /tmp/DCIM/100CANON/IMG_0001.png
                cp -r /tmp/DCIM /srv/luggage/origin
                """
            )
            try await machine.await(
                "nothing can be taken out of /srv/luggage/origin/DCIM.*chmod -R g[+]rwX",
                after: before
            )
            let status = try await machine.attempt("luggage status --folder /srv/luggage")
            #expect(status.status == 1)
            #expect(
                status.output.contains("left: nothing can be taken out of /srv/luggage/origin/DCIM")
            )
            #expect(status.output.contains("0 at destination, 1 at origin"))
            try await scanner.asAlice("chmod -R g+rwX /srv/luggage/origin/DCIM")
            try await machine.await("DCIM_100CANON_IMG_0001.png: new: F432BDB8", after: before)
            try await scanner.asAlice("mkdir -m 700 /srv/luggage/origin/mine")
            try await machine.await("/srv/luggage/origin/mine cannot be looked into", after: before)
            try await scanner.asAlice(
                "mkdir /srv/luggage/origin/ours; cp /tmp/DCIM/*/*.png /srv/luggage/origin/ours/a.png"
            )
            try await machine.await("ours_a.png was filed before", after: before)
            #expect(try scanner.pictures(in: "origin").isEmpty)
        }
    }

    @Test("tells an operator in the journal what is grave, and of which picture")
    func journal() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            let before = try await machine.mark()
            try await scanner.start()
            try await scanner.drop("torn-off", as: "torn_off.png")
            try await machine.await("torn_off.png: no-code", after: before)
            let entry = try await machine.shell(
                "journalctl --unit=luggage-scanner --priority=warning --output=json | tail -n 1"
            )
            let fields = try #require(
                JSONSerialization.jsonObject(with: Data(entry.utf8)) as? [String: Any]
            )
            #expect(fields["PRIORITY"] as? String == "4")
            #expect(fields["SYSLOG_IDENTIFIER"] as? String == "luggage")
            #expect(fields["LUGGAGE_DISPOSITION"] as? String == "failed")
            #expect(fields["LUGGAGE_POINT"] as? String == "origin")
            #expect((fields["LUGGAGE_PICTURE"] as? String)?.hasSuffix("torn_off.png") == true)
        }
    }

    @Test("takes over a changed configuration, and keeps the old one where the new one is wrong")
    func reload() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await scanner.start()
            let process = try await scanner.property("MainPID")
            try await machine.shell(
                "echo 'hook: echo \"hooked $LUGGAGE_EVENT\"' >>/etc/luggage/luggage.yaml"
            )
            var before = try await machine.mark()
            try await machine.shell("systemctl reload luggage-scanner")
            try await machine.await("reloaded: .*hook", after: before)
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await machine.await("hooked", after: before)

            try await machine.shell("printf 'grace: soon\\nhook: x\\n' >>/etc/luggage/luggage.yaml")
            before = try await machine.mark()
            let reload = try await machine.attempt("systemctl reload luggage-scanner")
            #expect(reload.status != 0)
            try await machine.await("luggage.yaml:[0-9]+: grace: expected", after: before)
            // Whoever tells the process itself finds it in the log only.
            try await machine.shell("systemctl kill --kill-whom=main --signal=HUP luggage-scanner")
            try await machine.await("grace.*stays as it was", after: before)
            try await scanner.drop("tag-9c41-dzmu", as: "b.png")
            try await machine.await("hooked", after: before)
            #expect(try await scanner.property("StatusText").hasPrefix("Watching"))

            try await machine.shell("sed -i '/grace: soon/d; /hook: x/d' /etc/luggage/luggage.yaml")
            try await machine.shell("systemctl reload luggage-scanner")
            #expect(try await scanner.property("MainPID") == process)
            #expect(try await scanner.property("ActiveState") == "active")
        }
    }

    @Test(
        "does not try again with a configuration that is wrong",
        arguments: ["folder: 7\nstatoin: x\n", "grace: -1s\nreaders: 0\nfolder: /srv/luggage\n"]
    )
    func wrongConfiguration(text: String) async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try Data(text.utf8).write(to: machine.url("/etc/luggage/luggage.yaml"))
            let start = try await machine.attempt("systemctl start luggage-scanner")
            #expect(start.status != 0)
            #expect(try await scanner.property("ActiveState") == "failed")
            #expect(try await scanner.property("ExecMainStatus") == "78")
            #expect(try await scanner.property("NRestarts") == "0")
            #expect(try await machine.journal().contains("luggage.yaml"))
            let status = try await scanner.property("StatusText")
            #expect(status.contains("luggage.yaml") && !status.contains("\\n"), "\(status)")
            let mistakes = text.split(separator: "\n").count { !$0.hasPrefix("folder") }
            #expect(mistakes == 1 || status.hasPrefix("\(mistakes) mistakes: (1) "), "\(status)")
        }
    }

    @Test("says in its status why it cannot be started")
    func cannotStart() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await scanner.configure("Restart=no")
            try Data("folder: /proc/nowhere\n".utf8)
                .write(to: machine.url("/etc/luggage/luggage.yaml"))
            let start = try await machine.attempt("systemctl start luggage-scanner")
            #expect(start.status != 0)
            #expect(try await scanner.property("ExecMainStatus") == "73")
            #expect(try await scanner.property("StatusErrno") == "\(ENOENT)")
            #expect(try await scanner.property("StatusText").contains("/proc/nowhere"))
        }
    }

    @Test("hung, is ended by the watchdog and started again, and loses nothing")
    func watchdog() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await scanner.configure("WatchdogSec=3s\nTimeoutAbortSec=1s\nRestartSec=100ms")
            try await scanner.start()
            let before = try await machine.mark()
            try await machine.shell(
                "kill -STOP $(systemctl show --property=MainPID --value luggage-scanner)"
            )
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await machine.await("Watchdog timeout", after: before)
            try await machine.await("^Started ", after: before)
            try await machine.await("a.png: new: F432BDB8", after: before)
            let restarts = try await scanner.property("NRestarts")
            #expect(restarts == "1")
            #expect(try scanner.pictures(in: "processed") == ["a.png"])
            #expect(try await scanner.scans() == 1)
        }
    }

    @Test("killed again and again, files every picture, and each once")
    func killed() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await scanner.configure("RestartSec=100ms")
            try scanner.dropMany(0..<60)
            try await scanner.start()
            for round in 1...3 {
                let before = try await machine.mark()
                try scanner.dropMany(round * 60..<(round + 1) * 60)
                try await machine.await("[0-9]+.png: new", after: before)
                try await machine.shell(
                    "systemctl kill --kill-whom=main --signal=KILL luggage-scanner"
                )
                try await machine.await("^Started ", after: before)
                // Neither readers nor anything else outlive it.
                let processes = try await machine.shell("pgrep --exact --count luggage || true")
                #expect(processes == "1")
            }
            let restarts = try await scanner.property("NRestarts")
            #expect(restarts == "3")
            try await settle(scanner, pictures: 240)
        }
    }

    @Test("told to stop in the middle of work, ends well, and goes on at the next start")
    func stop() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await scanner.start()
            let before = try await machine.mark()
            try scanner.dropMany(0..<200)
            try await machine.await("[0-9]+.png: new", after: before)
            try await machine.shell("systemctl stop luggage-scanner")
            #expect(try await scanner.property("Result") == "success")
            #expect(try await scanner.property("ExecMainStatus") == "0")
            let (done, left) = (
                try scanner.pictures(in: "processed"), try scanner.pictures(in: "origin")
            )
            #expect(!done.isEmpty)
            #expect(done.count + left.count == 200 && done.isDisjoint(with: left))
            #expect(try await scanner.scans() == done.count)
            try await scanner.start()
            try await settle(scanner, pictures: 200)
        }
    }

    @Test("has each station's scanner file under the station's name, into one record")
    func stations() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            let before = try await machine.mark()
            let stations = ["gate-4", "hall_b"]
            for station in stations {
                let unit = "luggage-scanner@\(station)"
                try await scanner.start(unit)
                try await scanner.drop("tag-on-belt", into: "\(station)/origin", as: "a.png")
                try await machine.await("a.png: (new|repeated|updated)", of: unit, after: before)
                #expect(try scanner.pictures(in: "\(station)/processed") == ["a.png"])
            }
            let export = try await scanner.luggage("export")
            for station in stations { #expect(export.contains("\"\(station)\"")) }
            // The end of one takes nothing from the other.
            try await machine.shell("systemctl stop luggage-scanner@gate-4")
            try await scanner.drop("two-tags", into: "hall_b/destination", as: "b.png")
            try await machine.await("b.png: new", of: "luggage-scanner@hall_b", after: before)
        }
    }

    @Test("keeps a second service from its folder, and names the first")
    func second() async throws {
        try await Scanner.run { scanner in
            try await scanner.start()
            let process = try await scanner.property("MainPID")
            let second = try await scanner.machine.attempt(
                "STATE_DIRECTORY=/var/lib/luggage setpriv --reuid=luggage --regid=luggage "
                    + "--init-groups luggage watch /srv/luggage"
            )
            #expect(second.status == 73)
            #expect(second.errors.contains(process))
            #expect(try await scanner.property("ActiveState") == "active")
        }
    }

    /// Checks that the service works, has everything filed, and checks that each picture is on record
    /// once.
    private func settle(_ scanner: Scanner, pictures count: Int) async throws {
        let before = try await scanner.machine.mark()
        try await scanner.drop("tag-f432-dzmu", as: "last.png")
        try await scanner.machine.await("last.png: new", after: before)
        try await scanner.machine.shell("systemctl stop luggage-scanner")
        try await scanner.luggage("watch --once /srv/luggage")
        #expect(try scanner.pictures(in: "origin").isEmpty)
        #expect(try scanner.pictures(in: "processed").count == count + 1)
        #expect(try await scanner.scans() == count + 1)
        #expect(try scanner.pictures(in: "failed").isEmpty)
        #expect(try scanner.pictures(in: "duplicates").isEmpty)
    }
}
