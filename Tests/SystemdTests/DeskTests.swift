import Foundation
import Testing

@Suite(
    "Beside the service, the desk",
    .enabled("another system can be booted beside this one") { await Machine.isAvailable },
    .serialized,
    .timeLimit(.minutes(30))
)
struct DeskTests {
    /// Runs the program as a user who has nothing of the service's environment.
    private func luggage(
        _ arguments: String,
        as user: String,
        on machine: Machine,
        with variables: String = ""
    ) async throws -> Machine.Run {
        try await machine.attempt(
            "cd /tmp; HOME=/home/\(user) \(variables) setpriv --reuid=\(user) --regid=\(user) "
                + "--init-groups luggage \(arguments)"
        )
    }

    @Test(
        "asks the service's record, whether its configuration names that or not",
        arguments: [true, false]
    )
    func record(isNamed: Bool) async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            if !isNamed {
                try await machine.shell("sed -i '/^store:/d' /etc/luggage/luggage.yaml")
            }
            try await machine.shell("useradd --create-home --groups luggage anna")
            try await scanner.start()
            let before = try await machine.mark()
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await machine.await("a.png: new: F432BDB8", after: before)

            // Who belongs to the service's group may ask, and change nothing.
            for question in ["list", "show F432", "history", "summary", "export", "check"] {
                let run = try await luggage(question, as: "anna", on: machine)
                #expect(run.status == 0, "\(question): \(run.errors)")
                #expect(run.errors == "", "\(question)")
                #expect(question == "check" || !run.output.isEmpty)
            }
            for change in ["undo", "scan --at origin /run/source/samples/tag-9c41-dzmu.png"] {
                let run = try await luggage(change, as: "anna", on: machine)
                #expect(run.status == 73)
                #expect(
                    run.errors
                        == "luggage: you may not change the record /var/lib/luggage/luggage.sqlite, which "
                        + "belongs to luggage; do it as that user: `sudo -u luggage luggage …`\n",
                    "\(change)"
                )
            }
            // As the service's user, everything: without a word on where the record is.
            let scan = try await luggage(
                "scan --at destination /run/source/samples/tag-f432-dzmu.png",
                as: "luggage",
                on: machine,
                with: "LUGGAGE_STATION=gate-4"
            )
            #expect(scan.status == 0, "\(scan.errors)")
            let show = try await luggage("show F432", as: "anna", on: machine)
            #expect(show.output.contains("gate-4"))

            // Who has a record at home and asks that is told so.
            try await machine.shell(
                "setpriv --reuid=anna --regid=anna --init-groups luggage import --store /home/anna/own.sqlite - "
                    + #"<<<'{"id":"00000000-0000-4000-8000-000000000001","weight":1}' 2>/tmp/told"#
            )
            let told = "this is the record /home/anna/own.sqlite, not the one of the service here"
            #expect(try await machine.shell("cat /tmp/told").contains(told))
            let own = try await luggage("list --store own.sqlite", as: "anna", on: machine)
            #expect(own.status == 66 && own.errors.contains("not the one of the service here"))
        }
    }

    @Test("is told who may ask, and nobody else can write where the record is")
    func refused() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await machine.shell("useradd --groups luggage anna")
            // Before the service has made its record, nobody makes it in its place.
            let early = try await machine.attempt(
                "luggage scan --at origin /run/source/samples/tag-f432-dzmu.png"
            )
            #expect(early.status == 73, "\(early.errors)")
            try await scanner.start()
            for arguments in ["list", "undo --list"] {
                let run = try await luggage(arguments, as: "alice", on: machine)
                #expect(run.status == 73)
                #expect(
                    run.errors
                        == "luggage: you may not read the record /var/lib/luggage/luggage.sqlite, which "
                        + "belongs to luggage; ask as that user: `sudo -u luggage luggage …`; or ask an "
                        + "administrator to run `sudo usermod -aG luggage NAME`, and log in again\n"
                )
            }
            #expect(
                try await machine.shell("stat -c '%a %U %G' /var/lib/luggage")
                    == "750 luggage luggage"
            )
            for user in ["alice", "anna"] {
                let writing = try await machine.attempt(
                    "setpriv --reuid=\(user) --regid=\(user) --init-groups bash -c "
                        + "'touch /var/lib/luggage/x || : >>/var/lib/luggage/luggage.sqlite'"
                )
                #expect(writing.status != 0, "\(user)")
            }
            // The administrator's asking leaves nothing that keeps the service out.
            #expect(try await machine.attempt("luggage list").status == 0)
            try await machine.shell("systemctl restart luggage-scanner")
            #expect(
                try await machine.shell("find /var/lib/luggage ! -user luggage") == ""
            )
        }
    }
}
