import Foundation
import Testing

@Suite("luggage scan from standard input")
struct ScanInputTests {
    private static let id = "F432BDB8-D84F-4461-8362-AFF89F6C493E"
    private static let other = "9C417E05-D84F-4461-8362-AFF89F6C493E"

    private static func tag(_ id: String = id) -> String { #"{"id":"\#(id)","weight":42}"# }

    /// Runs `luggage scan --at origin` with more words, and with bytes on standard input.
    private func scan(
        _ words: String,
        _ input: some Sequence<UInt8>,
        in place: Workplace
    ) async throws -> Workplace.Run {
        try place.add("input", Array(input))
        return try await place.shell(
            "cat input | '\(Workplace.executable)' scan --at origin \(words)"
        )
    }

    /// The outcomes that a run tells as JSON.
    private func outcomes(_ run: Workplace.Run) throws -> [String?] {
        try run.objects().map { $0["outcome"] as? String }
    }

    @Test(
        "files a picture like a file of the same bytes",
        arguments: ["tag-f432-dzmu.png", "tag-by-telephone.jpg"]
    )
    func picture(sample: String) async throws {
        let place = try Workplace()
        let bytes = try Data(contentsOf: URL(filePath: Workplace.sample(sample)))
        let first = try await scan("--format json -", bytes, in: place)
        #expect(first.status == 0 && first.errors == "")
        #expect(try outcomes(first) == ["new"])
        #expect(try first.objects().map { $0["image"] as? String } == ["-"])
        // Its content is what it is known by.
        let second = try await scan("--format json '\(Workplace.sample(sample))'", [], in: place)
        #expect(try outcomes(second) == ["repeated"])
        let digests = try (first.objects() + second.objects()).map { $0["imageDigest"] as? String }
        #expect(Set(digests).count == 1)
    }

    @Test("has an outcome for everything that is no picture", arguments: ["", "hello"])
    func noPictures(input: String) async throws {
        let run = try await scan("--format json -", input.utf8, in: Workplace())
        #expect(run.status == 1)
        #expect(try outcomes(run) == ["damaged"])
    }

    @Test(
        "refuses a picture that is too long, and says no more of its length than it knows",
        arguments: ["scan --at origin", "read", "read --explain why.png"]
    )
    func tooLong(command: String) async throws {
        let place = try Workplace()
        // It never ends.
        let run = try await place.shell(
            "(printf '\\211PNG\\r\\n\\032\\n'; cat /dev/zero) "
                + "| '\(Workplace.executable)' \(command) --format json -"
        )
        #expect(run.status == 1)
        let errors = try run.objects().map { $0["error"] as? [String: Any] }
        #expect(errors.map { $0?["reason"] as? String } == ["too-many-bytes"])
        #expect(
            errors.map { $0?["message"] as? String }
                == ["standard input has more than 67108864 bytes, which is the limit"]
        )
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

    @Test("files payloads, one a line, whatever ends it, and passes over empty lines")
    func payloads() async throws {
        let place = try Workplace()
        let lines = "\n\r\n\(Self.tag())\r\(Self.tag(Self.other))\r\nhello\n\n\(Self.tag())"
        let run = try await scan("--payload -", lines.utf8, in: place)
        #expect(run.status == 1)
        let rows = run.lines.dropFirst().prefix(4).map { $0.split(separator: " ") }
        #expect(rows.map { $0[0] } == ["new", "new", "invalid", "repeated"])
        // By the number of the line, an editor finds it.
        for (row, number) in zip(rows, [3, 4, 5, 7]) {
            #expect(row.joined(separator: " ").contains("line \(number)"), "\(row)")
        }
        #expect(run.output.hasSuffix("4 payloads, 4 results: 2 new, 1 repeated, 1 invalid\n"))
        let summary = try await place.luggage("summary", "--format", "json")
        #expect(summary.output.contains(#""scans" : 3,"#), "\(summary.output)")
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
        let run = try await scan("--payload \(flag) -", input, in: Workplace())
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("payload 1"))
    }

    @Test("may be done again after an interruption, with the times of before")
    func again() async throws {
        let place = try Workplace()
        let input = "\(Self.tag())\n\(Self.tag(Self.other))\n"
        let words = "--format json --timestamp 2026-07-01T08:00:00Z --payload -"
        for outcome in ["new", "repeated"] {
            #expect(try await outcomes(scan(words, input.utf8, in: place)) == [outcome, outcome])
        }
    }

    @Test("says that nothing has come", arguments: ["", "\n", "\r\n\n\r"])
    func nothing(input: String) async throws {
        let run = try await scan("--payload -", input.utf8, in: Workplace())
        #expect(run.status == 66 && run.errors.contains("no payload has come"))
    }

    @Test("files nothing in a dry run")
    func dryRun() async throws {
        let place = try Workplace()
        let run = try await scan("--dry-run --payload -", Self.tag().utf8, in: place)
        #expect(run.output.hasSuffix("1 new (nothing was filed: dry run)\n"))
        #expect(!FileManager.default.fileExists(atPath: place.store))
    }
}
