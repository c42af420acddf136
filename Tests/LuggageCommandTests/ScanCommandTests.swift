import Foundation
import GRDB
import Glibc
import TagDrawing
import Testing

@Suite("luggage scan")
struct ScanCommandTests {
    private let tag = Workplace.sample("tag-f432-dzmu.png")
    private let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    @Test("files the samples, in a table with a summary, and names what was not filed")
    func samples() async throws {
        let place = try Workplace()
        let samples = Workplace.samples.path(percentEncoded: false)
        let run = try await place.luggage("scan", "--at", "origin", samples)
        #expect(run.status == 1)
        #expect(run.errors == "")
        let outcomes = run.lines.dropFirst().prefix(11).map { $0.split(separator: " ")[0] }
        #expect(
            outcomes == [
                "damaged", "new", "new", "new", "new", "new", "new", "no-code", "new", "new",
                "invalid",
            ]
        )
        let summary =
            "10 pictures, 11 results: 8 new, 1 invalid, 1 no-code, 1 damaged; 1 other file passed over"
        #expect(run.output.hasSuffix("\n\n\(summary)\n"))
        let sentence = "weight: expected a number, found the text \"heavy\""
        #expect(run.output.contains("weight-in-words.png: \(sentence)\n"))

        let list = try await place.luggage("list", "--format", "json").array()
        #expect(list.count == 8)
        let passengers = try await place.luggage("passengers")
        #expect(passengers.output.contains("D/ZMU         2\n"))
        #expect(passengers.output.contains("7 passengers"))
    }

    @Test(
        "takes no file of the record for a picture: who closes one loses the locks of the record",
        arguments: ["luggage.sqlite", "hard.png", "soft.png"]
    )
    func ownRecord(name: String) async throws {
        let place = try Workplace()
        #expect(try await place.luggage("scan", "--at", "origin", tag).status == 0)
        let links = "ln luggage.sqlite hard.png && ln -s luggage.sqlite soft.png"
        #expect(try await place.shell(links).status == 0)
        let run = try await place.luggage("scan", "--at", "destination", name, tag)
        #expect(run.status == 1)
        #expect(run.output.contains("\(name): is a file of the record, and no picture"))
        #expect(run.output.contains("1 updated"))
    }

    @Test("at origin, then at the destination by another process, leaves one bag with both times")
    func bothPoints() async throws {
        let place = try Workplace()
        let first = try await place.luggage(
            "scan",
            "--at",
            "origin",
            "--timestamp",
            "2026-07-01T08:00:00Z",
            tag
        )
        let second = try await place.luggage(
            "scan",
            "--at",
            "destination",
            "--timestamp",
            "2026-07-01T11:30:00Z",
            tag
        )
        #expect([first.status, second.status] == [0, 0])
        let database = try DatabaseQueue(path: place.store)
        let rows = try database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT identifier, weight,
                        datetime(departedAt + 978307200, 'unixepoch') AS departed,
                        datetime(arrivedAt + 978307200, 'unixepoch') AS arrived,
                        givenName || '/' || familyName AS owner
                    FROM Luggage JOIN Passenger ON Passenger.id = Luggage.owner
                    """
            )
        }
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        #expect(row["identifier"] == id)
        #expect(row["weight"] == 42.0)
        #expect(row["departed"] == "2026-07-01 08:00:00")
        #expect(row["arrived"] == "2026-07-01 11:30:00")
        #expect(row["owner"] == "D/ZMU")
    }

    @Test("of the same picture twice is repeated, and the record stays as it was")
    func repeated() async throws {
        let place = try Workplace()
        _ = try await place.luggage("scan", "--at", "origin", tag)
        let before = try await place.luggage("list", "--format", "json").output
        let again = try await place.luggage("scan", "--at", "origin", tag, "--format", "json")
        #expect(again.status == 0)
        #expect(try again.objects().map { $0["outcome"] as? String } == ["repeated"])
        #expect(try await place.luggage("list", "--format", "json").output == before)
    }

    @Test("gives names with accents and Chinese characters back exactly")
    func names() async throws {
        let place = try Workplace()
        _ = try await place.luggage(
            "scan",
            "--at",
            "origin",
            Workplace.sample("tag-77d0-accents.png"),
            Workplace.sample("tag-2b7e-chinese-name.png")
        )
        let owners = try await place.luggage("list", "--format", "json").array().map {
            $0["owner"] as? [String: String]
        }
        #expect(
            Set(owners) == [
                ["givenName": "É", "familyName": "MÜL"], ["givenName": "李", "familyName": "小龙"],
            ]
        )
    }

    @Test("reports each tag as a JSON object a line")
    func json() async throws {
        let place = try Workplace()
        let run = try await place.luggage(
            "scan",
            "--at",
            "origin",
            "--station",
            "MUC-2",
            "--timestamp",
            "2026-07-01T08:00:00.5Z",
            "--format",
            "json",
            Workplace.sample("two-tags.png"),
            Workplace.sample("cut-off.png")
        )
        let objects = try run.objects()
        #expect(objects.count == 3)
        #expect(objects[0]["station"] as? String == "MUC-2")
        #expect(objects[0]["scannedAt"] as? String == "2026-07-01T08:00:00.500Z")
        #expect((objects[0]["luggage"] as? [String: Any])?["weight"] as? Double == 22)
        #expect((objects[0]["corners"] as? [[Int]])?.count == 4)
        let problem = objects[2]["error"] as? [String: Any]
        #expect(problem?["stage"] as? String == "bytes")
        #expect(problem?["reason"] as? String == "damaged")
    }

    @Test("takes the file's time, but never one in the future")
    func fileTime() async throws {
        let place = try Workplace()
        let past = try place.add("past.png", Array(Data(contentsOf: URL(filePath: tag))))
        let other = Workplace.sample("tag-9c41-dzmu.png")
        let future = try place.add("future.png", Array(Data(contentsOf: URL(filePath: other))))
        let began = Date()
        for (path, seconds) in [(past, 1_000_000_000.0), (future, 9_000_000_000)] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: seconds)],
                ofItemAtPath: path
            )
        }
        let run = try await place.luggage(
            "scan",
            "--at",
            "origin",
            "--timestamp",
            "file",
            "--format",
            "json",
            past,
            future
        )
        let times = try run.objects().map { try #require($0["scannedAt"] as? String) }
        #expect(times[0] == "2001-09-09T01:46:40.000Z")
        #expect(times[1] >= began.formatted(.iso8601.year().month().day()))
        #expect(times[1] < "2200")
    }

    @Test("in a dry run tells what would be filed, and files nothing")
    func dryRun() async throws {
        let place = try Workplace()
        let arguments = ["scan", "--at", "origin", "--dry-run", tag, tag]
        let first = try await place.luggage(arguments)
        #expect(first.status == 0)
        #expect(first.output.contains("1 new, 1 repeated (nothing was filed: dry run)"))
        #expect(!FileManager.default.fileExists(atPath: place.store))
        _ = try await place.luggage("scan", "--at", "origin", Workplace.sample("two-tags.png"))
        let second = try await place.luggage(arguments)
        #expect(second.output.contains("1 new, 1 repeated"))
        #expect(try await place.luggage("list", "--format", "json").array().count == 2)
    }

    @Test("by several processes at once loses nothing and counts nothing twice")
    func atOnce() async throws {
        let place = try Workplace()
        let samples = Workplace.samples.path(percentEncoded: false)
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<4 {
                for point in ["origin", "destination"] {
                    group.addTask {
                        try await place.luggage("scan", "--at", point, samples).status
                    }
                }
            }
            for try await status in group { #expect(status == 1) }
        }
        let database = try DatabaseQueue(path: place.store)
        let counts = try await database.read { db in
            // Whoever has read a picture first may file it last, and that is another filing.
            try ["Luggage", "Passenger", "Scan WHERE NOT isRepeat"].map { table in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
        }
        #expect(counts == [8, 7, 22])
        let departed = try await place.luggage("list", "--missing", "--format", "json").array()
        #expect(departed.isEmpty)
    }

    @Test("files pictures with hostile names, and shows them on one line")
    func hostileNames() async throws {
        let place = try Workplace()
        let bytes = Array(try Data(contentsOf: URL(filePath: tag)))
        for name in [
            "new\nline.png", "\u{1B}[31mred.png", " -- .PNG", "'; DROP TABLE Luggage; --.png",
        ] {
            try place.add(name, bytes)
        }
        let run = try await place.luggage("scan", "--at", "origin", place.path(""))
        #expect(run.status == 0)
        #expect(run.lines.count == 8)
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.output.contains("new\\nline.png"))
        #expect(run.output.contains("4 pictures, 4 results: 1 new, 3 repeated"))
    }

    @Test("of a picture that cannot be read, in a folder, is reported and not passed over")
    func unreadable() async throws {
        let place = try Workplace()
        try place.add("tag.png", Array(Data(contentsOf: URL(filePath: tag))))
        try FileManager.default.createSymbolicLink(
            atPath: place.path("gone.png"),
            withDestinationPath: "nowhere"
        )
        unsafe mkfifo(place.path("pipe.png"), 0o600)
        // Neither has the ending of a picture.
        for name in ["png", "tag.png."] { try place.add(name, []) }
        let run = try await place.luggage("scan", "--at", "origin", place.path(""))
        #expect(run.status == 1)
        #expect(run.output.contains("2 other files passed over"))
        #expect(run.output.contains("gone.png: cannot be opened: No such file or directory"))
        #expect(run.output.contains("pipe.png: is not a regular file"))
        #expect(run.output.contains("1 new, 2 unreadable"))
    }

    @Test("files everything, although nobody can be told, and ends with an error where that is so")
    func closedStreams() async throws {
        for (redirection, status) in [
            ("2>/dev/full", 1), ("2>&-", 1), (">/dev/full", 74), (">&-", 74), (">&- 2>&-", 74),
            ("<&- >&- 2>&-", 74),
        ] as [(String, Int32)] {
            let place = try Workplace()
            let command =
                "'\(Workplace.executable)' scan --at origin --store '\(place.store)' "
                + "'\(Workplace.sample("torn-off.png"))' '\(tag)' \(redirection)"
            #expect(try await place.shell(command).status == status, "\(redirection)")
            #expect(try await place.luggage("list", "--format", "json").array().count == 1)
        }
    }

    @Test("shows its progress on a terminal, in a dry run too", arguments: [[], ["--dry-run"]])
    func terminal(options: [String]) async throws {
        let place = try Workplace()
        let words = ["scan", "--at", "origin"] + options + [tag, tag, tag]
        let command = ([Workplace.executable] + words).joined(separator: " ")
        let run = try await place.shell("script -qec \"\(command)\" /dev/null")
        #expect(run.status == 0)
        #expect(run.output.contains("] 1 of 3"))
        #expect(run.output.contains("1 new, 2 repeated"))
    }

    @Test("tells somebody who drops a HEIC in what is wrong")
    func foreignPicture() async throws {
        let place = try Workplace()
        try place.add("tag.heic", [0, 0, 0, 24] + Array("ftypheic".utf8))
        let run = try await place.luggage("scan", "--at", "origin", place.path(""))
        #expect(run.status == 1)
        #expect(run.output.contains("HEIC"))
    }

    @Test("files a JPEG as it files a PNG, and says of one cut off how far it goes")
    func jpeg() async throws {
        let place = try Workplace()
        let sample = URL(filePath: Workplace.sample("tag-by-telephone.jpg"))
        let bytes = try Array(Data(contentsOf: sample))
        try place.add("cut.jpg", bytes.dropLast(1000))
        try place.add("whole.jpg", bytes)
        let run = try await place.luggage("scan", "--at", "origin", place.path(""))
        #expect(run.status == 1)
        let damage = "the JPEG is damaged: it ends early, after \(bytes.count - 1000) bytes"
        #expect(run.output.contains("cut.jpg: \(damage)\n"))
        #expect(run.output.hasSuffix("2 pictures, 2 results: 1 new, 1 damaged\n"))
    }

    @Test("of many pictures shares writes to the disk, and reports in the order of names")
    func sharedCommits() async throws {
        let place = try Workplace()
        #expect(try await place.luggage("scan", "--at", "origin", tag).status == 0)
        let count = 200
        let names = try place.addCopies(count, of: "tag-9c41-dzmu.png")
        // As long as somebody reads what was there before, what is written stays in the log.
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: place.store, configuration: configuration)
        try reader.inDatabase { db in
            try db.execute(sql: "BEGIN")
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM Luggage") == 1)
        }
        let before = try place.commitsInLog
        let run = try await place.luggage(
            "scan",
            "--at",
            "origin",
            "--format",
            "json",
            place.path("pictures")
        )
        #expect(run.status == 0)
        let commits = try place.commitsInLog - before
        try reader.inDatabase { try $0.execute(sql: "COMMIT") }
        #expect(commits > 0 && commits < count)
        let reported = try run.objects().map { $0["image"] as? String }
        #expect(reported == names.map { place.path("pictures/\($0)") })
    }

    @Test("that is interrupted leaves what it has reported on record, and nothing by halves")
    func interrupted() async throws {
        let place = try Workplace()
        _ = try place.addCopies(300, of: "two-tags.png")
        // A command in the background would ignore SIGINT otherwise.
        let script = """
            env --default-signal=INT '\(Workplace.executable)' scan --at origin --format json pictures \
                >reports & command=$!
            until [ "$(wc -l <reports)" -ge 20 ]; do kill -0 $command 2>/dev/null || break; done
            kill -INT $command
            wait $command
            echo $?
            """
        #expect(try await place.shell(script).output == "130\n")
        let text = try String(contentsOfFile: place.path("reports"), encoding: .utf8)
        let whole = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let reported = try Set(
            whole.map { line in
                let report = try JSONSerialization.jsonObject(with: Data(line.utf8))
                let image = (report as? [String: Any])?["image"] as? String
                return try #require(image?.split(separator: "/").last.map(String.init))
            }
        )
        #expect(reported.count >= 10)
        let scans = try DatabaseQueue(path: place.store).read { db in
            try Row.fetchAll(
                db,
                sql: "SELECT imageName, count(*) AS n FROM Scan GROUP BY imageName"
            )
        }
        #expect(scans.allSatisfy { $0["n"] == 2 })
        #expect(reported.isSubset(of: scans.map { $0["imageName"] }))
        // Whoever goes on files the rest.
        let run = try await place.luggage("scan", "--at", "origin", place.path("pictures"))
        #expect(run.status == 0)
        #expect(run.output.contains("300 pictures, 600 results"))
    }
}

extension Workplace {
    /// Puts copies of a sample into a folder `pictures`, each of another content.
    ///
    /// - Returns: Their names, sorted.
    fileprivate func addCopies(_ count: Int, of sample: String) throws -> [String] {
        try FileManager.default.createDirectory(
            atPath: path("pictures"),
            withIntermediateDirectories: true
        )
        let sample = try Array(Data(contentsOf: URL(filePath: Self.sample(sample))))
        return try (0..<count).map { number in
            let name = "\(1000 + number).png"
            let comment = Array("Comment\0picture \(number)".utf8)
            try add("pictures/\(name)", PNGChunks.insert("tEXt", comment, into: sample))
            return name
        }
    }

    /// How many commits are in the write-ahead log of the record.
    fileprivate var commitsInLog: Int {
        get throws {
            guard FileManager.default.fileExists(atPath: store + "-wal") else { return 0 }
            let log = try Array(Data(contentsOf: URL(filePath: store + "-wal")))
            guard log.count >= 32 else { return 0 }
            func number(_ place: Int) -> Int {
                log[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            }
            let frames = stride(from: 32, to: log.count, by: 24 + number(8))
            // What was there before the log began anew has other salt; a commit tells the size.
            return frames.count { number($0 + 4) != 0 && log[$0 + 8..<$0 + 16] == log[16..<24] }
        }
    }
}
