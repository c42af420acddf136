import Foundation
import Testing

@Suite("luggage file --picture and dismiss", .timeLimit(.minutes(30)))
struct ClosingCommandTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
    }

    private var inbox: String { place.path("inbox") }

    private func drop(_ sample: String, as name: String, at point: String = "origin") throws {
        let path = try place.drop(sample, as: name, at: point)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_782_900_000)],
            ofItemAtPath: path
        )
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(inbox)/\(folder)").sorted()
    }

    private static let bag = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    /// Two pictures that have failed: one for each point.
    private func fail() async throws {
        try drop("torn-off.png", as: "torn.png", at: "destination")
        try drop("weight-in-words.png", as: "words.png")
        #expect(try await place.luggage("watch", "--once", "--station", "LHR-3", inbox).status == 1)
        #expect(
            try names("failed") == [
                "torn.png", "torn.png.error.json", "words.png", "words.png.error.json",
            ]
        )
    }

    @Test("have failures leave the folder, say who and why, and the status is well again")
    func closing() async throws {
        try await fail()
        let typing = ["file", "--folder", inbox, "--picture", "failed/torn.png", "--id", Self.bag]
        let who = ["--by", "anna", "--reason", "torn"]
        let typed = try await place.luggage(typing + ["--weight", "42lb"] + who)
        #expect(typed.status == 0, "\(typed.errors)")
        // Where and when it was is told by the note.
        #expect(
            typed.output
                == "new: bag F432BDB8 of nobody known, 42.0 lb, at destination 2026-07-01 10:00 UTC\n"
        )
        #expect(try names("failed") == ["words.png", "words.png.error.json"])
        #expect(try names("processed") == ["torn.png"])
        let dismissal = try await place.luggage(
            "dismiss",
            "\(inbox)/failed/words.png",
            "--by",
            "bob",
            "--reason",
            "a drawing"
        )
        #expect(dismissal.output == "dismissed: words.png\n", "\(dismissal.errors)")
        #expect(try names("failed").isEmpty)
        let status = try await place.luggage("status", "--folder", inbox)
        #expect(
            status.output.contains("processed: 2; duplicates: 0; failed: 0"),
            "\(status.output)"
        )
        try await place.watching(inbox) { service in
            try await service.line(containing: "watching")
            #expect(try await place.luggage("status", "--folder", inbox).status == 0)
        }
        let history = try await place.luggage("history")
        #expect(history.output.contains("no-code, typed"), "\(history.output)")
        #expect(history.output.contains("typed by anna as F432BDB8: torn"), "\(history.output)")
        #expect(history.output.contains("dismissed by bob: a drawing"), "\(history.output)")
        let csv = try await place.luggage("history", "--format", "csv")
        #expect(csv.output.contains(",undoneAt,closed\r\n"), "\(csv.output)")
        let show = try await place.luggage("show", "f432")
        #expect(show.output.contains("tag typed from torn.png"), "\(show.output)")
        #expect(show.output.contains("LHR-3"))
        let check = try await place.luggage("check", "--folder", inbox)
        #expect(check.status == 0, "\(check.output)")
        let changes = try await place.luggage("undo", "--list")
        #expect(changes.output.contains("dismiss at origin: dismissed"), "\(changes.output)")
        let undo = try await place.luggage("undo", "--by", "bob")
        #expect(undo.output.hasPrefix("took back: picture words.png dismissed, by bob"))
        let withdrawn = try await place.luggage("check", "--folder", inbox)
        #expect(withdrawn.status == 1 && withdrawn.output.contains("nothing of it counts"))
        #expect(try await !place.luggage("history").output.contains("bob"))
    }

    @Test(
        "can be run again by whoever was interrupted, before the move or after it, and file nothing twice",
        arguments: [["torn.png", "torn.png.error.json"], ["torn.png.error.json"], ["torn.png"]]
    )
    func again(left: [String]) async throws {
        try await fail()
        let note = try Data(contentsOf: URL(filePath: "\(inbox)/failed/torn.png.error.json"))
        let typing = [
            "file", "--picture", "inbox/failed/torn.png", Self.bag, "--weight", "42lb",
            "--reason", "torn",
        ]
        #expect(try await place.luggage(typing).status == 0)
        for name in left {
            if name == "torn.png" {
                try FileManager.default.moveItem(
                    atPath: "\(inbox)/processed/torn.png",
                    toPath: "\(inbox)/failed/torn.png"
                )
            } else {
                try note.write(to: URL(filePath: "\(inbox)/failed/\(name)"))
            }
        }
        // Without its note, nothing says where its bag was.
        let whereabouts = left == ["torn.png"] ? ["--at", "destination", "--station", "LHR-3"] : []
        let again = try await place.luggage(typing + whereabouts)
        #expect(again.output.hasPrefix("repeated: bag F432BDB8"), "\(again.errors)")
        #expect(try names("processed") == ["torn.png"])
        #expect(try names("failed") == ["words.png", "words.png.error.json"])
        let history = try await place.luggage("history", "--format", "json").array()
        #expect(history.count { $0["isTyped"] as? Bool == true } == 1)
        let none = try await place.luggage(typing)
        #expect(none.status == 1 && none.errors.contains("no failed picture called torn.png"))
        // Put back, the service knows it.
        try FileManager.default.copyItem(
            atPath: "\(inbox)/processed/torn.png",
            toPath: "\(inbox)/destination/torn.png"
        )
        #expect(try await place.luggage("watch", "--once", "--station", "LHR-3", inbox).status == 0)
        #expect(try names("duplicates") == ["torn.png"])
    }

    @Test(
        "are refused with the reason, and leave everything where it is",
        arguments: [
            (["dismiss", "--reason", "x"], 64, "names"),
            (["dismiss", "torn.png", "--folder", "inbox"], 64, "--reason"),
            (["dismiss", "torn.png", "--folder", "inbox", "--reason", " "], 64, "--reason"),
            (
                ["dismiss", "none.png", "--folder", "inbox", "--reason", "x"], 1,
                "no failed picture"
            ),
            (["dismiss", "torn.png", "--folder", "nowhere", "--reason", "x"], 66, "nowhere"),
            (["dismiss", "torn.png", "--reason", "x"], 78, "no folder to watch is named"),
            (
                [
                    "dismiss", "torn.png", "--at", "origin", "--folder", "inbox", "--reason", "x",
                ], 1, "the note beside it says that its bags are at destination, not at origin"
            ),
            (["file", "--picture", "inbox/failed/torn.png", "--reason", "x"], 64, "identifier"),
            (
                [
                    "file", "f4", "--id", "f4", "--picture", "inbox/failed/torn.png", "--reason",
                    "x",
                ],
                64, "once"
            ),
            (
                ["file", "f4", "--at", "origin", "--folder", "inbox", "--reason", "x"], 64,
                "--picture"
            ),
            (
                [
                    "file", bag, "--weight", "1lb", "--picture", "inbox/failed/x.png", "--reason",
                    "x",
                ], 1, "there is no failed picture called x.png"
            ),
        ] as [([String], Int32, String)]
    )
    func refused(arguments: [String], status: Int32, words: String) async throws {
        try await fail()
        let run = try await place.luggage(arguments)
        #expect(run.status == status, "\(run.errors)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(try names("failed").count == 4 && names("processed").isEmpty)
        let changes = try await place.luggage("undo", "--list")
        #expect(changes.output == "there is no change that could be taken back\n")
    }
}
