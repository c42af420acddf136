import Foundation
import TestFolders
import Testing

extension Workplace {
    /// The program that prints tags, beside these tests.
    static let tagExecutable = executable + "-tag"

    /// Runs `luggage-tag` to its end.
    func tag(_ arguments: String...) async throws -> Run {
        try await run(Self.tagExecutable, arguments, ["HOME": path("")])
    }

    /// What is in the folder, hidden names too.
    var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: path("")).sorted()
        }
    }
}

/// The options of a tag that has nothing wrong.
private let goodTag = ["--owner", "D/ZMU", "--from", "ZRH", "--to", "JFK", "--weight", "42lb"]

@Suite("luggage-tag new")
struct TagNewTests {
    @Test("makes identifiers that differ", arguments: [1, 2, 1000])
    func make(count: Int) async throws {
        let run = try await Workplace().tag("new", "--count", "\(count)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(run.status == 0 && lines.count == count && Set(lines).count == count)
        #expect(lines.allSatisfy { UUID(uuidString: $0)?.uuidString == $0 })
    }

    @Test("makes no nonsense", arguments: ["0", "-1", "many", "1000001", "99999999999999999999"])
    func nonsense(count: String) async throws {
        let run = try await Workplace().tag("new", "--count=\(count)")
        #expect(run.status == 64 && run.output == "" && run.errors.contains("--count"))
    }
}

@Suite("luggage-tag print")
struct TagPrintTests {
    @Test("prints a tag that luggage files", arguments: ["json", "messagepack"])
    func file(payload: String) async throws {
        let place = try Workplace()
        let print = try await place.run(
            Workplace.tagExecutable,
            ["print"] + goodTag + ["--payload", payload, "--out", place.path("tag.png")],
            [:]
        )
        try #require(print.status == 0, "\(print.errors)")
        let identifier = print.output.trimmingCharacters(in: .newlines)
        let scan = try await place.luggage(
            "scan",
            "--at",
            "origin",
            "--format",
            "json",
            place.path("tag.png")
        )
        #expect(scan.status == 0 && scan.output.contains(identifier), "\(scan.errors)")
        #expect(try place.names.contains("tag.png"))
    }

    @Test("writes each format to a file and to standard output", arguments: formats)
    func write(format: String, start: String) async throws {
        let place = try Workplace()
        let command = "'\(Workplace.tagExecutable)' print \(goodTag.joined(separator: " "))"
        let run = try await place.shell(
            "\(command) --out tag.\(format) && \(command) --out - --format \(format) >other && "
                + "head -c \(start.utf8.count) tag.\(format) && head -c \(start.utf8.count) other"
        )
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.split(separator: "\n", maxSplits: 1).last == "\(start)\(start)")
    }

    static let formats = [
        ("pdf", "%PDF-1"), ("svg", "<?xml"), ("zpl", "^XA^PW"),
    ]

    /// A change to a good command, and what must come of it.
    struct Misuse: CustomTestStringConvertible {
        var change: [String: String?]
        var status: Int32
        var words: String

        var testDescription: String { "\(change)" }

        var arguments: [String] {
            var options = ["--out": "tag.png"] as [String: String?]
            for place in stride(from: 0, to: goodTag.count, by: 2) {
                options[goodTag[place]] = goodTag[place + 1]
            }
            options.merge(change) { $1 }
            return ["print"]
                + options.sorted { $0.key < $1.key }.compactMap { name, value in
                    value.map { "\(name)=\($0)" }
                }
        }
    }

    static let misuses = [
        Misuse(change: ["--owner": nil], status: 64, words: "needs --owner"),
        Misuse(change: ["--out": nil], status: 64, words: "--out"),
        Misuse(change: ["--out": ""], status: 64, words: "--out"),
        Misuse(change: ["--out": "tag"], status: 64, words: ".png"),
        Misuse(change: ["--out": "tag.jpeg"], status: 64, words: ".png"),
        Misuse(change: ["--out": "-"], status: 64, words: "--format"),
        Misuse(change: ["--out": "nowhere/tag.png"], status: 73, words: "nowhere/tag.png"),
        Misuse(change: ["--owner": "DZMU"], status: 64, words: "slash"),
        Misuse(change: ["--owner": "D/ZM/U"], status: 64, words: "slash"),
        Misuse(change: ["--owner": "/ZMU"], status: 64, words: "no given name"),
        Misuse(change: ["--owner": "Dana/ZMU"], status: 64, words: "too long"),
        Misuse(change: ["--owner": "D/\u{1B}[2J"], status: 64, words: "\\u{1b}"),
        Misuse(change: ["--owner": "D/\u{E123}"], status: 1, words: "fonts-noto-core"),
        Misuse(
            change: ["--from": String(repeating: "Z", count: 65)],
            status: 64,
            words: "at most 64"
        ),
        Misuse(change: ["--date": "1 July"], status: 64, words: "2026-07-01"),
        Misuse(change: ["--trip": "LX\n14"], status: 64, words: "invisible"),
        Misuse(change: ["--from": "JFK"], status: 64, words: "arrives there"),
        Misuse(change: ["--weight": "42"], status: 64, words: "42kg"),
        Misuse(change: ["--weight": "NaN"], status: 64, words: "weight"),
        Misuse(change: ["--weight": "nan lb"], status: 64, words: "weight"),
        Misuse(change: ["--weight": "-1lb"], status: 64, words: "weigh"),
        Misuse(change: ["--weight": "1e99kg"], status: 64, words: "weigh"),
        Misuse(change: ["--weight": "19,05 kg"], status: 64, words: "comma"),
        Misuse(change: ["--weight": ""], status: 64, words: "weight"),
        Misuse(change: ["--weight": "42st"], status: 64, words: "weight"),
        Misuse(change: ["--weight": "42\u{202E}lb"], status: 64, words: "\\u{202e}"),
        Misuse(change: ["--from": ""], status: 64, words: "needs a value"),
        Misuse(change: ["--to": "J\u{1B}K"], status: 64, words: "\\u{1b}"),
        Misuse(change: ["--id": "F432"], status: 64, words: "luggage-tag new"),
        Misuse(change: ["--id": ""], status: 64, words: "--id"),
        Misuse(
            change: ["--id": "{F432BDB8-D84F-4461-8362-AFF89F6C493E}"],
            status: 64,
            words: "luggage-tag new"
        ),
        Misuse(change: ["--size": "100"], status: 64, words: "100x150"),
        Misuse(change: ["--size": "1x1"], status: 64, words: "mm"),
        Misuse(change: ["--size": "nanx100"], status: 64, words: "mm"),
        Misuse(change: ["--size": "1x1in"], status: 64, words: "mm"),
        Misuse(change: ["--size": "4x6inch"], status: 64, words: "4x6in"),
        Misuse(change: ["--layout": "ring"], status: 64, words: "'loop'"),
        Misuse(change: ["--layout": "card", "--stub": "1"], status: 64, words: "--stub"),
        Misuse(change: ["--printer": "office"], status: 64, words: "leave one of them out"),
        Misuse(change: ["--out": nil, "--printer": ""], status: 64, words: "needs a value"),
        Misuse(change: ["--out": nil, "--printer": "-oraw"], status: 64, words: "lpstat"),
        Misuse(change: ["--out": nil, "--printer": "a b"], status: 64, words: "lpstat"),
        Misuse(change: ["--out": nil, "--printer": "a\u{1B}"], status: 64, words: "\\u{1b}"),
        Misuse(
            change: ["--out": nil, "--printer": "socket://:9100"],
            status: 64,
            words: "socket://10.0.0.7:9100"
        ),
        Misuse(
            change: ["--out": nil, "--printer": "/dev/null", "--format": "pdf"],
            status: 64,
            words: "gets ZPL"
        ),
        Misuse(
            change: ["--out": nil, "--printer": "/dev/full"],
            status: 74,
            words: "No space left on device; of 1 labels, 0 were sent"
        ),
        Misuse(
            change: ["--out": nil, "--printer": "/nowhere/lp0"],
            status: 74,
            words: "connect the printer"
        ),
        Misuse(change: ["--dpi": "72"], status: 64, words: "manual"),
        Misuse(change: ["--payload": "toml"], status: 64, words: "'messagepack'"),
        Misuse(change: ["--correction": "X"], status: 64, words: "'H'"),
        Misuse(change: ["--weight-unit": "kg"], status: 64, words: "--weight-form"),
        Misuse(change: ["--from-csv": "a.csv"], status: 64, words: "a table has a column"),
        Misuse(
            change: ["--owner": nil, "--weight": nil, "--from": "", "--from-csv": "a.csv"],
            status: 64,
            words: "needs a value"
        ),
        Misuse(
            change: ["--size": "30x30", "--payload": "xml-plist", "--correction": "H"],
            status: 1,
            words: "choose a larger --size, --correction L or --payload messagepack"
        ),
        Misuse(
            change: ["--size": "600x600", "--dpi": "1200"],
            status: 1,
            words: "choose a smaller --size or --dpi"
        ),
    ]

    @Test("says what is wrong and what to do, and writes nothing", arguments: misuses)
    func misuse(_ misuse: Misuse) async throws {
        let place = try Workplace()
        let run = try await place.run(Workplace.tagExecutable, misuse.arguments, [:])
        #expect(run.status == misuse.status)
        #expect(run.errors.contains(misuse.words), "\(run.errors)")
        #expect(run.output == "" && !run.errors.contains("\u{1B}"))
        #expect(try place.names == [])
    }

    @Test("replaces a file only where it is told to")
    func replace() async throws {
        let place = try Workplace()
        try place.add("tag.svg", [1])
        let arguments = ["print"] + goodTag + ["--out", place.path("tag.svg")]
        let refusal = try await place.run(Workplace.tagExecutable, arguments, [:])
        #expect(refusal.status == 73 && refusal.errors.contains("--force"))
        #expect(try Data(contentsOf: place.folder.url.appending(path: "tag.svg")) == Data([1]))
        let run = try await place.run(Workplace.tagExecutable, arguments + ["--force"], [:])
        #expect(run.status == 0)
        #expect(try place.names == ["tag.svg"])
    }

    @Test("fails when the output cannot be written")
    func fullOutput() async throws {
        let run = try await Workplace().shell(
            "'\(Workplace.tagExecutable)' print \(goodTag.joined(separator: " ")) "
                + "--format pdf --out - >/dev/full"
        )
        #expect(run.status == 74 && run.errors.contains("No space left on device"))
    }

    @Test("answers every command's --help with an example", arguments: ["print", "new"])
    func help(command: String) async throws {
        let run = try await Workplace().tag(command, "--help")
        #expect(run.status == 0)
        #expect(run.output.contains("USAGE: luggage-tag \(command)"))
        #expect(run.output.contains("\nluggage-tag \(command)"))
    }
}
