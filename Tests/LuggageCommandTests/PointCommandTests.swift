import Foundation
import Testing

@Suite("Points that the settings name")
struct PointCommandTests {
    private static let tag = Workplace.sample("tag-f432-dzmu.png")
    private static let settings = """
        store: @house.sqlite
        folder: @inbox
        points:
          kerb: departing
          security: under-way
          hotel: arriving

        """

    private let place: Workplace

    init() throws {
        place = try Workplace()
        try configure(Self.settings)
    }

    private func configure(_ text: String) throws {
        try place.add("luggage.yaml", Array(text.replacing("@", with: place.path("")).utf8))
    }

    private func luggage(
        _ arguments: String...,
        environment: [String: String] = [:]
    ) async throws -> Workplace.Run {
        let base = ["LUGGAGE_CONFIGURATION": place.path("luggage.yaml"), "TZ": "UTC"]
        return try await place.luggage(arguments, environment: base.merging(environment) { $1 })
    }

    private func scan(_ point: String, _ hour: Int) async throws {
        let time = "2026-07-01 \(hour < 10 ? "0" : "")\(hour):00"
        let run = try await luggage("scan", "--at", point, "--timestamp", time, Self.tag)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("make the journeys of bags, and make them still when no setting names them any more")
    func scans() async throws {
        try await scan("kerb", 8)
        try await scan("security", 9)
        #expect(try await luggage("list", "--missing").output.contains("1 bag missing"))
        try await scan("hotel", 20)
        #expect(try await luggage("list", "--missing").output.contains("0 bags missing"))
        let shown = try await luggage("show", "F432")
        for words in ["Departed  2026-07-01 08:00", "Arrived   2026-07-01 20:00", "security"] {
            #expect(shown.output.contains(words), "\(shown.output)")
        }
        let history = try await luggage("history", "--point", "security", "--format", "jsonl")
        #expect(try history.objects().map { $0["role"] as? String } == ["under-way"])
        let exported = try await luggage("export", "--point", "hotel", "--format", "jsonl")
        #expect(exported.output.contains("\"role\":\"arriving\""))
        #expect(try await luggage("summary", "--since", "2026-07-01").output.contains("kerb"))
        #expect(try await luggage("undo", "--list").output.contains("scan at hotel"))
        // Another machine, or the same with other settings.
        try configure("store: @house.sqlite\npoints:\n  kerb: arriving\n")
        #expect(try await luggage("check").status == 0)
        #expect(try await luggage("show", "F432").output == shown.output)
        #expect(try await luggage("history", "--point", "hotel").output.contains("1 scan"))
        try await place.add(
            "house.jsonl",
            Array(luggage("export", "--format", "jsonl").output.utf8)
        )
        let other = ["LUGGAGE_STORE": place.path("other.sqlite")]
        #expect(try await luggage("import", "house.jsonl", environment: other).status == 0)
        let copy = try await luggage("export", "--format", "jsonl", environment: other)
        #expect(try await copy.output == luggage("export", "--format", "jsonl").output)
    }

    @Test(
        "are told, with the nearest, where a word is none",
        arguments: [
            (["scan", "--at", "kerp"], 64, "--at: expected one of origin, load"),
            (["scan", "--at", "kerp"], 64, "security, hotel, found \"kerp\"; did you mean kerb?"),
            (["scan", "--at", "x"], 64, "or name the word and its role in the setting `points`"),
            (["history", "--point", "hotl"], 64, "--point: expected one of"),
            (["export", "--point", "hotl"], 64, "did you mean hotel?"),
            (["watch", "--at", "secrity", "--check"], 64, "--at: expected one of"),
            (["status", "--at", "secrity"], 64, "did you mean security?"),
        ] as [([String], Int32, String)]
    )
    func misspelled(arguments: [String], status: Int32, words: String) async throws {
        try await scan("kerb", 8)
        let run = try await place.luggage(
            arguments + (arguments[0] == "scan" ? [Self.tag] : []),
            environment: ["LUGGAGE_CONFIGURATION": place.path("luggage.yaml"), "TZ": "UTC"]
        )
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
    }

    @Test("are proposed by the shell beside those that are built in")
    func completion() async throws {
        let words = [
            "---completion", "scan", "--", "--at", "3", "0", "luggage", "scan", "--at", "",
        ]
        let built = ["origin", "load", "transfer", "unload", "destination", "delivery"]
        for (text, named) in [
            (Self.settings, ["kerb", "security", "hotel"]), ("points: [\n", []), ("", []),
        ] {
            try configure(text)
            let run = try await place.luggage(
                words,
                environment: [
                    "LUGGAGE_CONFIGURATION": place.path("luggage.yaml"), "SAP_SHELL": "bash",
                ]
            )
            #expect(run.output.split(separator: "\n").map(String.init) == built + named)
        }
    }

    @Test("that are set wrongly keep nobody from using those that are built in")
    func wrongSetting() async throws {
        try configure("store: @house.sqlite\npoints:\n  Kerb: departing\n")
        try await scan("origin", 8)
        #expect(try await luggage("history", "--point", "unload").status == 0)
        let run = try await luggage("scan", "--at", "kerb", Self.tag)
        #expect(run.status == 78)
        #expect(
            run.errors.contains("luggage.yaml:3: points: expected a point of 1 to 32 small letters")
        )
    }

    @Test("have folders in a watched one, and say what they are to the hook")
    func watched() async throws {
        try configure(
            Self.settings + "hook: echo $LUGGAGE_POINT $LUGGAGE_ROLE $LUGGAGE_STATION >> @hooks\n"
        )
        #expect(try await luggage("watch", "--once").status == 0)
        let folders = try await place.shell("ls inbox").output.split(separator: "\n")
        #expect(
            folders.map(String.init)
                == [
                    "destination", "duplicates", "failed", "hotel", "kerb", "origin", "processed",
                    "security",
                ]
        )
        let drop = "cp '\(Self.tag)' inbox/hotel/tag.png && echo none >inbox/security/blank.png"
        #expect(try await place.shell(drop).status == 0)
        #expect(
            try await luggage("status").output.contains(
                "1 at hotel, 0 at kerb, 0 at origin, 1 at security"
            )
        )
        #expect(try await luggage("watch", "--once").status == 1)
        #expect(
            try await place.shell("sort hooks").output
                == "hotel arriving hotel\nsecurity under-way security\n"
        )
        let bag = try #require(try await luggage("list", "--format", "jsonl").objects().first)
        #expect(bag["arrivedAt"] != nil && bag["departedAt"] == nil)
        let misplaced = try await luggage(
            "scan",
            "--at",
            "kerb",
            "--store",
            "inbox/kerb/x",
            Self.tag
        )
        #expect(misplaced.status == 73 && misplaced.errors.contains("is for pictures"))
        // What is typed from the picture has the role that the picture had, whatever is set now.
        try configure(Self.settings.replacing("under-way", with: "departing"))
        let file = try await luggage(
            "file",
            "--picture",
            "failed/blank.png",
            "--reason",
            "x",
            "--format",
            "json",
            "--weight",
            "42lb",
            "9C417E05-3B6A-4D92-A1F7-5E802C19D4B3"
        )
        #expect(file.status == 0, "\(file.errors)")
        let scans = try await luggage("history", "--format", "jsonl").objects()
        let typed = try #require(scans.first { $0["isTyped"] != nil })
        #expect(typed["point"] as? String == "security" && typed["role"] as? String == "under-way")
    }

    @Test("that are named since a service has made its folders have none yet, which harms nobody")
    func namedLater() async throws {
        try configure("store: @house.sqlite\nfolder: @inbox\n")
        #expect(try await luggage("watch", "--once").status == 0)
        try configure(Self.settings)
        let status = try await luggage("status")
        // Nobody watches it at the moment.
        #expect(status.status == 1 && status.errors == "")
        #expect(status.output.contains("waiting: 0 at destination, 0 at origin;"))
    }
}
