import Foundation
import GRDB
import Testing

/// Who runs these tests may become somebody else, and mount folders.
private let isRoot = geteuid() == 0

@Suite(
    "Who may only read the record",
    .enabled(if: isRoot, "these tests become another user; run them as root"),
    .timeLimit(.minutes(30))
)
struct ReadOnlyRecordTests {
    private let place: Workplace

    /// How the record lies there.
    enum Case: String, CaseIterable, CustomTestStringConvertible {
        case closed = "as a stopped service leaves it"
        case backup = "as a backup"
        case open = "while somebody has it open"
        case killed = "as somebody who was killed leaves it"
        case pair = "as a copy with the log beside it"
        case alone = "as a copy of the file alone"

        var testDescription: String { rawValue }
    }

    init() throws {
        place = try Workplace()
        try place.makeFolder("record")
    }

    private var record: String { place.path("record/luggage.sqlite") }

    private func filed(_ sample: String, at point: String = "origin") async throws {
        let run = try await place.luggage(
            ["scan", "--store", record, "--at", point, Workplace.sample(sample)]
        )
        #expect(run.status == 0, "\(run.errors)")
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.path("record")).sorted()
    }

    /// Lays the record out with two bags, and gives the connection that has it open, if any.
    private func lay(_ layout: Case) async throws -> DatabaseQueue? {
        try await filed("tag-f432-dzmu.png")
        let queue = try DatabaseQueue.leavingOpen(record)
        // Held, so that what is filed now stays in the log.
        _ = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Scan") }
        try await filed("tag-9c41-dzmu.png")
        let copy = place.path("copy")
        let script: String
        switch layout {
        case .open: return queue
        case .killed: script = "cp record/luggage.sqlite* copy"
        case .pair: script = "cp record/luggage.sqlite record/luggage.sqlite-wal copy"
        case .backup:
            script = "'\(Workplace.executable)' backup --store \(record) copy/luggage.sqlite"
        case .closed, .alone:
            try queue.close()
            try await filed("tag-9c41-dzmu.png", at: "destination")
            script =
                layout == .closed
                ? "cp record/luggage.sqlite* copy" : "cp record/luggage.sqlite copy"
        }
        let run = try await place.shell("mkdir copy && \(script)")
        #expect(run.status == 0, "\(run.errors)")
        try queue.close()
        _ = try await place.shell("rm -r record && mv copy record")
        #expect(FileManager.default.fileExists(atPath: copy) == false)
        return nil
    }

    private static let questions = [
        "list --format jsonl", "show 9c41", "history", "summary", "passengers", "export",
        "check", "backup OUT/copy.sqlite", "list --missing --format csv",
    ]

    /// Runs each of the questions after some words, which make somebody else of who asks.
    private func ask(_ words: String, after preparation: String = "true") async throws {
        let before = try files()
        try place.makeFolder("out")
        _ = try await place.shell("chmod 777 out")
        for question in Self.questions {
            let question = question.replacing("OUT", with: place.path("out"))
            let script =
                "\(preparation); export LUGGAGE_STORE='\(record)'; "
                + "\(words) '\(Workplace.executable)' \(question)"
            let run = try await place.run(
                "/usr/bin/unshare",
                ["--mount", "sh", "-c", script],
                ["PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": "/nonexistent"]
                    .merging(place.noSettings) { $1 }
            )
            #expect(run.status == 0, "\(question): \(run.errors)\(run.output)")
            if question.hasPrefix("list --format jsonl") {
                #expect(run.output.contains("F432BDB8") && run.output.contains("9C417E05"))
            }
            if question == "check" { #expect(run.output == "the record is well\n") }
        }
        let copy = try await place.luggage("list", "--store", place.path("out/copy.sqlite"))
        #expect(copy.output.contains("2 bags"), "\(copy.errors)")
        // Nothing was made beside it.
        #expect(try files() == before)
    }

    private static let nobody =
        "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all"

    @Test("as another user has right answers", arguments: Case.allCases)
    func otherUser(layout: Case) async throws {
        let queue = try await lay(layout)
        try await ask(Self.nobody)
        try queue?.close()
    }

    @Test(
        "as another user who may write to the folder makes nothing there",
        arguments: Case.allCases
    )
    func openFolder(layout: Case) async throws {
        let queue = try await lay(layout)
        _ = try await place.shell("chmod 1777 record")
        try await ask(Self.nobody)
        try queue?.close()
    }

    @Test("as it is mounted so has right answers", arguments: Case.allCases)
    func readOnlyMount(layout: Case) async throws {
        let queue = try await lay(layout)
        let folder = place.path("record")
        try await ask(
            "",
            after: "mount --bind '\(folder)' '\(folder)' && mount -o remount,ro,bind '\(folder)'"
        )
        try queue?.close()
    }

    @Test(
        "who may write leaves nothing beside it either",
        arguments: [Case.closed, .alone, .backup]
    )
    func owner(layout: Case) async throws {
        let queue = try await lay(layout)
        try await ask("")
        try queue?.close()
    }

    @Test("keeps nobody out who may write, with what somebody has left who was killed")
    func afterKill() async throws {
        _ = try await lay(.killed)
        let run = try await place.shell(
            """
            mkfifo told; \(Self.nobody) '\(Workplace.executable)' list --follow --store \(record) > told &
            guest=$!; exec 3<told; read line <&3
            '\(Workplace.executable)' scan --at destination --store \(record) \
                '\(Workplace.sample("tag-f432-dzmu.png"))'
            echo $?; kill $guest
            """
        )
        #expect(run.output.contains("1 updated") && run.output.hasSuffix("\n0\n"), "\(run)")
    }

    @Test("has right answers at every moment while somebody files")
    func busy() async throws {
        _ = try await lay(.alone)
        try await place.watching(["--store", record, place.path("inbox")]) { service in
            try await service.line(containing: "watching ")
            var seen = 2
            for (number, sample) in ["two-tags.png", "tag-77d0-accents.png"].enumerated() {
                try FileManager.default.copyItem(
                    atPath: Workplace.sample(sample),
                    toPath: place.path("inbox/origin/\(sample)")
                )
                try await service.line(containing: "\(sample): new")
                let run = try await place.shell(
                    "\(Self.nobody) '\(Workplace.executable)' list --store \(record)"
                )
                seen += number == 0 ? 2 : 1
                #expect(run.status == 0, "\(run.errors)")
                // The second tag of a picture may be told a moment later.
                #expect(run.output.contains("\(seen) bags"), "\(run.output)")
            }
        }
    }

    @Test(
        "and who may not read it is told who may",
        arguments: ["chmod 600 record/luggage.sqlite", "chmod 700 record"]
    )
    func unreadable(change: String) async throws {
        _ = try await lay(.closed)
        _ = try await place.shell(change)
        let run = try await place.shell(
            "\(Self.nobody) '\(Workplace.executable)' list --store \(record)"
        )
        #expect(run.status == 73, "\(run.errors)")
        #expect(run.errors.contains("luggage.sqlite"), "\(run.errors)")
        #expect(run.errors.contains("belongs to root"), "\(run.errors)")
        #expect(run.errors.contains("sudo -u root"), "\(run.errors)")
    }

    @Test("and who may not look into the watched folder is told who may")
    func unreadableFolder() async throws {
        let watched = place.path("inbox")
        #expect(try await place.luggage("watch", "--once", watched).status == 0)
        // That of the group `adm`, which every Debian has.
        for (folder, group, commands) in [
            ("inbox", "adm", ["status", "retry", "check"]), ("inbox/origin", "adm", ["status"]),
            ("inbox/failed", nil, ["status", "retry"]),
        ] as [(String, String?, [String])] {
            _ = try await place.shell(
                group.map { "chgrp \($0) \(folder) && chmod 750 \(folder)" }
                    ?? "chmod 700 \(folder)"
            )
            for command in commands {
                let line = "\(command) --folder '\(watched)'"
                let run = try await place.shell(
                    "\(Self.nobody) '\(Workplace.executable)' \(line)"
                )
                #expect(run.status == 66, "\(line): \(run.errors)")
                let path = folder == "inbox" ? "\(watched)/" : "\(place.path(folder)), which"
                #expect(run.errors.contains("you may not look into \(path)"), "\(run.errors)")
                #expect(run.errors.contains("belongs to root"), "\(run.errors)")
                #expect(!run.errors.contains("started there once"), "\(run.errors)")
                #expect(
                    run.errors.contains("`sudo usermod -aG adm NAME`") == (group != nil),
                    "\(run.errors)"
                )
            }
            _ = try await place.shell("chmod 755 \(folder)")
        }
    }

    @Test("as it is mounted so is told that, where a command would change it")
    func changingReadOnlyMount() async throws {
        try await filed("tag-f432-dzmu.png")
        let folder = place.path("record")
        let mount = "mount --bind '\(folder)' '\(folder)' && mount -o remount,ro,bind '\(folder)'"
        let tag = Workplace.sample("tag-9c41-dzmu.png")
        for (name, command) in [
            ("luggage.sqlite", "scan --at origin '\(tag)'"), ("luggage.sqlite", "undo"),
            ("luggage.sqlite", "edit F432 --weight 3lb --reason x"),
            ("luggage.sqlite", "file F432 --at origin --reason x"),
            ("luggage.sqlite", "purge --names --older-than 1d --yes"),
            ("new.sqlite", "scan --at origin '\(tag)'"),
        ] {
            let script =
                "\(mount); LUGGAGE_STORE='\(folder)/\(name)' '\(Workplace.executable)' \(command)"
            let run = try await place.run(
                "/usr/bin/unshare",
                ["--mount", "sh", "-c", script],
                ["PATH": "/usr/bin:/bin", "TZ": "UTC", "HOME": "/nonexistent"]
                    .merging(place.noSettings) { $1 }
            )
            #expect(run.status == 73, "\(command): \(run.errors)")
            #expect(
                run.errors.hasPrefix(
                    "luggage: the record \(folder)/\(name) is on a file system that is mounted "
                        + "read-only"
                ),
                "\(command): \(run.errors)"
            )
        }
        #expect(try files() == ["luggage.sqlite"])
    }

    @Test("no answer makes a record, or its folder")
    func nothingMade() async throws {
        for question in Self.questions + ["scan --dry-run --at origin x.png"] {
            let run = try await place.shell(
                "export LUGGAGE_STORE='\(place.path("none/luggage.sqlite"))'; "
                    + "'\(Workplace.executable)' \(question.replacing("OUT", with: "."))"
            )
            #expect(run.status == 66, "\(question): \(run.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: place.path("none")))
        #expect(try files() == [])
    }

    @Test("one that was left in the middle of a transaction is not answered from, but told of")
    func hotJournal() async throws {
        _ = try await lay(.backup)
        // Copied from a transaction that has begun to write.
        let queue = try DatabaseQueue.leavingOpen(record)
        try queue.inDatabase { db in
            try db.execute(sql: "PRAGMA cache_size = 2; BEGIN; CREATE TABLE junk (a)")
            for _ in 0..<200 { try db.execute(sql: "INSERT INTO junk VALUES (zeroblob(3000))") }
        }
        _ = try await place.shell("mkdir copy && cp record/luggage.sqlite* copy")
        try queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
        try queue.close()
        _ = try await place.shell("rm -r record && mv copy record")
        try #require(unsafe chmod(record, 0o644) == 0)
        #expect(try files().contains("luggage.sqlite-journal"))
        let question = "'\(Workplace.executable)' list --store \(record)"
        let refused = try await place.shell("\(Self.nobody) \(question)")
        #expect(refused.status == 73, "\(refused.output)")
        #expect(refused.errors.contains("in the middle of a transaction"), "\(refused.errors)")
        // Who may, puts it in order.
        #expect(try await place.shell(question).output.contains("2 bags"))
        #expect(try await place.shell("\(Self.nobody) \(question)").output.contains("2 bags"))
    }
}
