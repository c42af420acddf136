import Foundation
import LuggageTags
import SystemSupport
import TestFolders
import Testing

@testable import LuggageService

@Suite("A wrong configuration")
struct WrongConfigurationTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    /// The mistakes, with FILE for the path of the file.
    private func mistakes(
        bytes: [UInt8],
        environment: [String: String] = [:],
        arguments: [WatchSetting: String] = [:]
    ) throws -> [String] {
        let path = scratch.path("luggage.yaml")
        try Data(bytes).write(to: URL(filePath: path))
        return try mistakes(path: path, environment: environment, arguments: arguments)
    }

    private func mistakes(
        path: String,
        environment: [String: String] = [:],
        arguments: [WatchSetting: String] = [:]
    ) throws -> [String] {
        do {
            _ = try WatchConfiguration.load(
                file: path,
                environment: environment,
                arguments: arguments
            )
            return []
        } catch {
            return error.mistakes.map { $0.description.replacing(path, with: "FILE") }
        }
    }

    private static let places: [(value: String, mistake: String)] = [
        (
            "grace: soon",
            #"grace: expected a length of time from 1ms to 24h, found "soon"; write it like 250ms, 30s, 5m or 1h"#
        ),
        (
            "grace: 30",
            #"grace: expected a length of time from 1ms to 24h, found "30"; write the unit too: ms, s, m or h"#
        ),
        (
            "grace: 25h",
            #"grace: expected a length of time from 1ms to 24h, found "25h"; write one within these bounds"#
        ),
        (
            "at: orign",
            #"at: expected one of origin, load, transfer, unload, destination, delivery, found "orign"; did you mean origin? Else name the word and its role in the setting `points`"#
        ),
        (
            "at: LHR",
            #"at: expected one of origin, load, transfer, unload, destination, delivery, found "LHR"; choose one of them, or name the word and its role in the setting `points`"#
        ),
        (
            "readers: 0",
            #"readers: expected a whole number from 1 to 64, found "0"; write one, or leave the setting out"#
        ),
        (
            "station: ' '",
            #"station: expected a name of 1 to 64 characters on one line, not blanks alone, found " "; choose another name"#
        ),
        (
            "station: \"a\\nb\"",
            #"station: expected a name of 1 to 64 characters on one line, not blanks alone, found "a\nb"; choose another name"#
        ),
        (
            "store: ~/luggage",
            #"store: expected a path, found "~/luggage"; write the whole path; only a shell knows what ~ stands for"#
        ),
        (
            "heaviest: 500",
            #"heaviest: expected a weight with its unit, of at most 99999 lb, found "500"; write it like 1000 lb or 450 kg"#
        ),
        (
            "earliest: 2001-2-30",
            #"earliest: expected a day from 1970-01-01 until today, found "2001-2-30"; write it like 2001-01-01"#
        ),
        ("graec: 1s", "graec: there is no such setting; did you mean grace?"),
        (
            "hookTimeLimit: 1s",
            "hookTimeLimit: there is no such setting; did you mean hook-time-limit?"
        ),
        (
            "store: [a]",
            "store: expected one value, found a list; write one value, or put it in quotes"
        ),
        (
            "store: {a: b}",
            "store: expected one value, found further settings; write one value, or put it in quotes"
        ),
        (
            "store: &a b",
            "store: expected a value, found one that begins with &; write the value itself, or put it in quotes"
        ),
        (
            "store: *a",
            "store: expected a value, found one that begins with *; write the value itself, or put it in quotes"
        ),
        (
            "store: !!binary b",
            "store: expected a value, found one that begins with !; write the value itself, or put it in quotes"
        ),
        (
            "store: \"a",
            "store: the quotes around the value are not closed; close them on this line"
        ),
        (
            "metrics: \"\\\"",
            "metrics: the quotes around the value are not closed; close them on this line"
        ),
        ("folder: /b", "folder: is set already on line 1; leave one of the two out"),
        (
            "store:/b",
            #"expected a key, a colon, a space and a value, found "store:/b"; write it like folder: /srv/luggage"#
        ),
        (
            "- store: /b",
            #"expected a key, a colon, a space and a value, found "- store: /b"; write it like folder: /srv/luggage"#
        ),
        (
            "--- ",
            #"expected a key, a colon, a space and a value, found "--- "; write it like folder: /srv/luggage"#
        ),
        ("store: /b\u{2028}at: x", "this line has an invisible character; remove it"),
        ("store: /\u{202E}b", "this line has an invisible character; remove it"),
    ]

    @Test("names the line, the key, what was found and the remedy", arguments: places)
    func lines(place: (value: String, mistake: String)) throws {
        let text = "folder: /srv\n\n\(place.value)\neffort: fast\n"
        let found = try mistakes(bytes: Array(text.utf8))
        #expect(found == ["FILE:3: \(place.mistake)"])
    }

    @Test("of nested values names the line of what does not belong there")
    func nesting() throws {
        let text =
            "folder: /srv\nhook:\n  - a\n  - b\nstore: /a\n  b: c\nreaders: 2\nmetrics: 'a\n  # b\n\n b'"
        let words =
            "expected one value on the line of its key, found more lines that belong to it; "
            + "write everything on that line, or write | there and the text on indented lines below"
        #expect(
            try mistakes(bytes: Array(text.utf8))
                == [
                    "FILE:3: hook: \(words)", "FILE:6: store: \(words)",
                    "FILE:11: metrics: \(words)",
                ]
        )
    }

    @Test(
        "in what the parser of YAML does not take names line and column",
        arguments: [
            (#"hook: "a\qb""#, "FILE:2:9: hook: is not YAML: "),
            ("hook: echo: b", "FILE:2:11: hook: is not YAML: mapping values are not allowed"),
            ("hook: @a", "FILE:2:7: hook: is not YAML: "),
            ("hook: 'a' b", "FILE:2:"), ("hook: |x\n  a", "FILE:2:"), ("hook: %a", "FILE:2:7"),
            ("hook: |\n  a\n\n b", "FILE:5:2: hook: is not YAML: "),
            ("# c\nhook: >\n  a\n# c\n  b", "FILE:6:3: hook: is not YAML: "),
        ] as [(String, String)]
    )
    func yaml(line: String, start: String) throws {
        let text = "folder: /srv\n\(line)\nreaders: many\n"
        let found = try mistakes(bytes: Array(text.utf8))
        #expect(found.count == 2)
        #expect(found.first?.hasPrefix(start) == true, "\(found)")
        #expect(found.first?.contains("\n") == false)
        let remedy = "; put the value in single quotes, and double those within it"
        #expect(found.first?.hasSuffix(remedy) == true, "\(found)")
        // What is good or bad elsewhere is seen all the same.
        #expect(found.last?.contains(": readers: expected a whole number") == true, "\(found)")
    }

    @Test("tells everything at once, from every source")
    func everything() throws {
        let text = "folder: /srv\ngrace: soon\nunknown: 1\nreaders: x\n"
        let environment = [
            "LUGGAGE_GRACE": "1", "LUGGAGE_FOLDR": "/x", "LUGGAGE_NAME": "a.png",
            "LUGGAGE_SOMETHING_ELSE": "", "LUGGAGE_EFFORT": "fast",
        ]
        let found = try mistakes(
            bytes: Array(text.utf8),
            environment: environment,
            arguments: [.at: "here", .grace: "1s"]
        )
        let starts = [
            "FILE:2: grace: expected",
            "FILE:3: unknown: there is no such setting; the settings are folder, points, at",
            "FILE:4: readers: expected", "$LUGGAGE_GRACE: expected",
            "--at: expected",
            "$LUGGAGE_FOLDR: there is no such setting; did you mean LUGGAGE_FOLDER?",
        ]
        #expect(found.count == starts.count)
        for (mistake, start) in zip(found, starts) {
            #expect(mistake.hasPrefix(start))
        }
    }

    @Test("is one line in a status, with its mistakes told apart")
    func oneLine() throws {
        let path = try scratch.write("folder: /srv\ngrace: 7\nreaders: x\n", to: "luggage.yaml")
        let mistakes = [
            #"\(path):2: grace: expected a length of time from 1ms to 24h, found "7"; "#
                + "write the unit too: ms, s, m or h",
            #"\(path):3: readers: expected a whole number from 1 to 64, found "x"; "#
                + "write one, or leave the setting out",
        ].map { $0.replacing(#"\(path)"#, with: path) }
        let error = #expect(throws: ConfigurationError.self) {
            try WatchConfiguration.load(file: path, environment: [:])
        }
        #expect(error?.line == "2 mistakes: (1) \(mistakes[0]) (2) \(mistakes[1])")
        let one = #expect(throws: ConfigurationError.self) {
            try WatchConfiguration.load(
                file: scratch.write("folder: /srv\ngrace: 7\n", to: "luggage.yaml"),
                environment: [:]
            )
        }
        #expect(one?.line == mistakes[0])
    }

    @Test("without a folder says where one can be named")
    func noFolder() throws {
        let expected =
            "no folder to watch is named; name one on the command line, as $LUGGAGE_FOLDER, or as "
            + "folder in FILE"
        #expect(try mistakes(bytes: []) == [expected])
        #expect(try mistakes(bytes: Array("# nothing\n---\n".utf8)) == [expected])
    }

    @Test(
        "is not said to lack a folder that may be named in what could not be read",
        arguments: [
            "folder:/srv\n", "  folder: /srv\n", "hook: a\u{7F}\nat: origin\n",
            String(repeating: "graec: 1s\n", count: 60) + "folder: /srv\n",
        ]
    )
    func unknownFolder(text: String) throws {
        let found = try mistakes(bytes: Array(text.utf8))
        #expect(!found.isEmpty && !found.contains { $0.contains("no folder") }, "\(found)")
    }

    @Test(
        "in a file that is none is said of the file",
        arguments: [
            ("absent.yaml", "cannot be opened: No such file or directory; name another file"),
            ("folder", "is not a regular file; name a file of settings"),
            ("fifo", "is not a regular file; name a file of settings"),
            ("loop", "cannot be opened: Too many levels of symbolic links; name another file"),
            ("long", "has more than 65536 bytes; name a file of settings"),
            ("latin", "is not text in UTF-8; save it in that encoding"),
        ] as [(String, String)]
    )
    func unreadable(name: String, start: String) throws {
        let path = scratch.path(name)
        switch name {
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: false
            )
        case "fifo": #expect(unsafe mkfifo(path, 0o600) == 0)
        case "loop":
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
        case "long":
            let line = Array("# \(String(repeating: "x", count: 61))\n".utf8)
            try Data((0...1024).flatMap { _ in line }).write(to: URL(filePath: path))
        case "latin": try Data([0x66, 0xE9, 0x0A]).write(to: URL(filePath: path))
        default: break
        }
        let found = try mistakes(path: path, arguments: [.folder: "/srv"])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("FILE: \(start)") == true, "\(found)")
    }

    @Test(
        "that is hostile costs no more than its length",
        arguments: [
            // An alias that stands for ten of the one before, thirty times.
            "a: &a [x]\n"
                + (0..<30).map { number in
                    let name = number == 0 ? "a" : "a\(number)"
                    let aliases = Array(repeating: "*\(name)", count: 10).joined(separator: ",")
                    return "b\(number): &a\(number + 1) [\(aliases)]\n"
                }.joined(),
            String(repeating: "[", count: 65000), String(repeating: "{a: ", count: 16000),
            "hook: " + String(repeating: "[", count: 65000),
            "hook:\n" + (1...350).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
            "? " + String(repeating: "- ", count: 30000), String(repeating: "a: b\n", count: 13000),
            String(repeating: "\n", count: 65000) + "hook: \"\u{1}\"", "\u{0}", "%YAML 9.9\n---\n",
            "folder: \"" + String(repeating: "\\", count: 65000),
            // Brackets with a mark are brackets to YAML, and so are quotes.
            "folder: {\u{301}a: &a [x], b: [*a, *a]}\n", "folder: [\u{301}&a x]\n",
            "folder: \"\u{301}\nat: origin\n", "folder: &\u{301}a b\n", "folder: *\u{301}a\n",
            "<<: *x\n", "hook: |\n \t\u{7F}", String(repeating: " \u{7F}\n", count: 20000),
            String(repeating: "é: \n", count: 10000),
        ]
    )
    func hostile(text: String) throws {
        let found = try mistakes(bytes: Array(text.utf8), arguments: [.folder: "/srv"])
        #expect((1...50).contains(found.count))
        #expect(found.allSatisfy { $0.utf8.count < 1000 && $0 == $0.onOneLine })
    }

    @Test("of bytes without sense is an error and nothing worse", arguments: 0..<200)
    func noise(seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let pieces = [
            "folder", ": ", ":", "\n", " ", "\t", "'", "\"", "\\", "|", ">", "-", "- ", "[", "]",
            "{",
            "}", "&", "*", "!", "#", " #", "%", "@", "?", "~", "hook", "points", "grace", "30s",
            "\r", "---",
            "...", "\u{85}", "é", "\u{2028}", "<<", ",", "=", "\u{FEFF}", "0x", "\\x", "|2", ">+",
        ]
        let text = (0..<random(60)).map { _ in pieces[random(pieces.count)] }.joined()
        // Whatever comes of it, the folder of the command line is what counts in the end.
        let path = try scratch.write(text, to: "noise.yaml")
        do throws(ConfigurationError) {
            let configuration = try WatchConfiguration.load(
                file: path,
                environment: [:],
                arguments: [.folder: "/srv"]
            )
            #expect(configuration.folder == "/srv")
        } catch {
            #expect(!error.mistakes.isEmpty)
            #expect(error.mistakes.allSatisfy { $0.description == $0.description.onOneLine })
        }
    }
}
