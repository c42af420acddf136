import Foundation
import GRDB
import Testing

@Suite("A record that lost something while nobody looked", .timeLimit(.minutes(30)))
struct LostSavesTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private func run(_ line: String) async throws -> Workplace.Run {
        let two = Workplace.sample("two-tags.png")
        return try await place.shell(
            "'\(Workplace.executable)' \(line.replacing("TWO", with: "'\(two)'"))"
        )
    }

    /// Files a tag and copies the record, then files another one and is killed, so that this is in the log
    /// alone.
    private func leaveLog() async throws {
        try place.drop("tag-f432-dzmu.png")
        #expect(try await place.luggage("watch", "--once", "inbox").status == 0)
        #expect(try await place.luggage("backup", place.path("copy")).status == 0)
        let start =
            "'\(Workplace.executable)' watch inbox > /dev/null 2> said < /dev/null & echo $!"
        let service = try #require(pid_t(try await place.shell(start).output.dropLast()))
        let isUp = "until grep -q 'watching inbox' said; do kill -0 \(service) || exit 1; done"
        #expect(try await place.shell(isUp).status == 0)
        // While somebody reads, no log is emptied; and who only may read empties none at the end.
        var configuration = Configuration()
        configuration.readonly = true
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: place.store, configuration: configuration)
        try reader.inDatabase {
            try $0.execute(sql: "BEGIN")
            _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM Scan")
        }
        try place.drop("tag-9c41-dzmu.png")
        let end = """
            until [ -e inbox/processed/tag-9c41-dzmu.png ]; do kill -0 \(service) || exit 1; done
            kill -9 \(service)
            while kill -0 \(service) 2> /dev/null; do :; done
            """
        #expect(try await place.shell(end).status == 0)
        try reader.close()
        #expect(try await place.shell("test -s luggage.sqlite-wal").status == 0)
    }

    @Test("takes nothing from the log of the one that was there before")
    func strayLog() async throws {
        try await leaveLog()
        let log = try Data(contentsOf: URL(filePath: place.path("luggage.sqlite-wal")))
        #expect(
            try await place.shell("mv luggage.sqlite before; mv copy luggage.sqlite").status == 0
        )
        for line in [
            "watch --once inbox", "watch --once --new-record inbox", "list", "scan TWO --at origin",
        ] {
            let run = try await run(line)
            #expect(run.status == 73, "\(line): \(run.errors)")
            #expect(
                run.errors.contains("-wal belongs to the file before"),
                "\(line): \(run.errors)"
            )
        }
        #expect(try Data(contentsOf: URL(filePath: place.path("luggage.sqlite-wal"))) == log)
        // Put back, it has all that was saved.
        #expect(
            try await place.shell("mv luggage.sqlite copy; mv before luggage.sqlite").status == 0
        )
        #expect(try await run("list").output.hasSuffix("2 bags\n"))
        #expect(try await run("watch --once inbox").status == 0)
    }

    @Test("is said to be so by every command, and saved to by none, until somebody accepts it")
    func lost() async throws {
        try await leaveLog()
        #expect(try await run("export --store copy --output bags.jsonl").status == 0)
        #expect(try await place.shell("rm luggage.sqlite-wal luggage.sqlite-shm").status == 0)
        for line in [
            "scan TWO --at origin", "edit f432 --weight 3lb --by anna --reason again",
            "undo --by anna", "import bags.jsonl", "purge --bags --older-than 3d --yes",
            "file f432 --at origin --by anna --reason again", "watch --once inbox",
            "backup --force copy",
        ] {
            let run = try await run(line)
            #expect(run.status == 73, "\(line): \(run.errors)")
            #expect(run.errors.contains("lacks the last saves"), "\(line): \(run.errors)")
        }
        let list = try await run("list")
        #expect(list.status == 0 && list.output.hasSuffix("1 bag\n"), "\(list.errors)")
        #expect(list.errors.contains("lacks the last saves"), "\(list.errors)")
        let copy = try await run("backup other")
        #expect(copy.status == 0 && copy.errors.contains("lacks the last saves"))
        let mark = try Data(contentsOf: URL(filePath: place.path("luggage.sqlite-known")))
        #expect(try await run("restore bags.jsonl").status == 73)
        #expect(try Data(contentsOf: URL(filePath: place.path("luggage.sqlite-known"))) == mark)
        let check = try await run("check --format json")
        #expect(check.status == 1 && check.output.contains("\"saves-lost\""), "\(check.output)")
        #expect(try await run("watch --once --new-record inbox").status == 0)
        #expect(try await run("check").status == 0)
        #expect(try await run("scan TWO --at origin").status == 0)
    }

    @Test("is made anew by no command where it was emptied or is gone, and its log stays")
    func emptied() async throws {
        try await leaveLog()
        let log = try Data(contentsOf: URL(filePath: place.path("luggage.sqlite-wal")))
        for harm in [": > luggage.sqlite", "rm luggage.sqlite"] {
            #expect(try await place.shell(harm).status == 0)
            for line in [
                "list", "check", "export", "history", "undo --by anna", "scan TWO --at origin",
                "edit f432 --weight 3lb --by anna --reason again", "watch --once inbox",
                "backup new", "scan TWO --at origin --dry-run",
                "purge --bags --older-than 3d --yes",
            ] {
                let run = try await run(line)
                #expect([66, 73].contains(run.status), "\(line): \(run.status) \(run.errors)")
                #expect(run.errors.contains("is gone"), "\(line): \(run.errors)")
            }
            let size = try? FileManager.default.attributesOfItem(atPath: place.store)[.size] as? Int
            #expect((size ?? 0) == 0, "\(harm)")
            #expect(try Data(contentsOf: URL(filePath: place.path("luggage.sqlite-wal"))) == log)
        }
    }

    @Test(
        "takes no file beside it of somebody who may not write to it",
        .enabled(if: geteuid() == 0)
    )
    func forged() async throws {
        #expect(try await run("scan TWO --at origin").status == 0)
        for suffix in ["-journal", "-wal", "-shm"] {
            let forge = "echo forged > luggage.sqlite\(suffix); chown 65533 luggage.sqlite\(suffix)"
            #expect(try await place.shell(forge).status == 0)
            for line in ["list", "scan TWO --at origin"] {
                let run = try await run(line)
                #expect(run.status == 73, "\(line): \(run.errors)")
                #expect(
                    run.errors.contains("luggage.sqlite\(suffix) belongs to the user 65533"),
                    "\(line): \(run.errors)"
                )
            }
            #expect(try await place.shell("rm luggage.sqlite\(suffix)").status == 0)
        }
        #expect(try await run("list").output.hasSuffix("2 bags\n"))
    }

    @Test("is made nowhere where pictures are dropped or filed, and left alone where it is")
    func amongPictures() async throws {
        #expect(try await run("watch --once inbox").status == 0)
        #expect(try await run("watch --once --at origin desk").status == 0)
        for folder in ["inbox/origin", "inbox/destination", "inbox/processed", "desk"] {
            let run = try await run("scan TWO --at origin --store \(folder)/day.sqlite")
            #expect(run.status == 73, "\(folder): \(run.errors)")
            #expect(run.errors.contains("is for pictures"), "\(folder): \(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: place.path("\(folder)/day.sqlite")))
        }
        // One that was moved there, with its log.
        try await leaveLog()
        let move = "cp luggage.sqlite desk/day.sqlite && cp luggage.sqlite-wal desk/day.sqlite-wal"
        #expect(try await place.shell(move).status == 0)
        let watch = try await run(
            "watch --once --at origin desk --store other.sqlite --log-level info"
        )
        #expect(watch.errors.contains("is a database or a part of one"), "\(watch.errors)")
        for name in ["day.sqlite", "day.sqlite-wal"] {
            #expect(FileManager.default.fileExists(atPath: place.path("desk/\(name)")))
        }
    }
}
