import Foundation
import Testing

@Suite(
    "Beside the service, the doctor",
    .enabled("another system can be booted beside this one") { await Machine.isAvailable },
    .serialized,
    .timeLimit(.minutes(30))
)
struct DoctorTests {
    /// A check, in words: `wrong service: luggage-scanner is not started`.
    private func findings(_ machine: Machine, as user: String? = nil) async throws -> [String] {
        let become = user.map { "setpriv --reuid=\($0) --regid=\($0) --init-groups " } ?? ""
        let run = try await machine.attempt("cd /; HOME=/ \(become)luggage doctor --format json")
        #expect(run.errors == "")
        struct Report: Decodable {
            struct Check: Decodable {
                var check: String
                var state: String
                var message: String
                var remedies: [String]
            }
            var checks: [Check]
            var isReady: Bool
            var next: String?
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(run.status == (report.isReady ? 0 : 1))
        return report.checks.map { "\($0.state) \($0.check): \($0.message)" }
            + ["next: \(report.next ?? "-")"]
    }

    @Test("says why the service does not start, and that it does where that is mended")
    func failing() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            var found = try await findings(machine)
            #expect(found.contains("wrong service: luggage-scanner is not started"))
            #expect(found.last == "next: sudo systemctl enable --now luggage-scanner")
            // Somebody else's folder is none that a service watches.
            try await machine.shell("chown alice /srv/luggage")
            _ = try await machine.attempt("systemctl start luggage-scanner")
            found = try await findings(machine)
            let failure = try #require(found.first { $0.hasPrefix("wrong service: ") })
            #expect(failure.contains("luggage-scanner has failed: /srv/luggage belongs to"))
            #expect(failure.contains("run 'chown luggage /srv/luggage'"))
            try await machine.shell("chown luggage /srv/luggage; systemctl start luggage-scanner")
            found = try await findings(machine)
            #expect(
                found.contains(
                    "advice service: luggage-scanner runs, and is not started after a boot"
                )
            )
            #expect(found.last == "next: cp PICTURE.png /srv/luggage/origin/")
            let before = try await machine.mark()
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await machine.await("a.png: new", after: before)
            #expect(try await findings(machine).last == "next: -")
        }
    }

    @Test("knows what of the installation and the settings is missing")
    func missing() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await machine.shell("gpasswd --delete alice luggage-inbox")
            try await scanner.start()
            #expect(try await findings(machine).last == "next: sudo usermod -aG luggage-inbox NAME")
            try await machine.shell("systemctl stop luggage-scanner; rm -r /srv/luggage")
            #expect(try await findings(machine).last == "next: sudo systemd-tmpfiles --create")
            try await machine.shell("systemd-tmpfiles --create")
            // A folder elsewhere, which the unit does not name.
            try await machine.shell(
                "mkdir /data && sed -i 's,^folder:.*,folder: /data,' /etc/luggage/luggage.yaml"
            )
            var found = try await findings(machine)
            #expect(found.last == "next: sudo systemctl edit luggage-scanner")
            #expect(found.contains { $0.contains("add a line ReadWritePaths=/data") })
            try await machine.shell("rm /etc/luggage/luggage.yaml")
            found = try await findings(machine)
            #expect(
                found.last
                    == "next: sudo install -D --mode 644 /usr/local/share/luggage/luggage.yaml "
                    + "/etc/luggage/luggage.yaml"
            )
            let next = try #require(found.last).dropFirst("next: sudo ".count)
            try await machine.shell(String(next))
            #expect(
                try await findings(machine).contains(
                    "right configuration: /etc/luggage/luggage.yaml"
                )
            )
        }
    }

    @Test("guesses nothing for people who may not look")
    func people() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await machine.shell("useradd nobodys")
            try await scanner.start()
            let before = try await machine.mark()
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await machine.await("a.png: new", after: before)
            for user in ["alice", "nobodys"] {
                let found = try await findings(machine, as: user)
                #expect(
                    found.contains { $0.hasPrefix("unseen record: you may not read") },
                    "\(found)"
                )
                #expect(!found.contains { $0.hasPrefix("wrong ") }, "\(found)")
                let advice = "advice people: you may not look into"
                let isAdvised = found.contains { $0.hasPrefix(advice) }
                #expect(isAdvised == (user == "nobodys"), "\(found)")
            }
            #expect(try await machine.shell("find /var/lib/luggage ! -user luggage") == "")
        }
    }
}
