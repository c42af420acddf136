import Foundation
import Testing

@Suite(
    "The service that exchanges facts with a hub, under systemd",
    .enabled("another system can be booted beside this one") { await Machine.isAvailable },
    .serialized,
    .timeLimit(.minutes(30))
)
struct SyncServiceTests {
    /// Commands that make an authority, a hub that takes nobody without a certificate of it, and what the station
    /// `muc` needs, as the operators' guide does it.
    private static let hub = #"""
        set -e
        bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
        mkdir -p /tmp/hub /run/hub /etc/luggage/hub && cd /tmp/hub
        new="openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -batch"
        $new -x509 -days 30 -subj '/CN=Luggage hub authority' -keyout ca.key -out ca.crt
        for name in localhost muc; do
            $new -subj /CN=$name -keyout $name.key -out $name.csr
            printf 'subjectAltName=DNS:%s\n' $name >$name.ext
            openssl x509 -req -days 30 -in $name.csr -CA ca.crt -CAkey ca.key -extfile $name.ext -out $name.crt
        done
        cp ca.crt muc.crt muc.key /etc/luggage/hub
        chown luggage:luggage /etc/luggage/hub/*
        chmod 600 /etc/luggage/hub/muc.key
        chmod 600 *.key
        chown -R postgres . /run/hub && chmod 755 .
        as() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
        as $bin/initdb --pgdata=/tmp/hub/data --auth=trust --no-sync >/dev/null
        cat >>data/postgresql.conf <<'end'
        unix_socket_directories = '/tmp/hub, /run/hub'
        listen_addresses = '127.0.0.1, ::1'
        ssl = on
        ssl_ca_file = '/tmp/hub/ca.crt'
        ssl_cert_file = '/tmp/hub/localhost.crt'
        ssl_key_file = '/tmp/hub/localhost.key'
        end
        cat >data/pg_hba.conf <<'end'
        local all all trust
        hostssl luggage all 127.0.0.1/32 cert
        hostssl luggage all ::1/128 cert
        end
        systemd-run --quiet --unit=hub --uid=postgres $bin/postgres -D /tmp/hub/data
        until as $bin/pg_isready --quiet --host=/tmp/hub; do sleep 0.1; done
        as $bin/createdb --host=/tmp/hub luggage
        luggage sync set-up --admit muc --hub 'host=/tmp/hub user=postgres dbname=luggage'
        echo "hub: host=localhost dbname=luggage user=muc sslmode=verify-full sslrootcert=/etc/luggage/hub/ca.crt"\
         "sslcert=/etc/luggage/hub/muc.crt sslkey=/etc/luggage/hub/muc.key" >>/etc/luggage/luggage.yaml
        """#

    private static let unit = "luggage-sync"

    @Test(
        "sends what the scanner files over TLS, as the station of its certificate, and ends in order"
    )
    func exchange() async throws {
        try await Scanner.run { scanner in
            let (machine, unit) = (scanner.machine, Self.unit)
            try await machine.shell(Self.hub)
            try await scanner.start()
            try await scanner.luggage("sync join --station MUC")
            let before = try await machine.mark()
            try await scanner.start(unit)
            try await machine.await("everything is exchanged", of: unit, after: before)
            try await scanner.drop("tag-f432-dzmu", as: "a.png")
            try await machine.shell(
                """
                until [ "$(psql --host=/tmp/hub --username=postgres --dbname=luggage --tuples-only --no-align \
                    --command='select count(*) from luggage.fact')" = 1 ]; do sleep 0.1; done
                """
            )
            #expect(try await scanner.luggage("sync status").contains("nothing waits to be sent"))
            let told = try await machine.shell("luggage status --folder /srv/luggage")
            #expect(told.contains("hub: everything is exchanged, since"))
            let status = try await machine.shell(
                "systemctl show --property=StatusText --value \(unit)"
            )
            #expect(status == "Everything is exchanged with the hub")
            // All that it has of a network is what the relay listens at.
            let devices = try await machine.shell(
                "grep -c : /proc/$(systemctl show --property=MainPID --value \(unit))/net/dev"
            )
            #expect(devices == "1")
            try await machine.shell(
                "[ ! -e /proc/$(systemctl show --property=MainPID --value \(unit))/root/tmp/hub ]"
            )
            #expect(try await machine.shell("systemctl is-active luggage-sync-relay") == "active")
            // The group of those who may ask may know this too.
            try await machine.shell("useradd --groups luggage anna")
            let asked = try await machine.shell(
                "setpriv --reuid=anna --regid=anna --init-groups luggage sync status"
            )
            #expect(asked.contains("everything is exchanged, since"))

            try await machine.shell("systemctl stop \(unit)")
            #expect(
                try await machine.shell("systemctl show --property=Result --value \(unit)")
                    == "success"
            )
            let journal = try await machine.journal(of: unit)
            #expect(journal.contains("stopped"))
            for other in ["socket", "service"] {
                let state = try await machine.attempt("systemctl is-active \(unit)-relay.\(other)")
                #expect(state.line == "inactive")
            }
            #expect(!journal.contains("not permitted") && !journal.contains("denied"), "\(journal)")
            // The scanner has heard nothing of it.
            let scanners = try await machine.shell(
                "systemctl show --property=PrivateNetwork,DropInPaths luggage-scanner"
            )
            #expect(scanners.contains("PrivateNetwork=yes") && !scanners.contains("network.conf"))
        }
    }

    @Test("reaches the hub at the one of several hosts that answers, over IPv6, and at a socket")
    func hosts() async throws {
        try await Scanner.run { scanner in
            let (machine, unit) = (scanner.machine, Self.unit)
            try await machine.shell(Self.hub)
            try await scanner.start()
            try await scanner.luggage("sync join --station MUC")
            for hosts in [
                "host=nowhere.invalid,localhost hostaddr=,::1 port=1,5432", "host=/run/hub",
            ] {
                let settings = "/etc/luggage/luggage.yaml"
                try await machine.shell("sed -i 's|^hub: host=[^ ]*|hub: \(hosts)|' \(settings)")
                let before = try await machine.mark()
                try await machine.shell("systemctl restart \(unit)")
                try await machine.await("everything is exchanged", of: unit, after: before)
                try await machine.shell(
                    "sed -i 's|^hub: .* dbname|hub: host=x dbname|' \(settings)"
                )
            }
            let told = try await machine.journal(of: "luggage-sync-relay")
            #expect(told.contains("nowhere.invalid, port 1, cannot be reached"))
        }
    }

    @Test("goes on when it is killed, and waits for a hub that is down")
    func killed() async throws {
        try await Scanner.run { scanner in
            let (machine, unit) = (scanner.machine, Self.unit)
            try await machine.shell(Self.hub)
            try await scanner.start()
            try await scanner.luggage("sync join --station MUC")
            var before = try await machine.mark()
            try await scanner.start(unit)
            try await machine.await("everything is exchanged", of: unit, after: before)
            before = try await machine.mark()
            try await machine.shell("systemctl kill --signal=KILL \(unit)")
            try await machine.await("everything is exchanged", of: unit, after: before)
            before = try await machine.mark()
            try await machine.shell("systemctl kill --signal=INT hub")
            try await machine.await("the hub at localhost.*see that", of: unit, after: before)
            let status = try await machine.attempt(
                "setpriv --reuid=luggage --regid=luggage --init-groups luggage sync status"
            )
            #expect(status.status == 1 && status.output.contains("not exchanged since"))
            #expect(
                try await machine.shell("systemctl show --property=ActiveState --value \(unit)")
                    == "active"
            )
        }
    }

    @Test("says in its journal that no hub is named, and is not started again and again")
    func unconfigured() async throws {
        try await Scanner.run { scanner in
            let machine = scanner.machine
            let before = try await machine.mark()
            _ = try await machine.attempt("systemctl start \(Self.unit)")
            try await machine.await("no hub is named", of: Self.unit, after: before)
            try await machine.shell(
                "until systemctl is-failed --quiet \(Self.unit); do sleep 0.1; done"
            )
            let status = try await machine.shell(
                "systemctl show --property=ExecMainStatus --value \(Self.unit)"
            )
            #expect(status == "78")
        }
    }
}
