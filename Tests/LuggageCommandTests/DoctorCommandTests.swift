import Foundation
import Testing

@Suite("The doctor", .timeLimit(.minutes(30)))
struct DoctorCommandTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    /// What it has found.
    private struct Findings: Decodable {
        struct Check: Decodable {
            var check: String
            var state: String
            var message: String
            var remedies: [String]
        }

        var checks: [Check]
        var isReady: Bool
        var next: String?

        /// The only check of something.
        func check(_ name: String, _ location: SourceLocation = #_sourceLocation) throws -> Check {
            let found = checks.filter { $0.check == name }
            try #require(found.count == 1, "\(checks)", sourceLocation: location)
            return found[0]
        }
    }

    private func examine(
        _ arguments: String...,
        environment: [String: String]? = nil
    ) async throws -> Findings {
        let run = try await place.luggage(
            ["doctor", "--format", "json"] + arguments,
            environment: environment
        )
        let findings = try JSONDecoder().decode(Findings.self, from: Data(run.output.utf8))
        #expect(run.errors == "")
        #expect(run.status == (findings.isReady ? 0 : 1))
        #expect(findings.isReady == !findings.checks.contains { $0.state == "wrong" })
        #expect(findings.checks.allSatisfy { !$0.message.isEmpty })
        return findings
    }

    @Test("leads from an empty machine to the first filed picture, if one types what it says")
    func way() async throws {
        let folder = place.path("inbox")
        // First the folder.
        var findings = try await examine("--folder", folder)
        #expect(try findings.check("folder").state == "wrong")
        #expect(try findings.check("service").state == "unseen")
        #expect(findings.next == "mkdir -p \(folder)")
        #expect(try await place.shell(try #require(findings.next)).status == 0)
        // Then who watches it.
        findings = try await examine("--folder", folder)
        #expect(try findings.check("folder").state == "right")
        #expect(try findings.check("service").message == "nobody watches \(folder)")
        #expect(findings.next == "luggage watch \(folder)")
        let words = try #require(findings.next).split(separator: " ").dropFirst(2).map(String.init)
        try await place.watching(words) { service in
            try await service.line(containing: "watching")
            // Then the picture.
            findings = try await examine("--folder", folder)
            #expect(try findings.check("service").state == "right")
            #expect(try findings.check("people").state == "right")
            let copy = try #require(findings.next)
            #expect(copy == "cp PICTURE.png \(folder)/origin/")
            let sample = Workplace.sample("tag-f432-dzmu.png")
            #expect(
                try await place.shell(copy.replacing("PICTURE.png", with: sample)).status == 0
            )
            try await service.line(containing: "F432BDB8")
            // Then nothing more.
            findings = try await examine("--folder", folder)
            #expect(findings.isReady && findings.next == nil, "\(findings)")
            #expect(try findings.check("first").state == "right")
        }
        let list = try await place.luggage("list")
        #expect(list.output.contains("F432BDB8"))
    }

    /// A set-up that is broken, and what it must say of it.
    struct Broken: CustomTestStringConvertible {
        var testDescription: String
        /// What breaks it, for a shell, in a folder with a watched folder `inbox` that was once in use.
        var script: String
        var arguments = ["--folder", "inbox"]
        var check: String
        var words: String
        var next: String?
    }

    static let broken = [
        Broken(
            testDescription: "no folder is named",
            script: ":",
            arguments: [],
            check: "configuration",
            words: "no folder to watch is named",
            next: "sudo editor "
        ),
        Broken(
            testDescription: "a mistake in the configuration",
            script: #"printf 'folder: inbox\ngrace: 5 parsecs\n' > own.yaml"#,
            arguments: ["--configuration", "own.yaml"],
            check: "configuration",
            words: "own.yaml:2",
            next: "sudo editor own.yaml"
        ),
        Broken(
            testDescription: "two mistakes in the configuration",
            script: #"printf 'foldr: inbox\nreaders: 999\n' > own.yaml"#,
            arguments: ["--configuration", "own.yaml"],
            check: "configuration",
            words: "(2)",
            next: "sudo editor own.yaml"
        ),
        Broken(
            testDescription: "a configuration that is no file",
            script: "mkdir own.yaml",
            arguments: ["--configuration", "own.yaml"],
            check: "configuration",
            words: "own.yaml"
        ),
        Broken(
            testDescription: "a file in place of the folder",
            script: "rm -r inbox && : > inbox",
            check: "folder",
            words: "is not a folder"
        ),
        Broken(
            testDescription: "a link to nowhere in place of the folder",
            script: "rm -r inbox && ln -s nowhere inbox",
            check: "folder",
            words: "is a link that leads nowhere"
        ),
        Broken(
            testDescription: "a folder that was watched with --at",
            script: "rm -r inbox/origin inbox/destination",
            check: "folder",
            words: "was watched with --at"
        ),
        Broken(
            testDescription: "a record that is none",
            script: "echo 'Dear diary' > luggage.sqlite",
            check: "record",
            words: "is not a database",
            next: "luggage check"
        ),
        Broken(
            testDescription: "a record that was cut",
            script: "head -c 4096 luggage.sqlite > cut && mv cut luggage.sqlite",
            check: "record",
            words: "is damaged",
            next: "luggage check"
        ),
        Broken(
            testDescription: "a record that is gone",
            script: "rm luggage.sqlite",
            check: "record",
            words: "is gone; put it back"
        ),
        Broken(
            testDescription: "a record among the pictures",
            script: ":",
            arguments: ["--folder", "inbox", "--store", "inbox/origin/luggage.sqlite"],
            check: "record",
            words: "would be among the pictures"
        ),
        Broken(
            testDescription: "a record whose folder is not there",
            script: ":",
            arguments: ["--folder", "inbox", "--store", "nowhere/luggage.sqlite"],
            check: "record",
            words: "its folder is not there"
        ),
        Broken(
            testDescription: "a device in place of the record",
            script: ":",
            arguments: ["--folder", "inbox", "--store", "/dev/null"],
            check: "record",
            words: "not a regular file"
        ),
        Broken(
            testDescription: "a record behind a circular link",
            script: "ln -s round round",
            arguments: ["--folder", "inbox", "--store", "round"],
            check: "record",
            words: "is a link that cannot be followed"
        ),
        Broken(
            testDescription: "nobody who watches",
            script: ":",
            check: "service",
            words: "nobody watches inbox",
            next: "luggage watch inbox"
        ),
        Broken(
            testDescription: "a group of nobody that may drop",
            script: "chgrp staff inbox/origin && chmod 3770 inbox/origin",
            check: "people",
            words: "nobody belongs to the group staff",
            // Before that, somebody has to watch.
            next: "luggage watch inbox"
        ),
    ]

    /// Files a picture through a watched folder, and leaves it to nobody.
    private func use() async throws {
        try place.drop("tag-f432-dzmu.png")
        let run = try await place.shell(
            "LUGGAGE_STORE=luggage.sqlite '\(Workplace.executable)' watch --once inbox"
        )
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test("says of a broken set-up what is wrong, and changes nothing", arguments: broken)
    func diagnosis(broken: Broken) async throws {
        // Only the administrator gives folders to groups of others.
        if broken.script.contains("chgrp") && geteuid() != 0 { return }
        try await use()
        let breaking = try await place.shell(broken.script)
        #expect(breaking.status == 0, "\(breaking.errors)")
        let listing =
            "find . ! -type d -printf '%p %y %m %u %g %s %T@\n' | sort; find . -type d -printf '%p %m %u %g\n' | sort"
        let before = try await place.shell(listing).output
        let findings = try await examineAll(broken.arguments)
        let check = try #require(
            findings.checks.first { $0.check == broken.check && $0.state == "wrong" }
        )
        #expect(check.message.contains(broken.words), "\(check)")
        if let next = broken.next {
            #expect(findings.next?.hasPrefix(next) == true, "\(findings)")
        } else {
            #expect(findings.next == nil)
        }
        // A record that is read may have files beside it for that moment, and none later.
        #expect(try await place.shell(listing).output == before)
        // People are told the same.
        let told = try await place.luggage(["doctor"] + broken.arguments)
        #expect(told.status == 1 && told.errors == "")
        #expect(told.output.contains("wrong   \(broken.check): \(check.message)"))
        for remedy in check.remedies { #expect(told.output.contains("\n          \(remedy)\n")) }
        if let next = findings.next { #expect(told.output.hasSuffix("\nNext: \(next)\n")) }
    }

    private func examineAll(_ arguments: [String]) async throws -> Findings {
        let run = try await place.luggage(["doctor", "--format", "json"] + arguments)
        #expect(run.status == 1 && run.errors == "", "\(run)")
        return try JSONDecoder().decode(Findings.self, from: Data(run.output.utf8))
    }

    @Test("tells of failed pictures, which are no reason to stop")
    func failed() async throws {
        try await use()
        try place.drop("torn-off.png")
        let run = try await place.shell(
            "LUGGAGE_STORE=luggage.sqlite '\(Workplace.executable)' watch --once inbox"
        )
        #expect(run.status == 1)
        let pictures = try await examine("--folder", place.path("inbox")).check("pictures")
        #expect(
            pictures.state == "advice" && pictures.message.contains("1 picture could not be filed")
        )
        #expect(pictures.remedies == ["luggage status"])
    }

    @Test("misses the program that reads pictures, and says where it looks for it")
    func reader() async throws {
        let copy = place.path("luggage")
        // Other tests start processes, which must not hold what is written here: it would be busy.
        _ = try await place.shell("cp '\(Workplace.executable)' luggage")
        let run = try await place.run(
            copy,
            ["doctor", "--format", "json", "--folder", "inbox"],
            place.noSettings
        )
        #expect(run.status == 1)
        let findings = try JSONDecoder().decode(Findings.self, from: Data(run.output.utf8))
        let check = try findings.check("reader")
        #expect(check.state == "wrong" && check.message.contains(place.path("luggage-reader")))
        // One that is there, and is not it.
        for content in ["#!/bin/sh\nexit 1\n", "no program"] {
            try place.add("luggage-reader", Array(content.utf8))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755],
                ofItemAtPath: place.path("luggage-reader")
            )
            let again = try await place.run(
                copy,
                ["doctor", "--format", "json", "--folder", "inbox"],
                place.noSettings
            )
            let findings = try JSONDecoder().decode(Findings.self, from: Data(again.output.utf8))
            #expect(try findings.check("reader").state == "wrong", "\(again)")
        }
    }

    @Test(
        "says what to type of any name, so that a shell takes it for that name",
        arguments: ["a b", "it's", "$(touch gone)", "-n", "ü", "\u{1B}[31m\n"]
    )
    func names(name: String) async throws {
        let findings = try await examine("--folder", "./\(name)/inbox")
        let next = try #require(findings.next)
        #expect(!next.contains("\n") && !next.contains("\u{1B}"))
        // What would steer a terminal is shown so that it does not, and cannot be typed.
        if name.contains("\n") { return }
        #expect(try await place.shell(next).status == 0)
        #expect(FileManager.default.fileExists(atPath: place.path("\(name)/inbox")))
        #expect(!FileManager.default.fileExists(atPath: place.path("gone")))
    }

    @Test("reads a picture by itself, also where no record and no folder are")
    func trial() async throws {
        let check = try await examine().check("reader")
        #expect(["right", "advice"].contains(check.state))
        #expect(check.message.contains("confined by"))
    }
}
