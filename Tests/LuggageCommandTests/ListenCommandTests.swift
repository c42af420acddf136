import Foundation
import TestProcesses
import Testing

@Suite("luggage listen", .timeLimit(.minutes(30)))
struct ListenCommandTests {
    private let tag = #"{"id":"F432BDB8-D84F-4461-8362-AFF89F6C493E","owner":["D","ZMU"]}"#

    /// A pseudo-terminal: the scanner's end, and the path of the other one.
    private func terminal() throws -> (scanner: Int32, path: String) {
        let terminal = try PseudoTerminalPair()
        close(terminal.other)
        return (terminal.main, terminal.path)
    }

    private func send(_ text: String, to scanner: Int32) {
        let bytes = Array(text.utf8)
        _ = unsafe write(scanner, bytes, bytes.count)
    }

    @Test("files what a scanner sends, for every other command to see")
    func files() async throws {
        let place = try Workplace()
        let (scanner, path) = try terminal()
        defer { close(scanner) }
        try await place.running("listen", ["--at", "origin", "--station", "MUC-2", path]) {
            service in
            try await service.line(containing: "listening to \(path)")
            send(tag + "\r\nhello\r\n", to: scanner)
            try await service.line(containing: "\(path): new: F432BDB8 of D/ZMU")
            try await service.line(containing: "\(path): invalid: the payload is not JSON")
            let bags = try await place.luggage("list", "--format", "json").array()
            #expect(bags.map { $0["id"] as? String } == ["F432BDB8-D84F-4461-8362-AFF89F6C493E"])
            service.send(.reload)
            try await service.line(containing: "reloaded: the configuration is as it was")
        }
        let history = try await place.luggage("history", "--format", "json").array()
        #expect(history.map { $0["imageName"] as? String } == ["(hand scanner)", "(hand scanner)"])
        #expect(history.map { $0["station"] as? String } == ["MUC-2", "MUC-2"])
    }

    @Test("listens to the scanners of the configuration, each at its place")
    func configured() async throws {
        let place = try Workplace()
        let (scanner, path) = try terminal()
        defer { close(scanner) }
        try place.add("luggage.yaml", Array("scanners:\n  \(path): destination gate 4\n".utf8))
        try await place.running("listen", ["--configuration", "luggage.yaml"]) { service in
            try await service.line(containing: "listening to \(path)")
            send(tag + "\n", to: scanner)
            try await service.line(containing: "new: F432BDB8")
        }
        let history = try await place.luggage("history", "--format", "json").array()
        #expect(history.map { $0["point"] as? String } == ["destination"])
        #expect(history.map { $0["station"] as? String } == ["gate 4"])
    }

    /// Arguments, and how the command refuses them.
    static let wrong: [([String], Int32, String)] = [
        ([], 78, "no scanner is named; name a device on the command line"),
        (["/dev/ttyACM0"], 78, "nothing says where the bags are; say it with --at origin"),
        (["--at", "origin"], 64, "--at and --station are for devices on the command line"),
        (["--at", "orign", "/dev/ttyACM0"], 78, "did you mean origin?"),
        (["--at", "origin", "/dev/*/x"], 78, "wildcards only in its last part"),
        (["--at", "origin", "--baud", "9601", "/dev/x"], 78, "expected one of 1200, 2400"),
        (["--at", "origin", "--payload-end", "null", "/dev/x"], 78, "expected one of line, nul"),
    ]

    @Test("refuses what it cannot do, and says what to write", arguments: wrong)
    func refusal(arguments: [String], status: Int32, words: String) async throws {
        let place = try Workplace()
        for check in [[], ["--check"]] {
            let run = try await place.luggage(["listen"] + arguments + check)
            #expect(run.status == status)
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: place.store))
        }
    }

    @Test("checks a configuration without opening anything")
    func check() async throws {
        let place = try Workplace()
        let run = try await place.luggage("listen", "--check", "--at", "origin", "/dev/absent*")
        #expect(run.status == 0 && run.output == "the configuration is right\n")
        #expect(!FileManager.default.fileExists(atPath: place.store))
    }
}
