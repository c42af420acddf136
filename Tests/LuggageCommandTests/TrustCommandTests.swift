import Foundation
import GRDB
import Testing

@Suite("luggage check, backup, restore and purge", .timeLimit(.minutes(30)))
struct TrustCommandTests {
    private let place: Workplace

    private var inbox: String { place.path("inbox") }
    private var copy: String { place.path("copy.sqlite") }

    init() throws {
        place = try Workplace()
    }

    private func scan(_ sample: String, at point: String = "origin") async throws {
        let time = "2026-07-01T08:00:00Z"
        let tag = Workplace.sample(sample)
        _ = try await place.luggage("scan", "--at", point, "--timestamp", time, tag)
    }

    private func bags() async throws -> Set<String> {
        let bags = try await place.luggage("list", "--format", "json").array()
        return Set(bags.compactMap { ($0["id"] as? String).map { String($0.prefix(4)) } })
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.path(""))
    }

    @Test("a record is copied while a service files into it, and restored when it does not")
    func service() async throws {
        try await scan("tag-f432-dzmu.png")
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching")
            let first = try await place.luggage("backup", copy)
            #expect(first.status == 0 && first.output.contains("and checked it"))
            let again = try await place.luggage("backup", copy)
            #expect(again.status == 73 && again.errors.contains("--force"))
            #expect(try await place.luggage("backup", "--force", copy).status == 0)
            let busy = try await place.luggage("restore", copy)
            let purge = ["purge", "--names", "--older-than", "1h", "--yes"]
            let purged = try await place.luggage(purge)
            #expect(purged.status == 0 && purged.output.contains("deleted"), "\(purged.errors)")
            #expect(try await place.shell("cat luggage.sqlite* | grep -a -c ZMU").output == "0\n")
            #expect(busy.status == 73 && busy.errors.contains("stop it first"), "\(busy.errors)")
        }
        try await scan("tag-9c41-dzmu.png")
        #expect(try await bags() == ["F432", "9C41"])
        let restored = try await place.luggage("restore", copy)
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try await bags() == ["F432"])
        let kept = try #require(try files().first { $0.contains(".before-20") })
        #expect(restored.output.contains(kept))
        let back = try await place.luggage("restore", place.path(kept))
        #expect(back.status == 0)
        #expect(try await bags() == ["F432", "9C41"])
        #expect(try await place.luggage("check").status == 0)
    }

    @Test(
        "what cannot be copied or restored is refused",
        arguments: [
            (["backup", "luggage.sqlite"], 73, "the record itself"),
            (["backup", "luggage.sqlite/", "--force"], 73, "the record itself"),
            (["backup", "none/../luggage.sqlite", "--force"], 73, "the record itself"),
            (["backup", "none/../copy"], 73, "make its folder first"),
            (["backup", "copy/"], 74, "Not a directory"),
            (["export", "--output", "luggage.sqlite/", "--force"], 73, "the record itself"),
            (["export", "--output", "none/../luggage.sqlite", "--force"], 73, "the record itself"),
            (["export", "--output", "copy/"], 73, "name a file"),
            (["backup", "luggage.sqlite-wal", "--force"], 73, "a part of the record"),
            (["backup", "none/copy.sqlite"], 73, "none"),
            (["backup", "."], 73, " is a folder; name a file"),
            (["backup", "-"], 64, "a copy on standard output"),
            (["backup", "copy.sqlite", "--store", "nowhere"], 66, "no record"),
            (["restore", "luggage.sqlite"], 73, "the record itself"),
            (["restore", "nowhere"], 66, "nowhere"), (["restore", "noise"], 73, "not a database"),
            (["restore", ""], 64, "name the copy"),
        ] as [([String], Int32, String)]
    )
    func refused(arguments: [String], status: Int32, words: String) async throws {
        try await scan("tag-f432-dzmu.png")
        try place.add("noise", Array("no database at all".utf8))
        // Held open, so that there is a log beside it.
        let queue = try DatabaseQueue(path: place.store)
        _ = try await queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM Scan") }
        let run = try await place.luggage(arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        try queue.close()
        #expect(try await bags() == ["F432"])
        #expect(try files().allSatisfy { !$0.contains("partial") && !$0.contains("before") })
    }

    @Test("a record behind a link and dots is the one that the system finds there")
    func dots() async throws {
        _ = try await place.shell("mkdir -p far/dir; ln -s far/dir way")
        let tag = Workplace.sample("tag-f432-dzmu.png")
        let run = try await place.shell(
            "'\(Workplace.executable)' scan --at origin --store way/../x.sqlite '\(tag)'"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(try await place.shell("test -s far/x.sqlite && ! test -e x.sqlite").status == 0)
        let copy = try await place.luggage("backup", "--store", "far/x.sqlite", "way/../copy")
        #expect(copy.status == 0, "\(copy.errors)")
        #expect(try await place.shell("test -s far/copy && ! test -e copy").status == 0)
    }

    @Test("a file that is replaced by force stays where links lead, and as private as it was")
    func replaced() async throws {
        try await scan("tag-f432-dzmu.png")
        for arguments in [
            ["backup", "--force", "link"], ["export", "--force", "--output", "link"],
        ] {
            _ = try await place.shell(
                "mkdir -p sub; echo before >sub/target; chmod 600 sub/target; ln -sf sub/target link"
            )
            let run = try await place.luggage(arguments)
            #expect(run.status == 0, "\(run.errors)")
            let facts = try await place.shell(
                "stat -c '%F %a' link sub/target; head -c 6 sub/target"
            )
            #expect(facts.output.hasPrefix("symbolic link 777\nregular file 600\n"))
            #expect(!facts.output.hasSuffix("before"))
        }
        // A pipe stays, whatever name leads to it.
        _ = try await place.shell("mkfifo pipe; ln -s pipe way")
        let run = try await place.luggage("backup", "--force", "way")
        #expect(run.status == 73 && run.errors.contains("not a regular file"), "\(run.errors)")
        #expect(try await place.shell("test -p pipe && test -L way").status == 0)
    }

    @Test("check says of a folder that nobody watches what other commands say of it")
    func unwatched() async throws {
        try await scan("tag-f432-dzmu.png")
        for folder in ["nope", "empty", "luggage.sqlite"] {
            _ = try await place.shell("mkdir -p empty")
            let check = try await place.luggage("check", "--folder", folder)
            let status = try await place.luggage("status", "--folder", folder)
            #expect(check.status == 66 && status.status == 66)
            #expect(check.output == "" && check.errors == status.errors, "\(check.errors)")
        }
    }

    @Test("restore says of which file there is no room for, by the name that a person knows")
    func noRoom() async throws {
        try await scan("tag-f432-dzmu.png")
        #expect(try await place.luggage("backup", copy).status == 0)
        for store in ["new.sqlite", "luggage.sqlite"] {
            for blocks in [1, 8, 64] {
                let run = try await place.shell(
                    "ulimit -f \(blocks); '\(Workplace.executable)' restore --store \(store) \(copy)"
                )
                #expect(run.status != 0, "\(run.output)")
                #expect(
                    run.errors.contains(store) && !run.errors.contains("partial"),
                    "\(run.errors)"
                )
            }
        }
        #expect(try await bags() == ["F432"])
        #expect(try !files().contains("new.sqlite"))
    }

    @Test("killed at any moment, restoring and purging leave the old record or the new one")
    func killed() async throws {
        try await scan("tag-f432-dzmu.png")
        #expect(try await place.luggage("backup", copy).status == 0)
        try await scan("tag-9c41-dzmu.png")
        let both = place.path("both.sqlite")
        #expect(try await place.luggage("backup", both).status == 0)
        for command in ["restore \(copy)", "purge --bags --older-than 1h --yes"] {
            for step in 0..<24 {
                let delay = Double(step) * 0.012 + 0.005
                _ = try await place.luggage("restore", both)
                let killing = "timeout -s KILL \(delay) \(Workplace.executable) \(command)"
                _ = try await place.shell("\(killing) > /dev/null 2>&1; true")
                let left = try await bags()
                let isWhole =
                    left == ["F432", "9C41"]
                    || left == (command.hasPrefix("restore") ? ["F432"] : [])
                #expect(isWhole, "\(command), killed after \(delay) s, left \(left)")
                let check = try await place.luggage("check")
                #expect(check.status == 0, "\(command), killed after \(delay) s: \(check.output)")
            }
        }
    }

    @Test("check says what is wrong and what to do, and by its status that something is")
    func checking() async throws {
        try place.drop("tag-f432-dzmu.png", as: "a.png")
        _ = try await place.luggage("watch", "--once", inbox)
        let well = try await place.luggage("check", "--folder", inbox)
        #expect(well.status == 0)
        #expect(well.output == "the record is well, and the pictures agree with it\n")
        try FileManager.default.removeItem(atPath: "\(inbox)/processed/a.png")
        let queue = try DatabaseQueue(path: place.store)
        try await queue.write { try $0.execute(sql: "UPDATE Luggage SET departedAt = 7") }
        try queue.close()
        let wrong = try await place.luggage("check", "--folder", inbox)
        #expect(wrong.status == 1)
        #expect(wrong.output.contains("departed 2001-01-01T00:00:07.000Z and not 20"))
        #expect(
            wrong.output.contains("none of the pictures that origin has filed is in these folders")
        )
        #expect(wrong.output.contains("what to do: "))
        let json = try await place.luggage("check", "--folder", inbox, "--format", "json")
        #expect(json.status == 1)
        #expect(json.output.contains("\"code\" : \"times\""))
        #expect(json.output.contains("\"code\" : \"not-on-disk\""))
        var bytes = try Data(contentsOf: URL(filePath: place.store))
        for index in bytes.count - 4096..<bytes.count {
            bytes[index] = UInt8(truncatingIfNeeded: index) | 1
        }
        try bytes.write(to: URL(filePath: place.store))
        let damaged = try await place.luggage("check")
        #expect(damaged.status == 1)
        #expect(damaged.output.contains("luggage restore"))
    }

    @Test("purge shows first what it would do, and leaves nothing in the files when it does it")
    func purge() async throws {
        let picture = try place.drop("two-tags.png", as: "two.png")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
            ofItemAtPath: picture
        )
        _ = try await place.luggage("watch", "--once", inbox)
        let arguments = ["purge", "--names", "--older-than", "2024-01-01", "--pictures", inbox]
        let plan = try await place.luggage(arguments)
        #expect(plan.status == 64)
        #expect(plan.output.contains("the owners of 2 bags, 2 of which never arrived"))
        #expect(plan.output.contains("processed/two.png"))
        #expect(plan.errors.contains("nobody to ask, so nothing was deleted; --yes deletes"))
        #expect(FileManager.default.fileExists(atPath: "\(inbox)/processed/two.png"))
        let names = "cat luggage.sqlite* | grep -a -c -E 'LOV|HOP'"
        #expect(try await place.shell(names).status == 0)
        let done = try await place.luggage(arguments + ["--yes"])
        #expect(done.status == 0, "\(done.errors)")
        #expect(done.output.contains("deleted"))
        #expect(try await place.shell(names).output == "0\n")
        #expect(!FileManager.default.fileExists(atPath: "\(inbox)/processed/two.png"))
        #expect(try await bags() == ["51E8", "E69F"])
        let check = try await place.luggage("check", "--folder", inbox)
        #expect(check.status == 0, "\(check.output)")
        let bags = ["purge", "--bags", "--older-than", "2024-01-01", "--yes", "--format", "json"]
        let gone = try await place.luggage(bags)
        #expect(gone.output.contains("\"bags\" : 2"))
        let summary = try await place.luggage("summary", "--since", "2023-11-14", "--until", "1d")
        #expect(summary.output.contains("2 of them were purged: only"), "\(summary.output)")
        #expect(summary.output.contains("origin   origin      2  100.0%"), "\(summary.output)")
        #expect(try await self.bags().isEmpty)
    }

    @Test(
        "purge is an error where nobody can be asked and nobody has said yes",
        arguments: [
            ["--older-than", "0h"], ["--older-than", "2001-01-01"], ["--format", "json"],
        ]
    )
    func nobodyToAsk(arguments: [String]) async throws {
        try await scan("tag-f432-dzmu.png")
        let asked =
            arguments.contains("--older-than") ? arguments : arguments + ["--older-than", "0h"]
        for scope in ["--names", "--bags"] {
            let run = try await place.luggage(["purge", scope] + asked)
            #expect(run.status == 64 && run.errors.contains("--yes"), "\(run.errors)")
            #expect(!run.output.isEmpty)
        }
        let list = try await place.luggage("list")
        #expect(list.output.contains("D/ZMU"), "\(list.output)")
    }

    @Test(
        "purge leaves the pictures alone where the record cannot be changed",
        .enabled(if: geteuid() != 0)
    )
    func purgeReadOnly() async throws {
        try place.drop("tag-f432-dzmu.png", as: "a.png")
        _ = try await place.luggage("watch", "--once", inbox)
        // A copy has no log beside it that could be written.
        try place.makeFolder("closed")
        let closed = place.path("closed/luggage.sqlite")
        #expect(try await place.luggage("backup", closed).status == 0)
        #expect(try await place.shell("chmod -R a-w '\(place.path("closed"))'").status == 0)
        let run = try await place.luggage(
            ["purge", "--names", "--older-than", "0h", "--yes", "--pictures", inbox]
                + ["--store", closed]
        )
        #expect(run.status == 73, "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: "\(inbox)/processed/a.png"))
        #expect(try await place.shell("chmod -R u+w '\(place.path("closed"))'").status == 0)
    }

    @Test(
        "purge wants to know what, and since when",
        arguments: [
            ["--older-than", "90d"], ["--names", "--bags", "--older-than", "90d"],
            ["--names"], ["--names", "--older-than", "soon"], ["--names", "--older-than", "90"],
            ["--names", "--older-than", "w"], ["--names", "--older-than", "-1w"],
            ["--names", "--older-than", "2026-02-30"], ["--names", "--older-than", "2999-01-01"],
        ]
    )
    func misuse(arguments: [String]) async throws {
        try await scan("tag-f432-dzmu.png")
        let run = try await place.luggage(["purge", "--yes"] + arguments)
        #expect(run.status == 64, "\(run.output)")
        #expect(try await bags() == ["F432"])
    }
}
