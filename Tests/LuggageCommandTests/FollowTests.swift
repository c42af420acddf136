import Foundation
import Subprocess
import SystemPackage
import Testing
import TestProcesses

@Suite("luggage list --follow", .timeLimit(.minutes(30)))
struct FollowTests {
    private func scan(_ place: Workplace, at point: String, _ sample: String) async throws {
        _ = try await place.luggage(
            "scan",
            "--at",
            point,
            "--station",
            point == "origin" ? "MUC-2" : "LHR-3",
            Workplace.sample(sample)
        )
    }

    /// Follows a list, does something at each of its lines, and interrupts it.
    private func follow(
        _ place: Workplace,
        _ arguments: [String],
        with signal: Int32 = SIGINT,
        at steps: [(Workplace) async throws -> Void]
    ) async throws -> [[String: Any]] {
        var objects: [[String: Any]] = []
        let result = try await Subprocess.run(
            .path(.init(Workplace.executable)),
            arguments: .init(["list", "--follow", "--format", "jsonl"] + arguments),
            environment: .custom(["LUGGAGE_STORE": place.store, "TZ": "UTC"]),
            platformOptions: .endingWithTests,
            input: .none,
            output: .sequence,
            error: .discarded
        ) { execution in
            var rest = steps[...]
            do {
                for try await line in execution.standardOutput.strings() {
                    let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
                    objects.append(try #require(value as? [String: Any]))
                    if let step = rest.popFirst() {
                        try await step(place)
                    } else {
                        kill(execution.processIdentifier.value, signal)
                    }
                }
            } catch {
                kill(execution.processIdentifier.value, SIGKILL)
                throw error
            }
        }
        #expect(result.terminationStatus == .exited(0))
        return objects
    }

    private func words(_ objects: [[String: Any]]) -> [String] {
        objects.map { object in
            let change = object["change"] ?? "nothing"
            guard let bag = object["luggage"] as? [String: Any] else { return "\(change)" }
            return "\(change) \((bag["id"] as? String ?? "nobody").prefix(4))"
        }
    }

    @Test(
        "tells what other processes file, and ends well when it is interrupted",
        arguments: [SIGINT, SIGTERM]
    )
    func everything(signal: Int32) async throws {
        let place = try Workplace()
        try await scan(place, at: "origin", "tag-f432-dzmu.png")
        let told = try await follow(
            place,
            [],
            with: signal,
            at: [
                { try await scan($0, at: "origin", "tag-9c41-dzmu.png") },
                { try await scan($0, at: "destination", "tag-f432-dzmu.png") },
            ]
        )
        #expect(words(told) == ["listed F432", "new 9C41", "changed F432"])
    }

    @Test("tells what comes into a list and what leaves it")
    func missing() async throws {
        let place = try Workplace()
        try await scan(place, at: "origin", "tag-f432-dzmu.png")
        let told = try await follow(
            place,
            ["--missing"],
            at: [
                { try await scan($0, at: "destination", "tag-f432-dzmu.png") },
                { try await scan($0, at: "origin", "tag-9c41-dzmu.png") },
            ]
        )
        #expect(words(told) == ["listed F432", "left F432", "new 9C41"])
        #expect((told[1]["luggage"] as? [String: Any])?["arrivedAt"] != nil)
    }

    @Test("begins with as many bags as it may, and then tells of all")
    func limit() async throws {
        let place = try Workplace()
        for sample in ["tag-f432-dzmu.png", "tag-9c41-dzmu.png"] {
            try await scan(place, at: "origin", sample)
        }
        let told = try await follow(
            place,
            ["--sort", "id", "--limit", "1"],
            at: [
                { try await scan($0, at: "destination", "tag-f432-dzmu.png") },
                { try await scan($0, at: "origin", "tag-77d0-accents.png") },
                { try await scan($0, at: "destination", "tag-9c41-dzmu.png") },
            ]
        )
        #expect(words(told) == ["listed 9C41", "changed F432", "new 77D0", "changed 9C41"])
    }

    @Test("leaves room in a table for what is still to be told")
    func table() async throws {
        let place = try Workplace()
        try await scan(place, at: "origin", "tag-f432-dzmu.png")
        let run = try await place.shell(
            """
            cd '\(place.path(""))'; export LUGGAGE_STORE='\(place.store)'; mkfifo lines
            '\(Workplace.executable)' list --follow >lines & exec 3<lines
            read -r heading <&3; echo "$heading"; read -r row <&3; kill -INT $!; wait $!
            """
        )
        // The longest word there is "changed".
        #expect(run.lines[0].hasPrefix("CHANGE   BAG "), "\(run.output)")
    }

    @Test(
        "ends when nobody reads any more, also while nothing changes",
        arguments: ["table", "jsonl"]
    )
    func unread(format: String) async throws {
        let place = try Workplace()
        try await scan(place, at: "origin", "tag-f432-dzmu.png")
        let run = try await place.shell(
            """
            cd '\(place.path(""))'; export LUGGAGE_STORE='\(place.store)'; mkfifo lines
            '\(Workplace.executable)' list --follow --format \(format) >lines & exec 3<lines
            read -r line <&3; exec 3<&-; wait $!
            """
        )
        #expect(run.status == 0)
        #expect(run.errors == "")
    }

    @Test("tells programs that the list begins anew, where more has changed than can be told")
    func purge() async throws {
        let place = try Workplace()
        let old = ["scan", "--at", "origin", "--timestamp", "2026-07-01T08:00:00Z"]
        _ = try await place.luggage(old + [Workplace.sample("tag-f432-dzmu.png")])
        try await scan(place, at: "origin", "tag-9c41-dzmu.png")
        func purge(_ what: String) -> (Workplace) async throws -> Void {
            { place in
                let words = ["purge", what, "--older-than", "1h", "--yes"]
                // A reader of the list may keep the log, of which this would tell.
                let run = try await place.luggage(words)
                #expect(run.output.contains("deleted"), "\(run.errors)")
            }
        }
        let told = try await follow(
            place,
            ["--sort", "id"],
            at: [{ _ in }, purge("--bags"), { _ in }]
        )
        #expect(words(told) == ["listed 9C41", "listed F432", "cleared", "listed 9C41"])
        // That nobody is called so any more is no slip of the hand.
        _ = try await place.luggage(old + [Workplace.sample("tag-on-belt.png")])
        let named = try await follow(
            place,
            ["--owner", "S/KOV"],
            at: [
                purge("--names"),
                { place in
                    _ = try await place.luggage(
                        "scan",
                        "--at",
                        "destination",
                        Workplace.sample("tag-on-belt.png")
                    )
                },
            ]
        )
        #expect(words(named) == ["listed C05A", "cleared", "new C05A"])
    }

    @Test("knows by its scans that a bag has come to a station")
    func station() async throws {
        let place = try Workplace()
        try await scan(place, at: "origin", "tag-f432-dzmu.png")
        try await scan(place, at: "destination", "tag-f432-dzmu.png")
        let told = try await follow(
            place,
            ["--station", "LHR-3"],
            at: [{ try await scan($0, at: "destination", "tag-9c41-dzmu.png") }]
        )
        #expect(words(told) == ["listed F432", "new 9C41"])
    }
}
