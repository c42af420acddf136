import Foundation
import LuggageTags
import SystemSupport
import TestFolders
import Testing

@testable import LuggageService

@Suite("Points in a configuration")
struct PointSettingTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func load(
        _ text: String,
        environment: [String: String] = [:],
        arguments: [WatchSetting: String] = [:]
    ) throws -> WatchConfiguration {
        try WatchConfiguration.load(
            file: scratch.write(text, to: "luggage.yaml"),
            environment: environment,
            arguments: arguments
        )
    }

    @Test(
        "are named in whatever way, and every source may speak of them",
        arguments: [
            "points:\n  kerb: departing\n  hotel: arriving\n",
            "points: |\n  kerb: departing\n  hotel: arriving\n",
            "points: 'kerb: departing, hotel: arriving'\n",
            "points: >\n  kerb: departing,\n  hotel: arriving\n",
            "points:\n\n\tkerb:departing\n# the door\n \n  hotel:  arriving # Bellevue\n\n",
        ]
    )
    func points(text: String) throws {
        let both = try PointWords(settingText: "kerb: departing, hotel: arriving")
        let (kerb, hotel) = (try both.point("kerb"), try both.point("hotel"))
        #expect(both.role(of: kerb) == .departing && both.role(of: hotel) == .arriving)
        #expect(both.role(of: .origin) == nil)
        #expect(both.all == Point.builtIn + [kerb, hotel])
        let file = try load("folder: /srv\n\(text)at: hotel\n")
        #expect(file.points == both && file.point == hotel)
        #expect(try load("folder: /srv\n\(text)", arguments: [.at: "kerb"]).point == kerb)
        #expect(
            try load("folder: /srv\n\(text)", environment: ["LUGGAGE_AT": "kerb"]).point == kerb
        )
        let named = ["LUGGAGE_POINTS": "kerb: departing"]
        #expect(try load("folder: /srv\nat: kerb\n", environment: named).point == kerb)
        // The environment has the last word on which there are.
        #expect(throws: ConfigurationError.self) {
            try load("folder: /srv\n\(text)at: hotel\n", environment: named)
        }
    }

    @Test("have each a folder in a watched one, beside the usual two")
    func folders() throws {
        let text =
            "folder: /srv\npoints:\n  security: under-way\n  load: under-way\n  origin: departing\n"
        let configuration = try load(text)
        let layout = FolderLayout(path: "/srv", points: configuration.points)
        let paths = layout.dropFolders.map { String(decoding: $0.path, as: UTF8.self) }
        #expect(paths == ["/srv/origin", "/srv/destination", "/srv/security", "/srv/load"])
        #expect(layout.dropFolders.map(\.role) == [nil, nil, .underWay, nil])
        let security = try configuration.points.point("security")
        let single = FolderLayout(path: "/srv", point: security, points: configuration.points)
        #expect(single.dropFolders.map(\.role) == [.underWay])
        #expect(FolderLayout(path: "/srv").dropFolders.map(\.point) == [.origin, .destination])
    }

    private static let badWord =
        "expected a point of 1 to 32 small letters, digits and hyphens, a letter first"
    private static let below =
        "write each on an indented line of its own below the key, as security: under-way"

    /// What is set, and on which line, what is found wrong with it, and the remedy.
    static let wrongSettings: [(value: String, line: Int, problem: String, remedy: String)] = [
        (
            " kerb: departing", 2, #"expected points on the lines below, found "kerb: departing""#,
            below
        ),
        (
            " {kerb: departing}", 2, "expected points on the lines below, found further settings",
            below
        ),
        (" [kerb]", 2, "expected points on the lines below, found a list", below),
        (
            "\n  - kerb", 3, #"expected a point, a colon and its role, found "- kerb""#,
            "write it like security: under-way"
        ),
        (
            "\n  kerb:\n    role: departing", 3,
            #"expected one of departing, under-way, arriving, found """#, "choose one of them"
        ),
        (
            "\n  kerb: departing\n  gate: arrivng", 4,
            #"expected one of departing, under-way, arriving, found "arrivng""#,
            "did you mean arriving?"
        ),
        (
            "\n  unload: arriving", 3,
            #"expected the role under-way for unload, which is built in, found "arriving""#,
            "choose another word"
        ),
        (
            "\n  failed: arriving", 3,
            #"expected a point that can have a folder beside those of the service, found "failed""#,
            "choose another word"
        ),
        (
            "\n  kerb: departing\n\n  # again\n  kerb: departing", 6,
            #"expected each point once, found "kerb""#, "leave one of the two out"
        ),
        (
            "\n" + (0...64).map { "  p\($0): arriving" }.joined(separator: "\n"), 67,
            #"expected at most 64 points, found "p64""#, "leave some of them out"
        ),
        // YAML joins the lines of a folded text, so only the line of the key is known.
        (
            " >\n  kerb: departing,\n  gate", 2,
            #"expected a point, a colon and its role, found "gate""#,
            "write it like security: under-way"
        ),
    ]

    private func mistakes(_ text: String) throws -> [String] {
        do {
            _ = try load(text)
            return []
        } catch let error as ConfigurationError {
            let path = scratch.path("luggage.yaml")
            return error.mistakes.map { $0.description.replacing(path, with: "FILE") }
        }
    }

    @Test("are told with line and remedy where they are wrong", arguments: wrongSettings)
    func wrong(mistake: (value: String, line: Int, problem: String, remedy: String)) throws {
        let found = try mistakes("folder: /srv\npoints:\(mistake.value)\ngrace: 1s\n")
        #expect(found == ["FILE:\(mistake.line): points: \(mistake.problem); \(mistake.remedy)"])
    }

    @Test(
        "are words that folders can be called by",
        arguments: [
            "Kerb", "../x", "''", "9a", "-a", "straße", "a b", "a/b", ".", "a.b", "&a b", "*a",
            "!a",
        ]
    )
    func words(word: String) throws {
        let found = try mistakes("folder: /srv\npoints:\n  \(word): departing\n")
        let text = word == "''" ? "" : word
        #expect(
            found == [
                "FILE:3: points: \(Self.badWord), found \"\(text)\"; write it like security: under-way"
            ]
        )
        let long = String(repeating: "a", count: 33)
        #expect(try mistakes("folder: /srv\npoints:\n  \(long): departing\n").count == 1)
    }

    static let hostileTexts: [String] = [
        String(repeating: "  a:\n", count: 10000),
        (1...300).map { String(repeating: " ", count: $0) + "a: {\n" }.joined(),
        "  \"" + String(repeating: "\\", count: 60000) + "\n",
        String(repeating: "  a: &a [*a]\n", count: 3000),
        "  ---\n  ...\n  %YAML 9\n", "  a: departing\n \u{7F}\n",
        "  \(String(repeating: ":", count: 60000))\n",
        "  \(String(repeating: ",", count: 60000))x\n", "  a: 'departing\n",
        "  \u{301}a: departing\n",
        "  ? a\n  : departing\n", "  <<: *x\n",
    ]

    @Test(
        "that are hostile cost no more than their length, and spoil nothing else",
        arguments: hostileTexts
    )
    func hostile(text: String) throws {
        let found = try mistakes("folder: /srv\npoints:\n\(text)readers: x\n")
        #expect(found.count == 2, "\(found)")
        #expect(found.allSatisfy { $0.utf8.count < 1000 && $0 == $0.onOneLine })
        #expect(found.contains { $0.contains(": readers: expected a whole number") }, "\(found)")
    }
}
