import Foundation
import Subprocess
import SystemPackage
import Testing

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
            let bag = (object["luggage"] as? [String: Any])?["id"] as? String ?? "nothing"
            return "\(object["change"] ?? "nothing") \(bag.prefix(4))"
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
