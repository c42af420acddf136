import Foundation
import GRDB
import Testing

@Suite("luggage watch and its record's files", .timeLimit(.minutes(30)))
struct WatchedRecordTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.makeFolder("inbox/origin")
    }

    private var inbox: String { place.path("inbox") }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: place.path(name))
    }

    private func bags() async throws -> [String] {
        try await place.luggage("list", "--format", "csv", "--columns", "bag").output
            .split(whereSeparator: \.isNewline).map(String.init).filter { $0.count == 36 }.sorted()
    }

    private func status() async throws -> Workplace.Run {
        try await place.luggage("status", "--folder", inbox)
    }

    /// What somebody does to the files while the service rests, and what is said of it.
    static let harms = [
        ("rm luggage.sqlite-wal", "luggage.sqlite-wal was removed"),
        ("mv luggage.sqlite-wal aside", "luggage.sqlite-wal was removed"),
        ("rm luggage.sqlite-shm", "luggage.sqlite-shm was removed"),
        ("rm luggage.sqlite", "luggage.sqlite is gone"),
        ("rm luggage.sqlite*", "luggage.sqlite is gone"),
        ("mv luggage.sqlite aside", "luggage.sqlite is gone"),
        (": > luggage.sqlite", "luggage.sqlite was cut"),
        ("cat backup > luggage.sqlite; truncate -s 4M luggage.sqlite", "luggage.sqlite was cut"),
    ]

    @Test(
        "says by itself that one was taken away, and files nothing meanwhile",
        arguments: harms
    )
    func harm(command: String, words: String) async throws {
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching ")
            try place.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png: new")
            #expect(try await place.luggage("backup", place.path("backup")).status == 0)
            // Nothing is dropped that would have it look.
            #expect(try await place.shell(command).status == 0)
            let line = try await service.line(containing: "filing has paused")
            #expect(line.contains(words), "\(line)")
            // If everything could be saved, it goes on by itself after a while.
            if words.contains("removed") { return }
            let status = try await status()
            #expect(status.status == 1)
            #expect(status.output.contains("filing has paused since"), "\(status.output)")
            #expect(status.output.contains(words), "\(status.output)")
            try place.drop("tag-9c41-dzmu.png")
            try await service.line(containing: "filing has paused")
            #expect(exists("inbox/origin/tag-9c41-dzmu.png"))
            #expect(!exists("inbox/processed/tag-9c41-dzmu.png"))
        }
    }

    @Test("loses nothing that was in a log that was removed, and goes on by itself")
    func removedLog() async throws {
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching ")
            try place.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png: new")
            #expect(try await place.shell("rm luggage.sqlite-wal").status == 0)
            try await service.line(containing: "nothing is lost")
            try place.drop("tag-9c41-dzmu.png")
            try await service.line(containing: "filing goes on")
            try await service.line(containing: "tag-9c41-dzmu.png: new")
            #expect(try await status().status == 0)
        }
        #expect(try await bags().map { $0.prefix(4) } == ["9C41", "F432"])
        #expect(try await place.luggage("check", "--folder", inbox).status == 0)
    }

    @Test("says that the log was cut, and files nothing on top of it, also after another start")
    func cutLog() async throws {
        // Held, so that what is filed stays in the log.
        _ = try await place.luggage("scan", "--at", "origin", Workplace.sample("two-tags.png"))
        let reader = try DatabaseQueue.leavingOpen(place.store)
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching ")
            try reader.inDatabase {
                try $0.execute(sql: "BEGIN")
                _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM Scan")
            }
            try place.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png: new")
            #expect(try await place.shell("truncate -s 100 luggage.sqlite-wal").status == 0)
            let line = try await service.line(containing: "filing has paused")
            #expect(line.contains("luggage.sqlite-wal was cut"), "\(line)")
            try place.drop("tag-9c41-dzmu.png")
        }
        try? reader.close()
        #expect(exists("inbox/origin/tag-9c41-dzmu.png"))
        let again = try await place.luggage("watch", "--once", inbox)
        #expect(again.status == 73, "\(again.errors)")
        #expect(again.errors.contains("lacks the last saves"), "\(again.errors)")
        #expect(again.errors.contains("--new-record"), "\(again.errors)")
        #expect(exists("inbox/origin/tag-9c41-dzmu.png"))
        let accepted = try await place.luggage("watch", "--once", "--new-record", inbox)
        #expect(accepted.status == 0, "\(accepted.errors)")
        #expect(exists("inbox/processed/tag-9c41-dzmu.png"))
        #expect(try await place.luggage("watch", "--once", inbox).status == 0)
    }

    @Test("goes on when the file is back, or a copy is restored", arguments: [false, true])
    func back(isRestored: Bool) async throws {
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching ")
            try place.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png: new")
            #expect(try await place.luggage("backup", place.path("copy")).status == 0)
            #expect(try await place.shell("mv luggage.sqlite aside").status == 0)
            try await service.line(containing: "luggage.sqlite is gone")
            try place.drop("tag-9c41-dzmu.png")
            try await service.line(containing: "filing has paused")
            if isRestored {
                let run = try await place.luggage("restore", place.path("copy"))
                #expect(run.status == 0, "\(run.errors)")
            } else {
                #expect(try await place.shell("mv aside luggage.sqlite").status == 0)
            }
            try await service.line(containing: "filing goes on")
            try await service.line(containing: "tag-9c41-dzmu.png: new")
        }
        #expect(try await bags().map { $0.prefix(4) } == ["9C41", "F432"])
        #expect(try await place.luggage("check").status == 0)
    }

    @Test("makes no new record where one was, unless it is told to", arguments: [false, true])
    func missingAtStart(isWiped: Bool) async throws {
        try place.drop("tag-f432-dzmu.png")
        #expect(try await place.luggage("watch", "--once", inbox).status == 0)
        // Without anything left beside it, the pictures that were filed tell of it.
        let removal =
            isWiped
            ? "rm luggage.sqlite*"
            : "rm luggage.sqlite; rm inbox/processed/*; printf saves > luggage.sqlite-wal"
        #expect(try await place.shell(removal).status == 0)
        try place.drop("tag-9c41-dzmu.png")
        let run = try await place.luggage("watch", "--once", inbox)
        #expect(run.status == 73, "\(run.errors)")
        #expect(
            run.errors.contains(
                isWiped
                    ? "pictures were filed here, but there is no record at \(place.store)"
                    : "the record that was at \(place.store) is gone"
            ),
            "\(run.errors)"
        )
        #expect(run.errors.contains("luggage restore"), "\(run.errors)")
        #expect(!exists("luggage.sqlite"))
        if !isWiped {
            let scan = try await place.luggage(
                "scan",
                "--at",
                "origin",
                Workplace.sample("two-tags.png")
            )
            #expect(scan.status == 73 && !exists("luggage.sqlite"), "\(scan.errors)")
        }
        #expect(exists("inbox/origin/tag-9c41-dzmu.png"))
        let new = try await place.luggage("watch", "--once", "--new-record", inbox)
        #expect(new.status == 0, "\(new.errors)")
        #expect(try await bags().map { $0.prefix(4) } == ["9C41"])
        #expect(try await place.luggage("watch", "--once", inbox).status == 0)
        if !isWiped {
            // A log without its file may have saves.
            #expect(new.errors.contains("it is kept as "), "\(new.errors)")
            #expect(try await place.shell("cat luggage.sqlite-wal-*").output == "saves")
        }
    }

    @Test("leaves the whole record in its file when it stops, and when it rests")
    func checkpoint() async throws {
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching ")
            for sample in ["tag-f432-dzmu.png", "two-tags.png"] {
                try place.drop(sample)
                try await service.line(containing: "\(sample): new")
                // At rest: the log is empty.
                while try size("luggage.sqlite-wal") != 0 { await Task.yield() }
                #expect(try await place.shell("cp luggage.sqlite \(sample).sqlite").status == 0)
            }
            try place.drop("tag-9c41-dzmu.png")
            try await service.line(containing: "tag-9c41-dzmu.png: new")
        }
        #expect(!exists("luggage.sqlite-wal") && !exists("luggage.sqlite-shm"))
        #expect(try await place.shell("cp luggage.sqlite stopped.sqlite").status == 0)
        for (copy, count) in [
            ("tag-f432-dzmu.png.sqlite", "1 bag\n"), ("two-tags.png.sqlite", "3 bags\n"),
            ("stopped.sqlite", "4 bags\n"),
        ] {
            let list = try await place.luggage("list", "--store", place.path(copy))
            #expect(list.output.hasSuffix(count), "\(list.output)\(list.errors)")
        }
    }

    private func size(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: place.path(name))[.size] as? Int
    }

    @Test(
        "other commands leave it so too",
        arguments: [
            ("scan --at origin TWO", 0), ("scan --at origin TWO nowhere.png", 66), ("list", 0),
            ("export", 0), ("check", 0), ("edit 9c41 --weight 3lb --by anna --reason again", 0),
            ("undo", 0), ("scan --dry-run --at origin TWO", 0), ("show 9c41", 0),
            ("show f432", 1),
        ] as [(String, Int32)]
    )
    func commands(line: String, status: Int32) async throws {
        let two = Workplace.sample("two-tags.png")
        _ = try await place.luggage("scan", "--at", "origin", Workplace.sample("tag-9c41-dzmu.png"))
        let edit = ["edit", "9c41", "--weight", "4lb", "--reason", "first"]
        #expect(try await place.luggage(edit).status == 0)
        let run = try await place.shell(
            "'\(Workplace.executable)' \(line.replacing("TWO", with: "'\(two)'"))"
        )
        #expect(run.status == status, "\(run.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: place.path(""))
        #expect(files.filter { $0.hasPrefix("luggage.sqlite") } == ["luggage.sqlite"])
    }

    @Test("says who keeps the record locked, and stops all the same")
    func foreignLock() async throws {
        var queue: DatabaseQueue?
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching ")
            try place.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png: new")
            let other = try DatabaseQueue.leavingOpen(place.store)
            queue = other
            try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
            try place.drop("tag-9c41-dzmu.png")
            let line = try await service.line(containing: "filing has paused")
            #expect(line.contains("keeps \(place.store) locked"), "\(line)")
            #expect(try await status().output.contains("locked"))
            try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
            try await service.line(containing: "filing goes on")
            try await service.line(containing: "tag-9c41-dzmu.png: new")
            try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
            try place.drop("two-tags.png")
            try await service.line(containing: "filing has paused")
        }
        #expect(exists("inbox/origin/two-tags.png"))
        try queue?.close()
    }

    @Test("a command says on a terminal what it waits for", .timeLimit(.minutes(30)))
    func waitingCommand() async throws {
        _ = try await place.luggage("scan", "--at", "origin", Workplace.sample("tag-9c41-dzmu.png"))
        let queue = try DatabaseQueue.leavingOpen(place.store)
        try queue.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let edit = "edit 9c41 --weight 3lb --by anna --reason again"
        let command = "\(Workplace.executable) \(edit) > /dev/null"
        async let run = place.shell("script -qefc '\(command)' said < /dev/null > /dev/null")
        while (try? String(contentsOfFile: place.path("said"), encoding: .utf8))?
            .contains("keeps \(place.store) locked") != true
        {
            try await Task.sleep(for: .milliseconds(50))
        }
        try queue.inDatabase { try $0.execute(sql: "ROLLBACK") }
        #expect(try await run.status == 0)
        try queue.close()
    }

    @Test(
        "refuses a file of its own where people drop pictures, whichever is made first",
        arguments: [
            ("--store new/origin/luggage.sqlite new", "new"),
            ("--store new/processed/luggage.sqlite new", "new"),
            ("--store new/../new/./destination/luggage.sqlite new", "new"),
            ("--store new/luggage.sqlite --at origin new", "new"),
            ("--metrics new/origin/luggage.prom new", "new"),
            ("--store link/origin/luggage.sqlite real", "real/origin"),
            ("--store real/../real/origin/luggage.sqlite link", "real/origin"),
        ]
    )
    func ownFiles(arguments: String, made: String) async throws {
        _ = try await place.shell("mkdir real && ln -s real link")
        let run = try await place.shell("'\(Workplace.executable)' watch --once \(arguments)")
        #expect(run.status == 78, "\(run.errors)")
        #expect(run.errors.contains("name a place elsewhere"), "\(run.errors)")
        #expect(!exists(made))
    }

    @Test("keeps what it knows of each record by itself where a link is turned to another one")
    func turnedLink() async throws {
        let store = place.path("link/record")
        #expect(try await place.shell("mkdir one two && ln -s one link").status == 0)
        try await place.watching(["--store", store, inbox]) { service in
            try await service.line(containing: "watching ")
            try place.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png: new")
            let other = """
                for n in 1 2 3; do
                    '\(Workplace.executable)' scan --at origin --station s$n --store two/record \
                        '\(Workplace.sample("tag-9c41-dzmu.png"))'
                done && ln -sfn two link
                """
            #expect(try await place.shell(other).status == 0)
            try place.drop("tag-9c41-dzmu.png")
            try await service.line(containing: "tag-9c41-dzmu.png: ")
        }
        for store in ["one/record", "two/record"] {
            #expect(exists(store + "-known"))
            let run = try await place.luggage("scan", "--at", "destination", "--store", store, tag)
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test("has its record alone where somebody else knows it by another name")
    func otherName() async throws {
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching ")
            try place.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png: new")
            #expect(try await place.shell("mkdir other && ln luggage.sqlite other/r").status == 0)
            for command in ["scan --at origin '\(tag)'", "list", "backup copy"] {
                let run = try await place.shell(
                    "'\(Workplace.executable)' \(command) --store other/r"
                )
                #expect(run.status == 74, "\(run.errors)")
                #expect(run.errors.contains("use one name of the file"), "\(run.errors)")
            }
            #expect(!exists("copy") && !exists("other/r-wal"))
        }
        #expect(try await bags().count == 1)
    }

    private var tag: String { Workplace.sample("tag-f432-dzmu.png") }

    @Test("notices that its record has come to lie where people drop pictures")
    func recordInDropFolder() async throws {
        _ = try await place.shell("mkdir state")
        try await place.watching(["--store", place.path("state/luggage.sqlite"), inbox]) {
            service in
            try await service.line(containing: "watching ")
            let change = "rm -r inbox/origin && ln -s ../state inbox/origin"
            #expect(try await place.shell(change).status == 0)
            let line = try await service.line(containing: "filing has paused")
            #expect(line.contains("where people drop pictures"), "\(line)")
            try await service.line(containing: "filing has paused")
        }
        #expect(exists("state/luggage.sqlite"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(inbox)/failed") == [])
    }
}

extension DatabaseQueue {
    /// A connection of which a transaction may stay open between two calls.
    static func leavingOpen(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        // The service may have it just then.
        configuration.busyMode = .timeout(60)
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
