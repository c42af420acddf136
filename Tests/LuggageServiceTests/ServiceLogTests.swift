import Foundation
import Logging
import TestFolders
import Testing

@testable import LuggageService
import Glibc

@Suite("The log")
struct ServiceLogTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    /// Logs into a file, with the file as standard error, and gives what is in it afterwards.
    private func logged(
        _ format: LogFormat,
        level: Logger.Level = .info,
        isJournal: Bool = false,
        journal: String = "/nonexistent/journal",
        _ body: (Logger) -> Void
    ) throws -> [String] {
        let path = scratch.path("log")
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var status = stat()
        unsafe fstat(descriptor, &status)
        let stream = "\(status.st_dev):\(status.st_ino + (isJournal ? 0 : 1))"
        let log = ServiceLog(
            format: format,
            level: level,
            environment: ["JOURNAL_STREAM": stream],
            descriptor: descriptor,
            journal: JournalSocket(path: journal)
        )
        body(log.makeLogger(label: "test"))
        let text = try scratch.text(of: "log")
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map(String.init)
    }

    private static func withoutTime(_ line: String) -> String {
        String(line.drop { $0 != " " }.dropFirst())
    }

    @Test("for a person has lines with the time, and says from warnings up how grave they are")
    func plain() throws {
        let lines = try logged(.plain) { logger in
            logger.debug("unheard")
            logger.info("tag.png: new", metadata: ["picture": "tag.png"])
            logger.notice("noted")
            logger.warning("careful")
            logger.error("wrong", error: CancellationError())
            logger.critical("the end")
        }
        #expect(
            lines.map(Self.withoutTime) == [
                "tag.png: new", "noted", "warning: careful",
                "error: wrong (error=CancellationError())", "critical: the end",
            ]
        )
        let time = try #require(lines.first?.split(separator: " ").first)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let date = try Date(String(time), strategy: style)
        #expect(abs(date.timeIntervalSinceNow) < 3600)
    }

    @Test("for a person has the metadata too where everything is to be seen")
    func details() throws {
        let lines = try logged(.auto, level: .debug) { logger in
            var logger = logger
            logger[metadataKey: "picture"] = "a.png"
            logger.debug("reading", metadata: ["attempt": "1", "bags": ["x", "y"]])
        }
        #expect(
            lines.map(Self.withoutTime) == [#"reading (attempt=1, bags=["x", "y"], picture=a.png)"#]
        )
    }

    private static let hostile = "a\nb\r\u{1B}[31m\u{202E}c\u{2028}d\"\\e\u{7F}\u{E0100}é"

    @Test("keeps hostile names on one line in every form", arguments: LogFormat.allCases)
    func hostile(format: LogFormat) throws {
        let lines = try logged(format, level: .trace) { logger in
            logger.info("\(Self.hostile)", metadata: ["picture": "\(Self.hostile)"])
        }
        #expect(lines.count == 1)
        let scalars = lines.joined().unicodeScalars
        #expect(!scalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x2028 })
        #expect(!scalars.contains { [0x202E, 0xE0100].contains($0.value) })
        #expect(lines.first?.contains("é") == true)
    }

    @Test("as JSON has the same keys in every line, and the values exactly")
    func json() throws {
        let lines = try logged(.json, level: .trace) { logger in
            logger.trace("nothing more")
            logger.warning("\(Self.hostile)", metadata: ["picture": "\(Self.hostile)"])
        }
        let objects = try lines.map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
        }
        #expect(objects.count == 2)
        for object in objects {
            #expect(Set(object.keys) == ["time", "level", "logger", "message", "metadata"])
            #expect(object["logger"] as? String == "test")
        }
        #expect(objects.map { $0["level"] as? String } == ["trace", "warning"])
        #expect(objects.last?["message"] as? String == Self.hostile)
        #expect(objects.last?["metadata"] as? [String: String] == ["picture": Self.hostile])
        let time = try #require(objects.first?["time"] as? String)
        #expect(time.hasSuffix("Z"))
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        #expect(abs(try Date(time, strategy: style).timeIntervalSinceNow) < 3600)
    }

    @Test("goes to the journal where standard error does, unless another form is asked for")
    func journal() throws {
        let path = scratch.path("journal")
        let receiver = try DatagramReceiver(at: path)
        for (format, isJournal, isHeard) in [
            (LogFormat.auto, true, true), (.auto, false, false), (.journal, false, true),
            (.plain, true, false), (.json, true, false),
        ] {
            let lines = try logged(format, isJournal: isJournal, journal: path) { $0.info("a") }
            #expect(lines.isEmpty == isHeard)
            let entry = receiver.nextText()
            #expect(entry == (isHeard ? "PRIORITY=6\nSYSLOG_IDENTIFIER=luggage\nMESSAGE=a\n" : nil))
            #expect(receiver.next() == nil)
        }
    }

    @Test("gives the journal the metadata as fields, in which nothing is taken for another field")
    func fields() throws {
        let path = scratch.path("journal")
        let receiver = try DatagramReceiver(at: path)
        _ = try logged(.journal, journal: path) { logger in
            let metadata: Logger.Metadata = [
                "picture": "a\nMESSAGE=b", "reason": "no-code", "Bag-Id é": "x=y",
                "\(String(repeating: "k", count: 99))": "long",
            ]
            logger.error("a\nb", metadata: metadata)
        }
        let length: [UInt8] = [11, 0, 0, 0, 0, 0, 0, 0]
        let start = "PRIORITY=3\nSYSLOG_IDENTIFIER=luggage\nMESSAGE=a\\nb\nLUGGAGE_BAG_ID__=x=y\n"
        let long = "LUGGAGE_\(String(repeating: "K", count: 56))=long\n"
        let expected =
            Array("\(start)\(long)LUGGAGE_PICTURE\n".utf8) + length
            + Array("a\nMESSAGE=b\nLUGGAGE_REASON=no-code\n".utf8)
        #expect(receiver.next() == expected)
    }

    @Test("goes to standard error with the priority in front where the journal does not listen")
    func deafJournal() throws {
        let lines = try logged(.auto, isJournal: true) { logger in
            logger.info("a")
            logger.warning("b")
        }
        #expect(lines == ["<6>a", "<4>warning: b"])
        let file = try scratch.write("", to: "file")
        #expect(try logged(.journal, journal: file) { $0.info("a") }.count == 1)
        let name = "/\(String(repeating: "x", count: 200))"
        #expect(try logged(.journal, journal: name) { $0.info("a") }.count == 1)
    }

    @Test("of any length arrives, if not completely")
    func length() throws {
        let path = scratch.path("journal")
        let receiver = try DatagramReceiver(at: path)
        let long = String(repeating: "é", count: 1 << 20)
        var metadata: Logger.Metadata = [:]
        for number in 0..<30 { metadata["key\(number)"] = "\(long)" }
        let lines = try logged(.journal, journal: path) { logger in
            logger.info("\(long)", metadata: metadata)
        }
        #expect(lines.isEmpty)
        let entry = try #require(receiver.nextText())
        #expect(entry.contains("\nMESSAGE=éé") && entry.contains("\nLUGGAGE_KEY29=éé"))
    }

    @Test("follows its form and level as they change")
    func change() throws {
        let path = scratch.path("log")
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let journal = JournalSocket(path: "/nonexistent")
        let log = ServiceLog(
            format: .plain,
            level: .warning,
            environment: [:],
            descriptor: descriptor,
            journal: journal
        )
        let logger = log.makeLogger()
        logger.info("unheard")
        log.level = .info
        log.format = .json
        logger.info("heard")
        var loud = logger
        loud.logLevel = .critical
        loud.error("unheard")
        let text = try scratch.text(of: "log")
        #expect(text.hasPrefix("{") && text.split(separator: "\n").count == 1)
        #expect(text.contains("\"heard\""))
    }

    @Test(
        "knows the journal by JOURNAL_STREAM alone where it has that form",
        arguments: ["", "1", "1:", ":1", "a:b", "1:2:3", "-1:2", "1:2 ", "99999999999999999999:1"]
    )
    func wrongStream(text: String) {
        #expect(JournalStream(environment: ["JOURNAL_STREAM": text]) == nil)
    }
}
