import Foundation
import Testing

@Suite("What luggage watch says", .timeLimit(.minutes(30)))
struct ServiceWordsTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    private var inbox: String { workplace.path("inbox") }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(inbox)/\(name)")
    }

    @Test("of a folder that was gone is that it is watched again")
    func watchedAgain() async throws {
        try await workplace.watching(inbox) { service in
            try await service.line(containing: "watching \(inbox)")
            try FileManager.default.removeItem(atPath: "\(inbox)/origin")
            try await service.line(containing: "inbox/origin cannot be watched")
            try FileManager.default.createDirectory(
                atPath: "\(inbox)/origin",
                withIntermediateDirectories: false
            )
            try await service.line(containing: "inbox/origin is watched again")
        }
    }

    @Test("of what it passes over is only what is new, and each kind once a minute")
    func passedOver() async throws {
        try await workplace.watching(inbox) { service in
            try await service.line(containing: "watching \(inbox)")
            for (command, words) in [
                ("mkfifo pipe", "passed over: 1 named pipe"),
                ("mkfifo two; ln -s x link", "passed over: 1 symbolic link"),
            ] {
                #expect(try await workplace.shell("cd inbox/origin; \(command)").status == 0)
                let line = try await service.line(containing: "passed over")
                #expect(line.hasSuffix(words), "\(line)")
            }
        }
    }

    @Test("with --at of its own folders is nothing, and of others what cannot be filed")
    func ownFolders() async throws {
        let arguments = ["watch", "--once", "--at", "origin", inbox]
        let first = try await workplace.luggage(arguments)
        #expect(first.status == 0)
        #expect(!["passed over", "moved up", "left"].contains(where: first.errors.contains))
        #expect(try await workplace.shell("mkdir -p inbox/other/2/3/4/5 inbox/third").status == 0)
        let run = try await workplace.luggage(arguments)
        #expect(run.status == 1)
        #expect(run.errors.contains("inbox/other/2/3/4/5 is more than 4 folders deep"))
        #expect(!run.errors.contains("third"), "\(run.errors)")
    }

    @Test(
        "when another service is there already, and no folder is made",
        arguments: [
            (["inbox"], ["--at", "origin", "inbox/origin"], "origin/processed"),
            (["--at", "origin", "inbox/origin"], ["inbox"], "processed"),
        ] as [([String], [String], String)]
    )
    func refused(first: [String], second: [String], made: String) async throws {
        #expect(try await workplace.shell("mkdir -p inbox/origin").status == 0)
        try await workplace.watching(first) { service in
            try await service.line(containing: "watching inbox")
            let run = try await workplace.luggage(["watch"] + second)
            #expect(run.status == 73)
            #expect(run.errors.contains("is watched by process \(service.identifier) on "))
            #expect(!exists(made))
        }
    }

    @Test(
        "of a broken configuration is not that it names no folder",
        arguments: ["folder: [inbox\n", "\u{FF}", "- folder: inbox\n"]
    )
    func brokenConfiguration(text: String) async throws {
        let bytes = text == "\u{FF}" ? [0xFF] : Array(text.utf8)
        try workplace.add("luggage.yaml", bytes)
        for name in ["luggage.yaml", "none.yaml", "."] {
            let run = try await workplace.luggage("watch", "--configuration", name)
            #expect(run.status == 78)
            #expect(!run.errors.contains("no folder to watch is named"), "\(run.errors)")
        }
    }

    @Test("without --at of a folder that is watched with it is so", arguments: ["status", "retry"])
    func forgottenPoint(command: String) async throws {
        _ = try await workplace.luggage("watch", "--once", "--at", "origin", inbox)
        let run = try await workplace.luggage(command, "--folder", inbox)
        #expect(run.status == 66)
        #expect(run.errors.contains("--at"), "\(run.errors)")
        let right = try await workplace.luggage(command, "--at", "origin", "--folder", inbox)
        #expect(!right.errors.contains("--at"), "\(right.errors)")
    }

    @Test("of the levels of its log is the same in its help and when one is wrong")
    func levels() async throws {
        let help = try await workplace.luggage("watch", "--help").output
        let run = try await workplace.luggage("watch", "--log-level", "none", "inbox")
        let list = try #require(run.errors.firstMatch(of: /one of ([a-z, ]+), found/)?.1)
        let words = list.split(separator: ", ")
        #expect(words.count == 7)
        let lines = help.filter { !$0.isWhitespace }
        #expect(lines.contains("<" + words.joined(separator: "|") + ">"), "\(words)")
    }

    @Test("of a note that was moved among the pictures is that it is none")
    func movedNote() async throws {
        let run = try await workplace.shell(
            """
            mkdir -p inbox/origin; echo x > inbox/origin/a.png
            luggage() { '\(Workplace.executable)' "$@"; }
            luggage watch --once inbox 2>/dev/null
            mv inbox/failed/* inbox/origin/
            luggage watch --once inbox 2>&1
            luggage status --folder inbox
            ls inbox/failed inbox/origin
            """
        )
        #expect(run.output.contains("a.png.error.json says why"), "\(run.output)")
        #expect(run.output.contains("it was passed over"))
        #expect(run.output.contains("0 at origin"))
        #expect(
            run.output.hasSuffix(
                "inbox/failed:\na.png\na.png.error.json\n\ninbox/origin:\na.png.error.json\n"
            ),
            "\(run.output)"
        )
    }
}
