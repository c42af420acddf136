import Foundation
import Logging
import LuggageTags
import TagReading
import TestFolders
import Testing

@testable import LuggageService

@Suite("A configuration")
struct ConfigurationTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func load(
        _ text: String? = nil,
        environment: [String: String] = [:],
        arguments: [WatchSetting: String] = [:]
    ) throws -> WatchConfiguration {
        let path = try text.map { try scratch.write($0, to: "luggage.yaml") }
        return try WatchConfiguration.load(
            file: path ?? scratch.path("absent.yaml"),
            isOptional: path == nil,
            environment: environment,
            arguments: arguments
        )
    }

    @Test("needs no more than a folder")
    func defaults() throws {
        let configuration = try load(arguments: [.folder: "/srv/luggage"])
        #expect(configuration == WatchConfiguration(folder: "/srv/luggage"))
        #expect(configuration.hookTimeLimit == .seconds(30))
        #expect(configuration.grace == .seconds(60))
        #expect(configuration.logFormat == .auto)
        #expect(configuration.logLevel == .info)
        #expect(configuration.timestamp == .file)
        #expect(configuration.bounds == .usual)
        #expect(configuration.units == .pounds)
        #expect(configuration.effort == .normal)
        #expect(configuration.readers == nil)
    }

    private static let everything = """
        \u{FEFF}# How the baggage room in Munich is watched.
        ---
        folder: /srv/luggage   # the inbox
        points:  # of this house
          # where people have their bags looked through
          security: under-way   # the long queue

            'kerb' : "departing"
          transfer: under-way
        at: kerb
        station: 'MUC 2'
        store: "/var/lib/luggage/muc.sqlite"
        hook: |
            case "$LUGGAGE_EVENT" in
              failed) notify: "$LUGGAGE_NAME" ;;
            esac
        hook-time-limit: 250ms
        metrics: /var/lib/node-exporter/luggage.prom
        timestamp: now
        earliest: 2010-06-30
        heaviest: 450 kg
        overdue: 6h
        read-rate: 97.5%
        silence: 2d
        units: kg
        grace: 5m
        effort: thorough
        readers: 3
        fresh-readers: yes
        scanners:
          /dev/ttyACM0: kerb
          # of the desk
          '/dev/ttyUSB*': origin gate 4   # any
          serial/by-path/pci-0:1.0: destination
        baud: 115200
        payload-end: nul
        log-format: json
        log-level: debug

        """

    @Test("can be set completely in a file", arguments: ["\n", "\r\n", "\r"])
    func file(lineBreak: String) throws {
        let text = Self.everything.replacing("\n", with: lineBreak)
        var expected = WatchConfiguration(folder: "/srv/luggage")
        expected.points = try PointWords(
            settingText: "security: under-way, kerb: departing, transfer: under-way"
        )
        expected.point = Point(rawValue: "kerb")
        expected.station = "MUC 2"
        expected.store = "/var/lib/luggage/muc.sqlite"
        expected.hook = """
            case "$LUGGAGE_EVENT" in
              failed) notify: "$LUGGAGE_NAME" ;;
            esac

            """
        expected.hookTimeLimit = .milliseconds(250)
        expected.metrics = "/var/lib/node-exporter/luggage.prom"
        expected.timestamp = .now
        expected.bounds = TagBounds(
            earliest: Date(timeIntervalSince1970: 1_277_856_000),
            heaviest: Float(450 / 0.45359237)
        )
        expected.alarms = AlarmBounds(overdue: 21_600, readRate: 0.975, silence: 172_800)
        expected.units = .kilograms
        expected.grace = .seconds(300)
        expected.effort = .thorough
        expected.readers = 3
        expected.freshReaders = .yes
        expected.scanners = ScannerWords([
            .init(device: "/dev/ttyACM0", point: try #require(expected.point), station: nil),
            .init(device: "/dev/ttyUSB*", point: .origin, station: "gate 4"),
            .init(
                device: scratch.path("serial/by-path/pci-0:1.0"),
                point: .destination,
                station: nil
            ),
        ])
        expected.baud = 115_200
        expected.payloadEnd = .nul
        expected.logFormat = .json
        expected.logLevel = .debug
        #expect(try load(text) == expected)
    }

    @Test("can be set completely in the environment, and on the command line")
    func variables() throws {
        let values: [WatchSetting: String] = [
            .folder: "/a", .points: "kerb: departing, hotel: arriving", .at: "hotel", .station: "X",
            .place: "Pier 3",
            .store: "/s", .hook: "true",
            .earliest: "2010-06-30", .heaviest: "500 lb", .overdue: "90m", .readRate: "100%",
            .silence: "29d", .units: "kg",
            .hookTimeLimit: "1h", .metrics: "/m", .timestamp: "now", .grace: "1ms",
            .effort: "fast", .readers: "64", .freshReaders: "yes",
            .scanners: "/dev/ttyACM0: hotel X 1, /dev/ttyUSB*: origin", .baud: "19200",
            .payloadEnd: "nul", .hub: "postgresql://muc:secret@hub.example/luggage",
            .logFormat: "journal", .logLevel: "critical",
        ]
        #expect(Set(values.keys) == Set(WatchSetting.allCases))
        let pairs = values.map { ($0.key.variable, $0.value) }
        let environment = Dictionary(uniqueKeysWithValues: pairs)
        #expect(environment["LUGGAGE_HOOK_TIME_LIMIT"] == "1h")
        let configuration = try load(environment: environment)
        for (setting, text) in values {
            // A password may be in it.
            let shown = setting == .hub ? "(an address)" : text
            #expect(configuration.text(of: setting) == shown)
        }
        #expect(configuration.hub == values[.hub])
        #expect(try load(arguments: values) == configuration)
    }

    @Test("is taken from the command line, else the environment, else the file")
    func layers() throws {
        let text = "folder: /file\ngrace: 1s\neffort: fast\nreaders: 1\n"
        let environment = [
            "LUGGAGE_FOLDER": "/environment", "LUGGAGE_GRACE": "2s", "LUGGAGE_READERS": "",
            "FOLDER": "/elsewhere", "luggage_effort": "thorough", "LUGGAGE_UNRELATED": "1",
        ]
        let configuration = try load(
            text,
            environment: environment,
            arguments: [.folder: "/arguments"]
        )
        #expect(configuration.folder == "/arguments")
        #expect(configuration.grace == .seconds(2))
        #expect(configuration.effort == .fast)
        #expect(configuration.readers == 1)
    }

    @Test(
        "may leave settings empty in its file",
        arguments: ["", " ", " ~", " null", "  # none", "\t", " NULL # none"]
    )
    func emptyValues(value: String) throws {
        let text = "hook:\(value)\nfolder: /srv\nstation:\(value)\n"
        #expect(try load(text) == WatchConfiguration(folder: "/srv"))
    }

    @Test(
        "may write a value in any way that YAML has for one text",
        arguments: [
            (#""/x""#, "/x"), ("'/x'", "/x"), (#""/\x78""#, "/x"),
            ("/x#y", "/x#y"), ("/x #y", "/x"), ("'/x #y'", "/x #y"), ("'/it''s'", "/it's"),
            (#""/a\"b""#, #"/a"b"#), ("|-\n  /x", "/x"), (">-\n  /x\n  y", "/x y"),
            ("  /x  ", "/x"), ("\t/x", "/x"), ("/x:y", "/x:y"),
            ("/é/李", "/é/李"), ("'1'", "1"), ("1", "1"), ("n ull", "n ull"),
            ("~#x", "~#x"), ("null#1", "null#1"), ("nullable", "nullable"),
            ("|2-\n  /x\n\n  # y", "/x\n\n# y"),
        ] as [(String, String)]
    )
    func spellings(written: String, meant: String) throws {
        let path = meant.hasPrefix("/") ? meant : scratch.path(meant)
        #expect(try load("folder: \(written)\n").folder == path)
        #expect(try load("folder : \(written)").folder == path)
    }

    @Test(
        "may have a text of several lines anywhere, up to the next setting",
        arguments: [
            ("|\n  a\n   b\n\n  # c\n\n", "a\n b\n\n# c\n"), ("|-\n\n  a\n", "\na"),
            (">\n  a\n  b\n", "a b\n"), ("|+\n  a\n\n", "a\n\n"), ("|\n  a\n# c\n\n", "a\n"),
            ("|\n  at: origin\n  'x\n", "at: origin\n'x\n"), ("|  # c\n\ta\n", nil),
        ] as [(String, String?)]
    )
    func severalLines(written: String, meant: String?) throws {
        for text in ["folder: /srv\nhook: \(written)", "hook: \(written)folder: /srv\n"] {
            #expect((try? load(text))?.hook == meant, "\(text)")
        }
    }

    @Test("begins relative paths of a file at the folder of that file, and all others as they are")
    func relativePaths() throws {
        let text =
            "folder: in box\nstore: ../state/luggage.sqlite\nmetrics: ./luggage.prom\nhook: a/b\n"
        let configuration = try load(text)
        #expect(configuration.folder == scratch.path("in box"))
        #expect(configuration.store == scratch.path("../state/luggage.sqlite"))
        #expect(configuration.metrics == scratch.path("./luggage.prom"))
        // A command line is the shell's to understand.
        #expect(configuration.hook == "a/b")
        let paths: [WatchSetting: String] = [.folder: "in", .store: "a.sqlite", .metrics: "b.prom"]
        let variables = Dictionary(uniqueKeysWithValues: paths.map { ($0.key.variable, $0.value) })
        for configuration in [
            try load(text, arguments: paths), try load(text, environment: variables),
        ] {
            for (setting, path) in paths { #expect(configuration.text(of: setting) == path) }
        }
    }

    @Test("is compared with a new one, and taken over as far as a running service can")
    func changes() throws {
        var old = WatchConfiguration(folder: "/a")
        old.hook = "true"
        #expect(old.changes(to: old).isEmpty)
        #expect(old.changes(to: old).description == "the configuration is as it was")
        var new = old
        new.folder = "/b"
        new.point = .origin
        new.station = "new\nline"
        new.store = "/s"
        new.hook = nil
        new.grace = .seconds(90)
        new.readers = 2
        let changes = old.changes(to: new)
        #expect(changes.immediate.map(\.setting) == [.hook])
        #expect(
            changes.postponed.map(\.setting)
                == [.folder, .at, .station, .store, .grace, .readers]
        )
        #expect(
            changes.description
                == "hook: not set, was true; "
                + "only after a restart: folder: /b, was /a; at: origin, was not set; "
                + #"station: new\nline, was not set; store: /s, was not set; "#
                + "grace: 90s, was 1m; readers: 2, was not set"
        )
        let taken = old.takingOver(new)
        var expected = old
        expected.hook = nil
        #expect(taken == expected)
        #expect(taken.changes(to: new).immediate.isEmpty)
    }

    @Test(
        "has lengths of time as people write them",
        arguments: [
            ("1ms", .milliseconds(1)), ("250ms", .milliseconds(250)), ("30s", .seconds(30)),
            ("5m", .seconds(300)), ("1h", .seconds(3600)), ("90 s", .seconds(90)),
            ("007s", .seconds(7)), ("24h", .seconds(86400)),
        ] as [(String, Duration)]
    )
    func durations(text: String, duration: Duration) throws {
        #expect(try SettingText.duration(text) == duration)
        #expect(Duration(settingText: duration.settingText) == duration)
    }
}
