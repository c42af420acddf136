internal import Foundation
internal import PictureReaders
internal import TagScenes
internal import Testing
@testable internal import reading_score

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite("Answers of readers")
struct AnswerFormatTests {
    @Test(
        "are understood in each format, whatever else is written",
        arguments: [
            (AnswerFormat.base64, "QQ==\n!\nQkM=\n", ["A", "BC"]),
            (.lines, "A\nBC\n\n", ["A", "BC"]),
            (
                .hexadecimal, "Text: \"Bytes: 41\"\nBytes:      41\nFormat: QRCode\nBytes: 42 43\n",
                ["A", "BC"]
            ),
            (
                .luggage,
                #"{"image":"a","base64":"QQ=="}"# + "\n" + #"{"image":"a","error":{"code":"x"}}"#,
                ["A"]
            ),
            (.luggage, #"{"base64":"QQ==","isPartial":true}"# + "\nnonsense\n[1]", []),
            (.joined, "", []),
        ]
    )
    func formats(format: AnswerFormat, output: String, payloads: [String]) {
        #expect(format.payloads(in: bytes(output), expecting: []) == payloads.map(bytes))
    }

    @Test(
        "that are joined are taken apart by what is expected, and the rest is wrong",
        arguments: [
            ("onetwo", ["one", "two"]), ("twoone", ["two", "one"]), ("oneone", ["one", "one"]),
            ("xone", ["x", "one"]), ("onextwo", ["one", "x", "two"]), ("one\n", ["one", "\n"]),
            ("on", ["on"]),
        ]
    )
    func joined(output: String, payloads: [String]) {
        let expected = [bytes("one"), bytes("two"), []]
        #expect(
            AnswerFormat.joined.payloads(in: bytes(output), expecting: expected)
                == payloads.map(bytes)
        )
    }
}

@Suite("Scores")
struct PictureScoreTests {
    private func score(_ answers: [String], of payloads: [String], isKnown: Bool = true)
        -> PictureScore
    {
        let truth = SceneTruth(
            file: "a.png",
            category: isKnown ? "noise" : PhotographTruth.unknown,
            symbols: payloads.map { SceneTruth.Symbol(base64: Data($0.utf8).base64EncodedString()) }
        )
        let runs = answers.map {
            MeasuredRun(
                output: bytes($0),
                milliseconds: Double($0.count),
                mebibytes: 1,
                signal: nil
            )
        }
        return PictureScore(truth, runs, format: .lines)
    }

    @Test("a picture is read when all is found, in every round")
    func read() {
        #expect(score(["a\nb"], of: ["a", "b"]).isRead)
        #expect(!score(["a"], of: ["a", "b"]).isRead)
        #expect(!score(["a\nb", "a"], of: ["a", "b"]).isRead)
        #expect(score(["a\nb", "a"], of: ["a", "b"]).isUnsteady)
        #expect(score(["b\na", "a\nb"], of: ["a", "b"]).isUnsteady == false)
        #expect(score(["a"], of: ["a", "a"]).isRead)
    }

    @Test("what is not in the picture is wrong, in any round")
    func wrong() {
        #expect(score(["a\nx", "a"], of: ["a"]).wrong == [Data("x".utf8).base64EncodedString()])
        #expect(score(["A"], of: ["a"]).wrong.count == 1)
        #expect(score(["x"], of: []).wrong.count == 1)
        #expect(score(["x"], of: [], isKnown: false).wrong.isEmpty)
        #expect(score(["x"], of: [], isKnown: false).isRead)
        #expect(!score([""], of: [], isKnown: false).isRead)
    }

    @Test("a picture without a symbol is read when nothing is returned")
    func tally() {
        let tally = Tally([
            score([""], of: []), score(["x"], of: []), score(["a"], of: ["a", "b"]),
        ])
        #expect(tally.pictures == 3)
        #expect(tally.read == 1)
        #expect(tally.wrong == 1)
        #expect(tally.payloads == 2)
        #expect(tally.payloadsRead == 1)
    }

    @Test("times are medians of the rounds")
    func time() {
        #expect(score(["aaaaa", "a", "aa"], of: ["a"]).milliseconds == 2)
    }
}

@Suite("Truth of photographs")
struct PhotographTruthTests {
    @Test(
        "bytes come out of their escapes",
        arguments: [
            ("é", [0xC3, 0xA9]), (#"\\xc5\\xe9!"#, [0xC5, 0xE9, 0x21]),
            (#"a\r\nb\tc"#, [97, 13, 10, 98, 9, 99]),
            (#"\\:"#, [0x5C, 0x3A]), (#"\\xg0"#, [0x5C, 0x78, 0x67, 0x30]),
            (#"\\x4"#, [0x5C, 0x78, 0x34]),
            (#"\"#, [0x5C]), ("", []),
        ] as [(String, [UInt8])]
    )
    func escapes(text: String, bytes: [UInt8]) {
        #expect(PhotographTruth.bytes(of: text[...]) == bytes)
    }

    @Test("rows without a payload are unknown, and broken rows are left out")
    func rows() {
        let table =
            "file\twidth\theight\tpayloads\ttext\na.png\t1\t2\t1\thi\nb.png\t1\t2\t0\t\nbroken\n"
        let rows = PhotographTruth.rows(of: table)
        #expect(rows.map(\.file) == ["a.png", "b.png"])
        #expect(rows.map(\.isKnown) == [true, false])
        #expect(rows.first?.payloads == [bytes("hi")])
    }
}

@Suite("Readers")
struct ReaderTests {
    @Test("are known by name, or told how to run")
    func parsing() throws {
        #expect(try Reader(parsing: "zbarimg").format == .joined)
        let own = try Reader(parsing: "mine=base64:/bin/mine --fast -x")
        #expect(own.name == "mine")
        #expect(own.command == ["/bin/mine", "--fast", "-x"])
        let old = try Reader(parsing: "old=luggage:/old/luggage")
        #expect(old.command == ["/old/luggage", "read", "--format", "json"])
        #expect(old.format == .luggage)
    }

    @Test("that are not there, or that read nothing, are told with the remedy")
    func checked() async throws {
        let missing = Reader(
            name: "a",
            command: ["/nowhere/reader"],
            format: .lines,
            remedy: "get it"
        )
        #expect(
            try await missing.trouble()
                == "a cannot be measured: no program '/nowhere/reader': get it"
        )
        let silent = Reader(name: "b", command: ["true"], format: .lines, remedy: "mend it")
        #expect(try await silent.trouble() == "b does not read a plain symbol: mend it")
        let other = Reader(name: "c", command: ["echo", "LUGGAGE"], format: .lines)
        #expect(try await other.trouble() != nil)
        let right = Reader(
            name: "d",
            command: ["sh", "-c", "test -s \"$0\" && echo LUGGAGE"],
            format: .lines
        )
        #expect(try await right.trouble() == nil)
        let (ready, troubles) = try await Reader.sorted([missing, right, silent])
        #expect(ready.map(\.name) == ["d"])
        #expect(troubles.count == 2)
    }

    @Test(
        "are refused when nobody can run or understand them",
        arguments: ["", "x", "x=y", "x=y:z", "x=base64:"]
    )
    func refused(text: String) {
        #expect(throws: (any Error).self) { try Reader(parsing: text) }
    }
}
