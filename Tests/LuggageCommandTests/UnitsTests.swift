import Foundation
import Testing

@Suite("The unit of weights")
struct UnitsTests {
    private let place: Workplace

    init() async throws {
        place = try Workplace()
        let tag = Workplace.sample("tag-f432-dzmu.png")
        _ = try await place.luggage("scan", "--at", "origin", tag)
        try place.add("luggage.yaml", Array("units: kg\n".utf8))
    }

    private func luggage(
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Workplace.Run {
        let base = [
            "LUGGAGE_STORE": place.store, "TZ": "UTC",
            "LUGGAGE_CONFIGURATION": place.path("luggage.yaml"),
        ]
        return try await place.luggage(
            arguments,
            environment: base.merging(environment) { $1 }
        )
    }

    /// Commands that show a weight to people, in their order, and how they show it in either unit.
    static let shown: [(arguments: [String], kilograms: String, pounds: String)] = [
        (["list"], "D/ZMU  19.1 kg", "D/ZMU  42.0 lb"),
        (["show", "F432"], "Weight    19.1 kg", "Weight    42.0 lb"),
        (["summary"], "D/ZMU  19.1 kg", "D/ZMU  42.0 lb"),
        (
            ["scan", "--at", "origin", Workplace.sample("tag-f432-dzmu.png")],
            "D/ZMU      19.1 kg", "D/ZMU      42.0 lb"
        ),
        (
            ["edit", "F432", "--weight", "20kg", "--reason", "x"],
            "weight 19.1 kg → 20.0 kg", "weight 42.0 lb → 44.1 lb"
        ),
        (["undo", "--list"], "weight 19.1 kg → 20.0 kg", "weight 42.0 lb → 44.1 lb"),
        (["undo"], "took back: bag F432BDB8 weight 19.1 kg → 20.0 kg", "weight 42.0 lb → 44.1 lb"),
        (
            ["redo"], "brought back: bag F432BDB8 weight 19.1 kg → 20.0 kg",
            "weight 42.0 lb → 44.1 lb"
        ),
        (["file", "F432", "--at", "origin", "--reason", "x"], "20.0 kg", "44.1 lb"),
    ]

    @Test("is set once for whatever people are shown, and for each command by an option")
    func shown() async throws {
        for (arguments, kilograms, _) in Self.shown {
            let run = try await luggage(arguments)
            #expect(run.status == 0, "\(arguments): \(run.errors)")
            #expect(run.output.contains(kilograms), "\(arguments): \(run.output)")
            #expect(!run.output.contains(" lb"), "\(arguments): \(run.output)")
        }
        // Once more, from where it began.
        _ = try await luggage(["edit", "F432", "--weight", "42lb", "--reason", "x"])
        for (arguments, _, pounds) in Self.shown {
            let run = try await luggage(arguments + ["--units", "lb"])
            #expect(run.output.contains(pounds), "\(arguments): \(run.output)")
        }
        let run = try await luggage(["list"], environment: ["LUGGAGE_UNITS": "lb"])
        #expect(run.output.contains("44.1 lb"))
    }

    @Test("is pounds for programs, whatever is set")
    func programs() async throws {
        for (arguments, words) in [
            (["list", "--format", "csv", "--columns", "weight"], "weight_lb\r\n42.0\r\n"),
            (
                ["list", "--format", "csv", "--columns", "weight", "--units", "kg"],
                "weight_kg\r\n19.05\r\n"
            ),
            (["list", "--format", "json"], #""weight":42"#),
            (["list", "--format", "jsonl"], #""weight":42"#),
            (["show", "F432", "--format", "json"], #""weight" : 42"#),
            (["summary", "--format", "json"], #""weight" : 42"#),
            (["export", "--format", "csv", "--records", "bags"], ",42.0"),
        ] {
            let run = try await luggage(arguments)
            #expect(run.output.contains(words), "\(arguments): \(run.output)")
        }
    }

    @Test("is never guessed of a weight that is typed", arguments: ["20", "20.5", "1e1"])
    func typed(weight: String) async throws {
        let edit = ["edit", "F432", "--reason", "x", "--weight"]
        for arguments in [edit + [weight], ["list", "--heavier-than", weight]] {
            for variables in [[:], ["LUGGAGE_UNITS": "kg"], ["LUGGAGE_UNITS": "lb"]] {
                let run = try await luggage(arguments, environment: variables)
                #expect(run.status == 64)
                let words =
                    "'\(weight)' has no unit; write \(weight)lb or \(weight)kg, whichever it is"
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
    }

    /// Settings of a unit that is none, in the file and in the environment, and what is said of them.
    static let wrongSettings: [(file: String, variables: [String: String], words: String)] = [
        ("", ["LUGGAGE_UNITS": "stone"], "$LUGGAGE_UNITS: expected one of lb, kg, found \"stone\""),
        (
            "", ["LUGGAGE_UNIT": "kg"],
            "$LUGGAGE_UNIT: there is no such setting; did you mean LUGGAGE_UNITS?"
        ),
        (
            "units: stone\n", [:],
            "luggage.yaml:1: units: expected one of lb, kg, found \"stone\"; choose one of them"
        ),
        (
            "at: origin\nunits: KG\n", [:],
            "luggage.yaml:2: units: expected one of lb, kg, found \"KG\"; did you mean kg?"
        ),
        ("units: [kg]\n", [:], "luggage.yaml:1: units: expected one value, found a list"),
        (
            "unit: kg\n", [:],
            "luggage.yaml:1: unit: there is no such setting; did you mean units?"
        ),
    ]

    @Test("that is none is a mistake where weights are shown", arguments: wrongSettings)
    func wrong(file: String, variables: [String: String], words: String) async throws {
        try place.add("luggage.yaml", Array(file.utf8))
        let tag = Workplace.sample("tag-f432-dzmu.png")
        for arguments in [["list"], ["show", "F432"], ["scan", "--at", "origin", tag]] {
            let run = try await luggage(arguments, environment: variables)
            #expect(run.status == 78, "\(arguments)")
            #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
            #expect(run.output == "", "\(arguments)")
        }
        let check = try await luggage(["watch", "--check", "in"], environment: variables)
        #expect(check.status == 78)
        #expect(check.errors.contains(words), "\(check.errors)")
        // Who says the unit needs none from elsewhere.
        let said = try await luggage(["list", "--units", "kg"], environment: variables)
        #expect(said.output.contains("19.1 kg"), "\(said.errors)")
    }

    @Test(
        "is pounds where the file cannot tell it, or is wrong elsewhere",
        arguments: ["units:kg\n", "grace: soon\n", "\u{FF}"]
    )
    func untold(file: String) async throws {
        try place.add("luggage.yaml", file == "\u{FF}" ? [0xFF] : Array(file.utf8))
        let run = try await luggage(["list"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("42.0 lb"))
    }
}
