import Foundation
import LuggageTags
import TestFolders
import Testing

@testable import LuggageService

@Suite("Scanners in a configuration")
struct ScannerSettingTests {
    private let scratch: TemporaryFolder

    init() throws {
        scratch = try TemporaryFolder()
    }

    private func load(
        _ text: String,
        environment: [String: String] = [:],
        devices: [String] = [],
        arguments: [WatchSetting: String] = [:]
    ) throws -> WatchConfiguration {
        try SharedSettings(
            file: scratch.write(text, to: "luggage.yaml"),
            environment: environment
        ).listening(to: devices, arguments: arguments)
    }

    private func mistakes(_ text: String, devices: [String] = []) throws -> [String] {
        do {
            _ = try load(text, devices: devices)
            return []
        } catch let error as ConfigurationError {
            let path = scratch.path("luggage.yaml")
            return error.mistakes.map { $0.description.replacing(path, with: "FILE") }
        }
    }

    @Test("are named in the file, in the environment, or on the command line, which counts most")
    func sources() throws {
        let text = "points:\n  kerb: departing\nscanners:\n  /dev/a: kerb X\n"
        let file = try load(text)
        #expect(file.scanners.named.map(\.device) == ["/dev/a"])
        #expect(file.scanners.named.map(\.point.rawValue) == ["kerb"])
        #expect(file.scanners.named.map(\.station) == ["X"])
        let variable = try load(text, environment: ["LUGGAGE_SCANNERS": "/dev/b*: origin"])
        #expect(variable.scanners.named.map(\.device) == ["/dev/b*"])
        let arguments = try load(
            text,
            devices: ["/dev/c", "d*"],
            arguments: [.at: "destination", .station: "LHR", .baud: "19200", .payloadEnd: "nul"]
        )
        #expect(arguments.scanners.named.map(\.device) == ["/dev/c", "d*"])
        #expect(arguments.scanners.named.map(\.point) == [.destination, .destination])
        #expect(arguments.station == "LHR")
        #expect(arguments.baud == 19_200 && arguments.payloadEnd == .nul)
    }

    @Test("do not disturb the service of a watched folder, nor its settings them")
    func others() throws {
        let text = "folder: /srv\ngrace: never\nscanners:\n  /dev/a: origin\n"
        #expect(try load(text).scanners.named.count == 1)
        let watch = try SharedSettings(
            file: scratch.write("folder: /srv\nscanners:\n  /dev/a: origin\n", to: "luggage.yaml"),
            environment: [:]
        ).configuration(arguments: [:])
        #expect(watch.scanners.named.count == 1)
    }

    /// What is written as the setting, and the mistake that is told.
    static let wrong: [(String, String)] = [
        (
            "scanners: /dev/a\n",
            "FILE:1: scanners: expected scanners on the lines below, found \"/dev/a\"; "
                + "write each on an indented line of its own below the key, as /dev/ttyACM*: origin"
        ),
        (
            "scanners:\n  /dev/a\n",
            "FILE:2: scanners: expected a device, a colon, a blank and its point, found \"/dev/a\"; "
                + "write it like /dev/ttyACM*: origin, or /dev/ttyACM*: origin gate-4 with a station"
        ),
        (
            "scanners:\n  /dev/b: origin\n  /dev/*/a: origin\n",
            "FILE:3: scanners: expected a path with wildcards only in its last part, found "
                + "\"/dev/*/a\"; write it like /dev/ttyACM*"
        ),
        (
            "scanners:\n  /dev/a: origin\n  /dev/a: destination\n",
            "FILE:3: scanners: expected each device once, found \"/dev/a\"; leave one of the two out"
        ),
        (
            "scanners:\n  ~/a: origin\n",
            "FILE:2: scanners: expected a path, found \"~/a\"; write the whole path; only a shell "
                + "knows what ~ stands for"
        ),
    ]

    @Test("are named once on the command line too")
    func namedTwice() throws {
        #expect(
            try mistakes("at: origin\n", devices: ["/dev/a", "/dev/b", "/dev/a"]) == [
                "DEVICE: expected each device once, found \"/dev/a\"; leave one of the two out"
            ]
        )
    }

    @Test("are told with line and remedy where they are wrong", arguments: wrong)
    func wrongSettings(text: String, mistake: String) throws {
        #expect(try mistakes(text) == [mistake])
    }

    @Test(
        "have a point that is known, a station that can be one, and a speed that lines have",
        arguments: [
            "scanners:\n  /dev/a: orign\n", "scanners:\n  /dev/a:  \n",
            "scanners:\n  /dev/a: origin \(String(repeating: "x", count: 65))\n",
            "scanners:\n  /dev/a: origin\nbaud: 9601\n", "scanners:\n  /dev/a: origin\nbaud: -1\n",
            "scanners:\n  /dev/a: origin\npayload-end: cr\n", "baud: 9600\n", "scanners:\n",
        ]
    )
    func oneMistake(text: String) throws {
        #expect(try mistakes(text).count == 1)
    }
}
