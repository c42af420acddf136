import Foundation
import Testing

@Suite(
    "The installation of the scanner",
    .enabled("another system can be booted beside this one") { await Machine.isAvailable },
    .serialized,
    .timeLimit(.minutes(30))
)
struct InstallationTests {
    static let units = [
        "luggage-scanner.service", "luggage-scanner@gate-4.service", "luggage-listener.service",
        "luggage-sync.service", "luggage-sync-relay.service", "luggage-board.service",
    ]

    @Test("has units that systemd has nothing to say against", arguments: units)
    func verify(unit: String) async throws {
        try await Scanner.run { scanner in
            let run = try await scanner.machine.attempt("systemd-analyze verify \(unit)")
            #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
            let threshold =
                switch unit {
                // It sees devices, and has their group.
                case "luggage-listener.service": 5
                // It has the record and the keys, and reaches the hub by the relay alone.
                case "luggage-sync.service": 8
                // It has a network, and nothing else.
                case "luggage-sync-relay.service": 12
                default: 3
                }
            let exposure = try await scanner.machine.attempt(
                "systemd-analyze security --no-pager --offline=yes --threshold=\(threshold) \(unit)"
            )
            #expect(exposure.status == 0, "\(exposure.output)")
        }
    }

    @Test("confines the service, and the readers of pictures once more")
    func confinement() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            let before = try await machine.mark()
            try await scanner.start()
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await machine.await("a.png: new", after: before)
            let filters = try await machine.shell(
                """
                for name in luggage luggage-reader; do
                    sed -n 's/^Seccomp_filters:[[:space:]]*//p' /proc/$(pgrep --oldest --exact $name)/status
                done
                """
            ).split(separator: "\n").compactMap { Int($0) }
            try #require(filters.count == 2)
            #expect(filters[0] > 0)
            #expect(filters[1] == filters[0] + 1)
            // Nothing was refused that one of them needs.
            let journal = try await machine.journal()
            #expect(!journal.contains("not permitted") && !journal.contains("denied"))
            // The sandbox of the readers is whole within that of the service.
            #expect(!journal.contains("refused by the system"))
            #expect(journal.contains("system calls filtered"))
        }
    }

    @Test("keeps a hook from the services of the system, and the service speaks to systemd still")
    func bus() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            // No bus runs here: what anybody may write to is in its place.
            let sockets = "/run/dbus/system_bus_socket /run/systemd/private"
            try await machine.shell(
                """
                mkdir -p /run/dbus && touch /run/dbus/system_bus_socket
                chmod 666 /run/dbus/system_bus_socket
                cat >>/etc/luggage/luggage.yaml <<'end'
                hook: for socket in \(sockets); do test -w $socket && echo reached $socket; done; echo tried
                end
                """
            )
            let before = try await machine.mark()
            try await scanner.start()
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await machine.await("hook: tried", after: before)
            let journal = try await machine.journal()
            #expect(!journal.contains("reached"))
            #expect(try await scanner.property("StatusText").hasPrefix("Watching"))
        }
    }

    @Test("starts at every boot where it is enabled, and may be done twice")
    func enable() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            try await machine.shell("systemctl enable --now luggage-scanner")
            try await machine.shell("/run/source/systemd/install --build /run/build")
            #expect(try await scanner.property("UnitFileState") == "enabled")
            #expect(try await scanner.property("ActiveState") == "active")
        }
    }

    @Test("leaves an edited configuration alone, and goes without a trace but for what was filed")
    func remove() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            let snapshot =
                "find /usr/local /usr/lib/systemd /etc -xdev ! -type d ! -name '*.cache' ! -name '*-' "
                + "| sort"
            try await machine.shell("/run/source/systemd/install --remove; \(snapshot) >/tmp/bare")
            try await machine.shell("/run/source/systemd/install --build /run/build")
            try await machine.shell("echo 'station: mine' >>/etc/luggage/luggage.yaml")
            let again = try await machine.attempt("/run/source/systemd/install --build /run/build")
            #expect(again.errors.contains("/etc/luggage/luggage.yaml stays as it is"))
            #expect(
                try await machine.shell("tail -n 1 /etc/luggage/luggage.yaml") == "station: mine"
            )

            try await machine.shell("systemctl enable --now luggage-scanner luggage-scanner@gate-4")
            let removal = try await machine.shell("/run/source/systemd/install --remove")
            #expect(removal.contains("/etc/luggage/luggage.yaml"))
            #expect(
                try await machine.shell("\(snapshot) | comm -3 - /tmp/bare")
                    == "/etc/luggage/luggage.yaml"
            )
            let units = try await machine.shell(
                "systemctl list-units --all --no-legend 'luggage*'"
            )
            #expect(units == "")
            #expect(
                try await machine.shell("ls /var/lib/luggage /srv/luggage").contains(
                    "luggage.sqlite"
                )
            )
        }
    }

    @Test("leaves out of the programs what only debuggers read")
    func stripped() async throws {
        try await Scanner.run { scanner in
            let sections = try await scanner.machine.shell(
                """
                readelf --wide --sections /usr/local/bin/luggage /usr/local/bin/luggage-tag \
                    /usr/local/libexec/luggage/luggage-reader
                """
            )
            #expect(sections.components(separatedBy: " .dynsym ").count == 4)
            #expect(!sections.contains(" .symtab ") && !sections.contains(" .debug_"))
        }
    }

    @Test(
        "lays files out for a package without touching the system",
        arguments: ["/usr", "/opt/luggage"]
    )
    func package(prefix: String) async throws {
        try await Machine.run { machine in
            try await machine.shell(
                "/run/source/systemd/install --build /run/build --destdir /tmp/package --prefix \(prefix)"
            )
            let files = try await machine.shell("cd /tmp/package && find . -type f | sort")
            let lib = prefix == "/usr" ? "/usr/lib" : "/etc"
            #expect(files.contains("./\(prefix.dropFirst())/bin/luggage\n"))
            for program in ["luggage-reader", "luggage-sync"] {
                #expect(files.contains("./\(prefix.dropFirst())/libexec/luggage/\(program)\n"))
            }
            #expect(files.contains(".\(lib)/systemd/system/luggage-scanner.service\n"))
            #expect(
                try await machine.shell(
                    "grep ExecStart= /tmp/package\(lib)/systemd/system/*.service"
                )
                .split(separator: "\n")
                .allSatisfy { line in
                    [
                        "board --listen /run/luggage-board/socket", "listen", "sync relay",
                        "sync run", "watch",
                    ]
                    .contains { line.hasSuffix("ExecStart=\(prefix)/bin/luggage \($0)") }
                }
            )
            #expect(try await machine.attempt("id luggage").status != 0)
            try await machine.shell(
                "/run/source/systemd/install --remove --destdir /tmp/package --prefix \(prefix)"
            )
            #expect(try await machine.shell("cd /tmp/package && find . -type f") == "")
        }
    }
}
