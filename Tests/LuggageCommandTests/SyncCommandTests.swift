import Foundation
import HubConnection
import TestFolders
import TestHubs
import Testing

@Suite("luggage sync", .timeLimit(.minutes(30)))
struct SyncCommandTests {
    private static let tag = Workplace.sample("tag-9c41-dzmu.png")

    @Test("sets a hub up, lets two stations join, and each sees what the other has filed")
    func twoStations() async throws {
        let place = try SyncPlace()
        let setUp = ["sync", "set-up", "--admit", place.muc, "--admit", place.lhr]
        var run = try await place.luggage(setUp, as: "postgres")
        let admitted =
            "\(place.muc) may log in as a station\n\(place.lhr) may log in as a station\n"
        #expect(run.output == "made the hub\n" + admitted, "\(run.errors)")
        run = try await place.luggage(setUp, as: "postgres")
        #expect(run.output == "the hub is there, and of this version\n" + admitted)
        try await place.join()
        for (login, record) in [
            (place.muc, "luggage.sqlite"), (place.lhr, "lhr.sqlite"), (place.muc, "luggage.sqlite"),
        ] {
            run = try await place.luggage(["sync", "run", "--once"], as: login, record: record)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.output == "everything is exchanged with the hub\n")
            if record != "lhr.sqlite" { continue }
            let list = try await place.luggage(["list"], as: login, record: record)
            #expect(list.output.contains("F432BDB8"))
            for arguments in [
                ["scan", "--at", "destination", "--station", "LHR", Self.tag],
                ["sync", "run", "--once"],
            ] {
                run = try await place.luggage(arguments, as: login, record: record)
                #expect(run.status == 0, "\(run.errors)")
            }
        }
        let list = try await place.luggage(["list"], as: place.muc)
        #expect(list.output.contains("F432BDB8") && list.output.contains("9C417E05"))
        let mine = try await place.luggage(["export"], as: place.muc)
        let theirs = try await place.luggage(["export"], as: place.lhr, record: "lhr.sqlite")
        #expect(mine.output == theirs.output)
        run = try await place.luggage(["sync", "verify"], as: place.muc)
        #expect(run.output == "the record and the hub have the same facts\n")
    }

    private static let bag = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    /// Arguments, the login, and how the command refuses them with a hub that is set up.
    static let refusals: [(arguments: [String], login: String, status: Int32, words: String)] = [
        (["set-up", "--hub", ""], "postgres", 64, "--hub names no hub"),
        (["set-up", "--hub", "nowhere"], "postgres", 78, "the address of the hub has no meaning"),
        (["set-up", "--hub", "a", "--hub", "b"], "postgres", 64, "--hub is given twice"),
        (["set-up"], "MUC", 69, "permission denied"),
        (
            ["set-up", "--admit", ""], "postgres", 64,
            "the login of a station has 1 to 63 bytes: \"\""
        ),
        (["admit"], "postgres", 64, "<login>"),
        (["admit", String(repeating: "é", count: 32)], "postgres", 64, "has 1 to 63 bytes"),
        (["admit", "x"], "MUC", 69, "permission denied"),
        (
            ["admit", "postgres"], "postgres", 69,
            "the role postgres is a superuser, so it cannot be"
        ),
        (["admit", "postgres"], "postgres", 69, "give the station a login of its own"),
        (["set-up", "--admit", "postgres"], "postgres", 69, "cannot be the login of a station"),
        (["expel"], "postgres", 64, "<login>"),
        (["expel", ""], "postgres", 64, "has 1 to 63 bytes"),
        (["expel", "nobody"], "postgres", 69, "nobody is the login of no station of this hub"),
        (["expel", "postgres"], "postgres", 69, "postgres is the login of no station of this hub"),
        (["expel", "x"], "MUC", 69, "permission denied"),
        (["take-back", "x"], "postgres", 64, "expected the identifier of a purge, found \"x\""),
        (
            ["take-back", bag], "postgres", 69,
            "the hub follows no purge with the identifier \(bag)"
        ),
        (["take-back", bag], "MUC", 69, "permission denied"),
        (["join", "--station", " "], "MUC", 64, "a station's name has 1 to 64 characters"),
        (["join", "--hub", "host=/nowhere"], "MUC", 69, "see that PostgreSQL runs there"),
        (["join"], "nobody", 69, "role \"nobody\" does not exist"),
        (["run", "--log-level", "loud"], "MUC", 64, "log-level"),
        (["run", "now"], "MUC", 64, "unexpected argument 'now'"),
        (["run", "--once"], "MUC", 66, "there is no record at"),
        (
            ["run", "--once"], "MUC", 66,
            "with `luggage sync join`, or name another file with --store"
        ),
        (["verify"], "MUC", 66, "there is no record at"),
        (["leave"], "MUC", 66, "there is no record at"),
        (["status"], "MUC", 66, "there is no record at"),
        (["status", "--format", "csv"], "MUC", 64, "'csv'"),
        (["synchronise"], "MUC", 64, "synchronise"),
    ]

    @Test("refuses what it cannot do, says what to do, and makes no record", arguments: refusals)
    func wrong(arguments: [String], login: String, status: Int32, words: String) async throws {
        let place = try await SyncPlace.make()
        let login = login == "MUC" ? place.muc : login
        let run = try await place.luggage(["sync"] + arguments, as: login)
        #expect(run.status == status)
        #expect(run.errors.contains(words), "\(run.errors)")
        if status != 0 { #expect(run.output == "") }
        #expect(!FileManager.default.fileExists(atPath: place.place.store))
    }

    @Test("does nothing without a hub, and says where one is named")
    func unnamed() async throws {
        let place = try Workplace()
        for arguments in [["set-up"], ["admit", "x"], ["join"]] {
            let run = try await place.luggage(["sync"] + arguments)
            #expect(run.status == 78)
            #expect(run.errors.contains("no hub is named: say it with --hub postgresql://"))
            #expect(run.errors.contains("$LUGGAGE_HUB, or as a line `hub: …` in "))
        }
        #expect(!FileManager.default.fileExists(atPath: place.store))
    }

    @Test("says that a database has no hub yet")
    func noHub() async throws {
        let place = try SyncPlace()
        let run = try await place.luggage(["sync", "join"], as: "postgres")
        #expect(run.status == 69)
        #expect(run.errors.contains("set the hub up with `luggage sync set-up`"), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: place.place.store))
    }

    @Test("exchanges nothing for a record that has not joined")
    func notJoined() async throws {
        let place = try await SyncPlace.make()
        _ = try await place.luggage(["scan", "--at", "origin", Self.tag], as: place.muc)
        for command in ["run", "verify", "leave"] {
            let run = try await place.luggage(
                ["sync", command] + (command == "run" ? ["--once"] : []),
                as: place.muc
            )
            #expect(run.status == 69 && run.output == "")
            #expect(
                run.errors
                    == "luggage: this record has not joined a hub; join one with `luggage sync join`\n"
            )
        }
        let status = try await place.luggage(["sync", "status"], as: place.muc)
        #expect(status.status == 1)
        #expect(
            status.output
                == "this record has joined no hub; join one with `luggage sync join`\n"
        )
        let json = try await place.luggage(["sync", "status", "--format", "json"], as: place.muc)
        #expect(json.status == 1 && json.output.contains("\"joined\" : false"), "\(json.output)")
    }

    @Test(
        "joins once, with a login of each record's own, until it leaves or takes the place of another"
    )
    func joinedTwice() async throws {
        let place = try await SyncPlace.make()
        try await place.join()
        let again = try await place.luggage(["sync", "join"], as: place.muc)
        #expect(again.status == 69)
        #expect(again.errors.contains("has already joined the hub"))
        #expect(again.errors.contains("leave it first with `luggage sync leave`"))
        let other = try await place.luggage(
            ["sync", "join"],
            as: place.muc,
            record: "other.sqlite"
        )
        #expect(other.status == 69)
        #expect(other.errors.contains("is that of station MUC already"))
        #expect(other.errors.contains("`luggage sync join --as-new`"), "\(other.errors)")
        let asOther = try await place.luggage(["sync", "run", "--once"], as: place.lhr)
        #expect(asOther.status == 69)
        #expect(asOther.errors.contains("use the address with which this record has joined"))

        let new = try await place.luggage(
            ["sync", "join", "--as-new"],
            as: place.muc,
            record: "other.sqlite"
        )
        #expect(new.status == 0, "\(new.errors)")
        let old = try await place.luggage(["sync", "run", "--once"], as: place.muc)
        #expect(old.status == 69)
        #expect(old.errors.contains("another record has taken the place of this one"))
        for status in [0, 69] as [Int32] {
            let run = try await place.luggage(
                ["sync", "leave"],
                as: place.muc,
                record: "other.sqlite"
            )
            #expect(run.status == status, "\(run.errors)")
        }
        let list = try await place.luggage(["list"], as: place.muc)
        #expect(list.output.contains("F432BDB8"))
    }

    @Test(
        "refuses in words a second program that would exchange the same facts; SIGTERM ends the first"
    )
    func busy() async throws {
        let place = try await SyncPlace.make()
        try await place.join()
        let arguments = ["run", "--hub", place.address(as: place.muc)]
        try await place.place.running("sync", arguments) { service in
            try await service.line(containing: "everything is exchanged with the hub")
            // What anybody may see of it tells no address.
            let words = try String(
                contentsOfFile: "/proc/\(service.identifier)/cmdline",
                encoding: .utf8
            )
            #expect(words == "luggage-sync\0")
            for arguments in [
                ["run"], ["run", "--once"], ["verify"], ["leave"], ["join", "--as-new"],
            ] {
                let run = try await place.luggage(["sync"] + arguments, as: place.muc)
                #expect(run.status == 69 && run.output == "")
                #expect(run.errors.contains("process \(service.identifier) on "), "\(run.errors)")
                #expect(run.errors.contains("exchanges facts of this record already; end it first"))
            }
            let status = try await place.luggage(["sync", "status"], as: place.muc)
            #expect(status.status == 0, "\(status.output)")
            #expect(status.output.hasPrefix("station MUC of the hub "))
            #expect(status.output.contains("\neverything is exchanged, since "))
            #expect(status.output.contains("\nnothing waits to be sent\n"))
            _ = try await place.luggage(["scan", "--at", "origin", Self.tag], as: place.muc)
            let count = "select count(*) from luggage.fact"
            while try place.server.query(count, database: place.database).first?[0] != "2" {}
            // The record knows a moment later that the hub has them.
            while try await !place.luggage(["sync", "status"], as: place.muc).output
                .contains("\nnothing waits to be sent\n")
            {}
        }
        let status = try await place.luggage(
            ["sync", "status", "--format", "json"],
            as: place.muc
        )
        #expect(status.status == 1)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(status.output.utf8)) as? [String: Any]
        )
        #expect(object["joined"] as? Bool == true)
        #expect(object["phase"] as? String == "ended")
        #expect(object["exchangedBy"] == nil)
        #expect(object["waiting"] as? Int == 0)
        #expect(object["station"] as? String == "MUC")
        #expect((object["hub"] as? String).flatMap(UUID.init) != nil)
    }

    @Test("expels a station, and lets it in again")
    func expelled() async throws {
        let place = try await SyncPlace.make()
        try await place.join()
        var run = try await place.luggage(["sync", "run", "--once"], as: place.muc)
        #expect(run.status == 0, "\(run.errors)")
        run = try await place.luggage(["sync", "expel", place.muc], as: "postgres")
        #expect(
            run.output == """
                \(place.muc) may no longer exchange facts
                station MUC has left; the facts that it has sent stay, but for those kept apart

                """,
            "\(run.errors)"
        )
        run = try await place.luggage(["sync", "run", "--once"], as: place.muc)
        #expect(run.status == 69 && run.errors.contains("does not allow that"), "\(run.errors)")
        run = try await place.luggage(["sync", "admit", place.muc], as: "postgres")
        #expect(run.output == "\(place.muc) may log in as a station\n")
        run = try await place.luggage(["sync", "run", "--once"], as: place.muc)
        #expect(run.errors.contains("run `luggage sync join --as-new`"), "\(run.errors)")
        for arguments in [["join", "--as-new"], ["run", "--once"]] {
            run = try await place.luggage(["sync"] + arguments, as: place.muc)
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test("takes back a purge")
    func takenBack() async throws {
        let place = try await SyncPlace.make()
        try place.server.query(
            "insert into luggage.forgetting values ($1, gen_random_uuid(), 'bag', now(), now())",
            [Self.bag],
            database: place.database
        )
        let run = try await place.luggage(["sync", "take-back", Self.bag], as: "postgres")
        #expect(run.output.hasPrefix("took back the purge \(Self.bag); "), "\(run.errors)")
    }

    @Test("waits for a hub that is down and says since when, in `luggage status` too")
    func down() async throws {
        let place = try await SyncPlace.make()
        try await place.join()
        _ = try await place.luggage(["sync", "run", "--once"], as: place.muc)
        try place.place.makeFolder("inbox")
        _ = try await place.luggage(["watch", "--once", place.place.path("inbox")], as: place.muc)
        _ = try await place.luggage(["scan", "--at", "origin", Self.tag], as: place.muc)
        let arguments = ["run", "--hub", "host=/nowhere user=muc password=geheim-42 dbname=x"]
        try await place.place.running("sync", arguments) { service in
            let line = try await service.line(containing: "the hub at the socket in /nowhere")
            #expect(line.contains("does not answer") && !line.contains("geheim"))
            let status = try await place.luggage(["sync", "status"], as: place.muc)
            #expect(status.status == 1)
            #expect(status.output.contains("\nnot exchanged since "))
            #expect(status.output.contains("\nlast exchanged everything at "))
            #expect(status.output.contains("\n1 fact waits to be sent\n"), "\(status.output)")
            let folder = try await place.luggage(
                ["status", "--folder", place.place.path("inbox")],
                as: place.muc
            )
            let told = folder.lines.filter { $0.hasPrefix("hub: ") }
            #expect(told.count == 1 && told[0].hasPrefix("hub: not exchanged since "))
            #expect(told.first?.hasSuffix("; 1 fact waits to be sent") == true, "\(told)")
            let json = try await place.luggage(
                ["status", "--folder", place.place.path("inbox"), "--format", "json"],
                as: place.muc
            )
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            )
            let hub = try #require(object["hub"] as? [String: Any])
            #expect(hub["phase"] as? String == "waiting" && hub["waiting"] as? Int == 1)
            #expect(hub["reason"] as? String == "hub-unreachable")
            let file = try String(contentsOfFile: place.place.store + "-hub", encoding: .utf8)
            #expect(!file.contains("geheim"))
            for output in [status, folder, json] { #expect(!output.output.contains("geheim")) }
        }
    }

    @Test(
        "never tells a password that is in an address",
        arguments: [
            "postgresql://muc:geheim-42@127.0.0.1:1/x", "postgresql://muc:geheim-42@127.0.0.1:y/x",
            "postgresql://muc:geheim-42@[::1/x", "host=/nowhere password=geheim-42",
            "host=/nowhere password=geheim-42 colour=red", "host=/nowhere password='geheim-42",
            "postgresql://muc:geheim-42@localhost/x?sslmode=sometimes",
            "postgresql://muc:geheim-42@localhost/x?sslcert=/none&sslkey=/none&sslpassword=geheim-42",
        ]
    )
    func password(address: String) async throws {
        let place = try Workplace()
        for arguments in [["set-up"], ["admit", "x"], ["join"]] {
            for variable in [true, false] {
                let run = try await place.luggage(
                    ["sync"] + arguments + (variable ? [] : ["--hub", address]),
                    environment: ["LUGGAGE_STORE": place.store].merging(
                        variable ? ["LUGGAGE_HUB": address] : [:]
                    ) { $1 }
                )
                #expect([69, 78].contains(run.status))
                #expect(
                    !run.errors.contains("geheim") && !run.output.contains("geheim"),
                    "\(run.errors)"
                )
            }
        }
        try place.add("luggage.yaml", Array("hub: [\(address)\ngrace: soon\n".utf8))
        let run = try await place.luggage("sync", "join", "--configuration", "luggage.yaml")
        #expect(run.status == 78)
        #expect(!run.errors.contains("geheim"), "\(run.errors)")
    }

    @Test("says that certificates are wrong, of either side")
    func certificates() async throws {
        let place = try await SyncPlace.make()
        let ours = try place.server.authority.certificate(for: place.muc)
        let old = try place.server.authority.certificate(for: place.muc, isExpired: true)
        let strangers = try TestAuthority()
        let strange = try strangers.certificate(for: place.muc)
        let other = try place.server.authority.certificate(for: place.lhr)
        for (certificate, settings, words) in [
            (old, [:], "do not trust each other"), (strange, [:], "do not trust each other"),
            (other, [:], "refuses this client"),
            (ours, ["sslrootcert": strangers.path], "do not trust each other"),
            (ours, ["host": "hub.example"], "do not trust each other"),
            (ours, ["sslcert": "/nowhere"], "certificate"),
        ] {
            let address = place.server.address(
                as: place.muc,
                with: certificate,
                database: place.database,
                settings: settings
            )
            let run = try await place.place.luggage("sync", "join", "--hub", address)
            #expect(run.status == 69)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        let address = place.server.address(as: place.muc, with: ours, database: place.database)
        let run = try await place.place.luggage("sync", "join", "--hub", address)
        #expect(run.status == 0, "\(run.errors)")
    }
}
