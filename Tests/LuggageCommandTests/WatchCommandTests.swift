import Foundation
import GRDB
import Testing

@Suite("luggage watch, status and retry", .timeLimit(.minutes(30)))
struct WatchCommandTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    private var inbox: String { workplace.path("inbox") }

    @Test(
        "goes on at an interrupt that it was told to ignore, and ends by SIGTERM in any case",
        .disabled(if: getuid() != 0, "its shell has mounts of its own, which only root can have")
    )
    func ignoredSignals() async throws {
        try await workplace.watching(inbox, after: "trap '' INT TERM") { service in
            try await service.line(containing: "watching ")
            kill(service.identifier, SIGINT)
            try workplace.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png: new")
        }
    }

    @Test("with --once files what is there, and says by its status whether all of it")
    func once() async throws {
        try workplace.drop("tag-f432-dzmu.png")
        let first = try await workplace.luggage("watch", "--once", inbox)
        #expect(first.status == 0)
        #expect(first.errors.contains("tag-f432-dzmu.png: new: F432BDB8 of D/ZMU"))
        try workplace.drop("torn-off.png")
        try workplace.drop("cut-off.png")
        let second = try await workplace.luggage("watch", "--once", inbox)
        #expect(second.status == 1)
        #expect(second.errors.contains("cut-off.png is not complete yet"))
        let status = try await workplace.luggage("status", "--folder", inbox)
        #expect(status.status == 1)
        #expect(status.output.contains("nobody watches it"))
        #expect(
            status.output.contains(
                "waiting: 0 at destination, 1 at origin; processed: 1; duplicates: 0; failed: 1"
            )
        )
        #expect(status.output.contains("torn-off.png  no-code"))
        let retry = try await workplace.luggage("retry", "--folder", inbox, "--reason", "no-code")
        #expect(retry.output == "torn-off.png will be tried again\n")
        let none = try await workplace.luggage("retry", "--folder", inbox)
        #expect(none.status == 1)
        let bags = try await workplace.luggage("list", "--format", "json")
        #expect(try bags.array().count == 1)
    }

    @Test("status has its columns under one another, however long the names are")
    func columns() async throws {
        let name = "a-name-that-is-longer-than-those-that-cameras-give.png"
        let filling = "for name in \(name) 写真.png; do echo none >inbox/origin/$name; done"
        _ = try await workplace.shell("mkdir -p inbox/origin; \(filling)")
        #expect(try await workplace.luggage("watch", "--once", inbox).status == 1)
        let status = try await workplace.luggage("status", "--folder", inbox)
        let start = name.count + 2
        #expect(
            status.lines.dropFirst(3).dropLast().map(\.description) == [
                "FAILED".padding(toLength: start, withPad: " ", startingAt: 0)
                    + "REASON        WHAT IS WRONG",
                "\(name)  not-an-image  the file is neither a PNG nor a JPEG",
                // Each of the two letters takes two columns.
                "写真.png".padding(toLength: start - 2, withPad: " ", startingAt: 0)
                    + "not-an-image  the file is neither a PNG nor a JPEG",
            ]
        )
    }

    @Test("with --at takes the folder itself for the one where pictures are dropped")
    func point() async throws {
        try FileManager.default.createDirectory(atPath: inbox, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: Workplace.sample("tag-f432-dzmu.png"),
            toPath: "\(inbox)/tag.png"
        )
        let run = try await workplace.luggage(
            ["watch", "--once", "--at", "destination", "--station", "LHR-3", inbox]
        )
        #expect(run.status == 0)
        let bag = try await workplace.luggage("show", "F432", "--format", "json")
        #expect(bag.output.contains("LHR-3"))
        #expect(bag.output.contains("arrivedAt"))
    }

    @Test(
        "refuses what is wrong, with the place and the remedy",
        arguments: [
            (["watch"], 78, "no folder to watch is named"),
            (
                ["watch", "--at", "nowhere", "inbox"], 64,
                "--at: expected one of origin, load, transfer, unload, destination, delivery, found"
            ),
            (["watch", "--grace", "soon", "inbox"], 64, "write it like 250ms, 30s, 5m or 1h"),
            (["watch", "--configuration", "none.yaml", "inbox"], 78, "none.yaml"),
            (["watch", "/proc/inbox"], 73, "/proc/inbox cannot be made"),
            (["watch", "/proc/version"], 73, "cannot be used: Not a directory; name a folder"),
            (["watch", "help"], 64, "there is no folder help; for help: luggage watch --help"),
            (["watch", "--store", "/proc/x.sqlite", "inbox"], 73, "/proc/x.sqlite"),
            (["watch", "--bogus", "inbox"], 64, "there is no option --bogus"),
            (["status", "--folder", "none"], 66, "was `luggage watch` started there once?"),
            (["retry", "--folder", "none"], 66, "none"),
            (["retry", "--reason", "no-code", "a.png"], 64, "name pictures or a reason, not both"),
        ] as [([String], Int32, String)]
    )
    func wrong(arguments: [String], status: Int32, words: String) async throws {
        let run = try await workplace.luggage(arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test("names file, line and key of a wrong configuration")
    func configuration() async throws {
        try workplace.add("luggage.yaml", Array("folder: inbox\nhok: true\ngrace: soon\n".utf8))
        let run = try await workplace.luggage("watch", "--configuration", "luggage.yaml")
        #expect(run.status == 78)
        #expect(run.errors.contains("luggage.yaml:2"))
        #expect(run.errors.contains("did you mean hook?"))
        #expect(run.errors.contains("luggage.yaml:3"))
    }

    @Test("reloads once it is ready where it was told to before", arguments: [false, true])
    func earlyReload(isKnown: Bool) async throws {
        // What is known of a record is compared with it before it is opened.
        if isKnown {
            #expect(try await workplace.luggage("watch", "--once", inbox).status == 0)
            #expect(try await workplace.shell("rm inbox/.luggage-watch.lock").status == 0)
        }
        // While the record is locked, the service has its folders and is not ready.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let record = try DatabaseQueue(path: workplace.store, configuration: configuration)
        try await record.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        try await workplace.watching(inbox) { service in
            let lock = "inbox/.luggage-watch.lock"
            let isThere = "[ -s \(lock) ] || ! kill -0 \(service.identifier) 2>/dev/null"
            _ = try await workplace.shell("until \(isThere); do :; done")
            service.send(.reload)
            let line = try await service.line(containing: "waiting for the record")
            #expect(line.contains("keeps \(workplace.store) locked"), "\(line)")
            try await record.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try await service.line(containing: "watching \(inbox)")
            try await service.line(containing: "reloaded: ")
        }
    }

    @Test("serves, reloads, keeps a second one away, runs the hook, and ends when it is asked to")
    func serving() async throws {
        let settings = "folder: \(inbox)\nhook: echo $LUGGAGE_EVENT $LUGGAGE_BAGS >> hooks\n"
        try workplace.add("luggage.yaml", Array(settings.utf8))
        try await workplace.watching("--configuration", "luggage.yaml", "--metrics", "m.prom") {
            service in
            try await service.line(containing: "watching \(inbox)")
            try workplace.drop("tag-f432-dzmu.png")
            try await service.line(containing: "new: F432BDB8")
            let second = try await workplace.luggage("watch", inbox)
            #expect(second.status == 73)
            #expect(second.errors.contains("is watched by process \(service.identifier) on "))
            let status = try await workplace.luggage("status", "--folder", inbox)
            #expect(status.status == 0)
            #expect(status.output.contains("watched by process \(service.identifier)"))

            try workplace.add("luggage.yaml", Array("folder: \(inbox)\ngrace: never\n".utf8))
            service.send(.reload)
            try await service.line(containing: "the configuration stays as it was")
            try workplace.add("luggage.yaml", Array("folder: elsewhere\nlog-level: debug\n".utf8))
            service.send(.reload)
            try await service.line(containing: "reloaded: ")
            try workplace.drop("tag-9c41-dzmu.png", at: "destination")
            try await service.line(containing: "new: 9C417E05")
            service.send(.stop)
        }
        let hooks = try String(contentsOfFile: workplace.path("hooks"), encoding: .utf8)
        // The second picture came when no hook was set any more.
        #expect(hooks == "processed F432BDB8-D84F-4461-8362-AFF89F6C493E\n")
        let metrics = try String(contentsOfFile: workplace.path("m.prom"), encoding: .utf8)
        #expect(metrics.contains(#"luggage_pictures_total{disposition="processed"} 2"#))
    }

    @Test("leaves a picture in work where it is when it is told to stop, and files it next time")
    func stoppedWhileReading() async throws {
        try await workplace.watching(inbox, "--log-level", "debug") { service in
            try await service.line(containing: "watching \(inbox)")
            // A reader that is halted holds its picture, as one does that takes long.
            let readers = try await workplace.shell("pgrep -P \(service.identifier) luggage-reader")
            let reader = try #require(pid_t(readers.output.split(separator: "\n")[0]))
            kill(reader, SIGSTOP)
            try workplace.drop("tag-f432-dzmu.png")
            try await service.line(containing: "tag-f432-dzmu.png is taken up")
            service.send(.stop)
        }
        #expect(FileManager.default.fileExists(atPath: "\(inbox)/origin/tag-f432-dzmu.png"))
        let next = try await workplace.luggage("watch", "--once", inbox)
        #expect(next.errors.contains("new: F432BDB8"))
    }

    @Test(
        "is refused a folder into which a service puts what it has filed",
        arguments: ["inbox/processed", "inbox/failed/", "inbox/processed/../duplicates", "link"],
        [[], ["--at", "destination"]]
    )
    func filedFolder(folder: String, more: [String]) async throws {
        try await workplace.watching(inbox) { service in
            try await service.line(containing: "watching \(inbox)")
            _ = try await workplace.shell("ln -s inbox/processed link")
            let run = try await workplace.luggage(["watch", "--once"] + more + [folder])
            #expect(run.status == 73)
            let words = "process \(service.identifier) on "
            #expect(run.errors.contains(words) && run.errors.contains("file them again"))
            // Nothing was made there.
            let made = try await workplace.shell("ls -A inbox/processed inbox/failed | grep origin")
            #expect(made.output.isEmpty)
        }
        // Nobody watches the one above any more.
        let run = try await workplace.luggage("watch", "--once", "inbox/processed")
        #expect(run.status == 0)
    }

    @Test(
        "is refused a folder in which others could have made its lock first",
        .enabled(if: geteuid() == 0)
    )
    func othersLock() async throws {
        _ = try await workplace.shell(
            """
            mkdir -p inbox/origin state
            chown 65534 state inbox/origin
            chmod 1777 inbox
            mkdir inbox/.luggage-watch
            chown 65533 inbox/.luggage-watch
            """
        )
        let run = try await workplace.shell(
            "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "
                + "'\(Workplace.executable)' watch --once --store state/l.sqlite inbox"
        )
        #expect(run.status == 78, "\(run.errors)")
        #expect(run.errors.contains("which does not belong to the service"), "\(run.errors)")
        #expect(run.errors.contains("run 'chown "), "\(run.errors)")
    }

    @Test("is refused a folder of whose filed pictures another service watches the place")
    func watchedFiledFolder() async throws {
        _ = try await workplace.shell("mkdir -p inbox/processed")
        try await workplace.watching("--at", "origin", "inbox/processed") { service in
            try await service.line(containing: "watching ")
            let run = try await workplace.luggage("watch", "--once", inbox)
            #expect(run.status == 73)
            #expect(run.errors.contains("\(inbox)/processed is watched by process"))
            #expect(!FileManager.default.fileExists(atPath: "\(inbox)/origin"))
        }
    }

    @Test("says which folders it has made, and nothing where none was missing")
    func madeFolders() async throws {
        let first = try await workplace.luggage("watch", "--once", "inbox")
        #expect(
            first.errors.contains(
                "made the missing folders: inbox, inbox/origin, inbox/destination, inbox/processed, "
                    + "inbox/duplicates, inbox/failed"
            ),
            "\(first.errors)"
        )
        _ = try await workplace.shell("rmdir inbox/failed")
        let second = try await workplace.luggage("watch", "--once", "inbox")
        #expect(second.errors.contains("made the missing folders: inbox/failed\n"))
        let third = try await workplace.luggage("watch", "--once", "inbox")
        #expect(!third.errors.contains("missing"))
    }

    @Test("has status tell why filing has paused, until it goes on")
    func pause() async throws {
        func status() async throws -> (table: Workplace.Run, pause: [String: Any]?) {
            let table = try await workplace.luggage("status", "--folder", inbox)
            let json = try await workplace.luggage(
                ["status", "--folder", inbox, "--format", "json"]
            )
            #expect(json.status == table.status)
            let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8))
            return (table, (object as? [String: Any])?["pause"] as? [String: Any])
        }
        try await workplace.watching(inbox) { service in
            try await service.line(containing: "watching \(inbox)")
            let before = try await status()
            #expect(before.table.status == 0 && before.pause == nil)
            #expect(!before.table.output.contains("paused"))
            // Another program's file has the place of the record.
            let replace = "mv luggage.sqlite kept && yes 'no record' | head -c 8192 >luggage.sqlite"
            _ = try await workplace.shell(replace)
            try workplace.drop("tag-f432-dzmu.png")
            try await service.line(containing: "filing has paused: ")
            let during = try await status()
            #expect(during.table.status == 1)
            #expect(during.table.output.contains("\nfiling has paused since 20"))
            #expect(during.pause?.keys.sorted() == ["message", "reason", "since"])
            #expect((during.pause?["message"] as? String)?.contains("luggage.sqlite") == true)
            _ = try await workplace.shell("mv kept luggage.sqlite")
            try await service.line(containing: "filing goes on")
            let after = try await status()
            #expect(after.table.status == 0 && after.pause == nil)
        }
    }

    @Test("says that a watched folder is another one now")
    func replacedFolder() async throws {
        try await workplace.watching(inbox) { service in
            try await service.line(containing: "watching \(inbox)")
            _ = try await workplace.shell("mv inbox/origin before && mkdir inbox/origin")
            let words = "\(inbox)/origin is another folder now: it was replaced"
            try await service.line(containing: words)
            try workplace.drop("tag-f432-dzmu.png")
            try await service.line(containing: "new: F432BDB8")
        }
    }

    @Test(
        "says that a watched folder was unmounted",
        .disabled(
            if: getuid() != 0,
            "it takes a file system of its own, which only root can mount"
        )
    )
    func unmountedFolder() async throws {
        let mount = "mkdir inbox; mount -t tmpfs none inbox"
        try await workplace.watching("--at", "origin", inbox, after: mount) { service in
            try await service.line(containing: "watching \(inbox)")
            let unmount = "nsenter --mount --target \(service.identifier) umount --lazy '\(inbox)'"
            #expect(try await workplace.shell(unmount).status == 0)
            let words = "\(inbox) is another folder now: something was mounted or unmounted there"
            try await service.line(containing: words)
        }
    }

    @Test(
        "waits while the disk of the record is full, and goes on when there is room",
        .disabled(
            if: getuid() != 0,
            "it takes a file system of its own, which only root can mount"
        )
    )
    func fullDisk() async throws {
        let mount = "mkdir small; mount -t tmpfs -o size=8m,mode=755 none small"
        try await workplace.watching("--store", "small/l.sqlite", inbox, after: mount) { service in
            try await service.line(containing: "watching \(inbox)")
            // Hidden or not while they are moved; the lock of the folder is no picture.
            var left: [String] {
                get throws {
                    try FileManager.default.contentsOfDirectory(atPath: "\(inbox)/origin")
                        .filter { $0.hasSuffix(".png") }
                }
            }
            // The file system is seen by the service alone.
            let small = "/proc/\(service.identifier)/root\(workplace.path("small"))"
            _ = FileManager.default.createFile(atPath: "\(small)/fill", contents: nil)
            let filler = try #require(FileHandle(forWritingAtPath: "\(small)/fill"))
            let page = Data(repeating: 0, count: 4096)
            while (try? filler.write(contentsOf: page)) != nil {}
            try filler.close()
            let picture = try Data(contentsOf: URL(filePath: Workplace.sample("tag-f432-dzmu.png")))
            for number in 1...40 {
                // Another content each time.
                let path = "\(inbox)/origin/\(number).png"
                try (picture + Data("\(number)".utf8)).write(to: URL(filePath: path))
            }
            try await service.line(containing: "filing has paused: ")
            #expect(try !left.isEmpty)
            try FileManager.default.removeItem(atPath: "\(small)/fill")
            try await service.line(containing: "filing goes on")
            for _ in try left {
                try await service.line(containing: "F432BDB8")
            }
        }
        // The record went with its file system.
        let rest = try await workplace.luggage("watch", "--once", "--new-record", inbox)
        #expect(rest.status == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(inbox)/processed").count == 40
        )
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(inbox)/failed").isEmpty)
    }
}
