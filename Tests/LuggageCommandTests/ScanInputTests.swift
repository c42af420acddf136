import Foundation
import Subprocess
import SystemPackage
import Testing
import TestProcesses

@Suite("luggage scan from standard input")
struct ScanInputTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"
    private static let other = "9C417E05-D84F-4461-8362-AFF89F6C493E"

    private static func tag(_ id: String = id) -> String { #"{"id":"\#(id)","weight":42}"# }

    /// Runs the program with bytes on standard input.
    private func run(
        _ place: Workplace,
        _ arguments: String...,
        input: [UInt8]
    ) async throws -> Workplace.Run {
        try place.add("input", input)
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        return try await place.shell("cat input | '\(Workplace.executable)' \(words)")
    }

    @Test(
        "files a picture like a file of the same bytes",
        arguments: ["tag-f432-dzmu.png", "tag-by-telephone.jpg"]
    )
    func picture(sample: String) async throws {
        let place = try Workplace()
        let bytes = Array(try Data(contentsOf: URL(filePath: Workplace.sample(sample))))
        let first = try await run(
            place,
            "scan",
            "--at",
            "origin",
            "--format",
            "json",
            "-",
            input: bytes
        )
        #expect(first.status == 0 && first.errors == "")
        let reports = try first.objects()
        #expect(reports.map { $0["outcome"] as? String } == ["new"])
        #expect(reports.map { $0["image"] as? String } == ["-"])
        // Its content is what it is known by.
        let second = try await place.luggage(
            "scan",
            "--at",
            "origin",
            "--format",
            "json",
            Workplace.sample(sample)
        )
        #expect(try second.objects().map { $0["outcome"] as? String } == ["repeated"])
        let digests = try (reports + second.objects()).map { $0["imageDigest"] as? String }
        #expect(Set(digests).count == 1)
    }

    @Test("has an outcome for everything that is no picture")
    func noPictures() async throws {
        let place = try Workplace()
        for (input, outcome) in [([], "damaged"), (Array("hello".utf8), "damaged")] {
            let run = try await run(
                place,
                "scan",
                "--at",
                "origin",
                "--format",
                "json",
                "-",
                input: input
            )
            #expect(run.status == 1)
            #expect(try run.objects().map { $0["outcome"] as? String } == [outcome])
        }
    }

    @Test("refuses a picture that is too long, and reads no more of it than shows that")
    func tooLong() async throws {
        let place = try Workplace()
        // It never ends.
        let run = try await place.shell(
            "(printf '\\211PNG\\r\\n\\032\\n'; cat /dev/zero) "
                + "| '\(Workplace.executable)' scan --at origin --format json -"
        )
        #expect(run.status == 1)
        let errors = try run.objects().map { $0["error"] as? [String: Any] }
        #expect(errors.map { $0?["reason"] as? String } == ["too-many-bytes"])
    }

    @Test("may be one picture among files")
    func amongFiles() async throws {
        let place = try Workplace()
        let sample = Workplace.sample("tag-9c41-dzmu.png")
        let run = try await place.shell(
            "'\(Workplace.executable)' scan --at origin '\(sample)' - "
                + "'\(Workplace.sample("two-tags.png"))' <'\(Workplace.sample("tag-f432-dzmu.png"))'"
        )
        #expect(run.status == 0)
        #expect(run.output.hasSuffix("3 pictures, 4 results: 4 new\n"))
        let read = try await place.shell("'\(Workplace.executable)' read - <'\(sample)'")
        #expect(read.output.contains("9C417E05"))
    }

    static let wrong: [(String, String)] = [
        ("scan --at origin - -", "- names standard input, from which only one picture can come"),
        ("scan --at origin --payload", "<images> is missing"),
        ("scan --at origin --payload tag.png", "write `--payload -`"),
        ("scan --at origin --payload - -", "write `--payload -`"),
        ("scan --at origin --null -", "are for payloads: add --payload"),
        ("scan --at origin --timestamp file -", "has no time of a file"),
        ("scan --at origin --timestamp file --payload -", "has no time of a file"),
    ]

    @Test("refuses what it cannot read, and says what to write", arguments: wrong)
    func usage(arguments: String, words: String) async throws {
        let place = try Workplace()
        let run = try await place.shell("'\(Workplace.executable)' \(arguments) </dev/null")
        #expect(run.status == 64)
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(!FileManager.default.fileExists(atPath: place.store))
    }

    @Test("does not wait for a picture from a person", arguments: ["scan --at origin", "read"])
    func terminal(command: String) async throws {
        let place = try Workplace()
        let arguments = command.split(separator: " ").map(String.init) + ["-"]
        let shown = try await PseudoTerminal(columns: 200).ask(
            place,
            arguments,
            "never asked",
            nil,
            status: 64
        )
        #expect(shown.contains("which is the terminal; give it a file"))
    }

    @Test("files payloads, one a line, whatever ends it")
    func payloads() async throws {
        let place = try Workplace()
        let lines = "\(Self.tag())\r\(Self.tag(Self.other))\r\nhello\n\n\(Self.tag())"
        let run = try await run(
            place,
            "scan",
            "--at",
            "origin",
            "--payload",
            "-",
            input: Array(lines.utf8)
        )
        #expect(run.status == 1)
        let rows = run.lines.dropFirst().prefix(5).map { $0.split(separator: " ")[0] }
        #expect(rows == ["new", "new", "invalid", "invalid", "repeated"])
        #expect(run.output.hasSuffix("5 payloads, 5 results: 2 new, 1 repeated, 2 invalid\n"))
    }

    static let framed: [(String, [UInt8])] = [
        ("--null", Array("{\n\"id\":\n\"\(id)\"}\0".utf8)), ("-0", Array(tag().utf8)),
        ("--netstrings", Array("\(tag().utf8.count):\(tag()),".utf8)),
        // MessagePack, whose bytes may be line ends: {"id": …, "weight": 10}.
        (
            "--netstrings",
            Array("50:".utf8) + [0x82, 0xA2] + Array("id".utf8) + [0xD9, 36] + Array(id.utf8)
                + [0xA6] + Array("weight".utf8) + [10] + Array(",".utf8)
        ),
    ]

    @Test("takes payloads with line ends in them", arguments: framed)
    func separators(flag: String, input: [UInt8]) async throws {
        let place = try Workplace()
        let run = try await run(
            place,
            "scan",
            "--at",
            "origin",
            "--payload",
            flag,
            "-",
            input: input
        )
        #expect(run.status == 0, "\(run.output)\(run.errors)")
    }

    @Test("tells each outcome as soon as the payload has come")
    func streaming() async throws {
        let place = try Workplace()
        let result = try await Subprocess.run(
            .path(.init(Workplace.executable)),
            arguments: ["scan", "--at", "origin", "--format", "json", "--payload", "-"],
            environment: .custom(["LUGGAGE_STORE": place.store, "TZ": "UTC"]),
            platformOptions: .endingWithTests,
            input: .inputWriter,
            output: .sequence,
            error: .discarded
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            let words = [(Self.id, "new"), (Self.other, "new"), ("no bag's", "invalid")]
            for (id, outcome) in words {
                // The end of the input is still to come.
                _ = try await execution.standardInputWriter.write(Self.tag(id) + "\r\n")
                let line = try #require(try await lines.next(isolation: #isolation))
                #expect(line.contains("\"outcome\":\"\(outcome)\""))
            }
            try await execution.standardInputWriter.finish()
            #expect(try await lines.next(isolation: #isolation) == nil)
        }
        #expect(result.terminationStatus == .exited(1))
    }

    @Test("may be done again after an interruption, with the times of before")
    func again() async throws {
        let place = try Workplace()
        let input = Array("\(Self.tag())\n\(Self.tag(Self.other))\n".utf8)
        for outcome in ["new", "repeated"] {
            let run = try await run(
                place,
                "scan",
                "--at",
                "origin",
                "--format",
                "json",
                "--timestamp",
                "2026-07-01T08:00:00Z",
                "--payload",
                "-",
                input: input
            )
            #expect(try run.objects().map { $0["outcome"] as? String } == [outcome, outcome])
        }
    }

    @Test("says that nothing has come, and files nothing in a dry run")
    func nothing() async throws {
        let place = try Workplace()
        let empty = try await run(
            place,
            "scan",
            "--at",
            "origin",
            "--payload",
            "-",
            input: []
        )
        #expect(empty.status == 66 && empty.errors.contains("no payload has come"))
        let dry = try await run(
            place,
            "scan",
            "--at",
            "origin",
            "--dry-run",
            "--payload",
            "-",
            input: Array(Self.tag().utf8)
        )
        #expect(dry.output.hasSuffix("1 new (nothing was filed: dry run)\n"))
        #expect(try await place.luggage("list", "--format", "json").array().isEmpty)
    }
}
