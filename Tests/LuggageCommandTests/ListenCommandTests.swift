import Foundation
import GRDB
import TestFolders
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
        (["/dev/ttyACM0"], 64, "nothing says where the bags are; say it with --at origin"),
        (["--at", "origin"], 64, "--at and --station are for devices on the command line"),
        (["--at", "orign", "/dev/ttyACM0"], 64, "did you mean origin?"),
        (["--at", "origin", "/dev/*/x"], 64, "wildcards only in its last part"),
        (["--at", "origin", "--baud", "9601", "/dev/x"], 64, "expected one of 1200, 2400"),
        (["--at", "origin", "--payload-end", "null", "/dev/x"], 64, "expected one of line, nul"),
        (
            ["--at", "origin", "/dev/x", "/dev/y", "/dev/x"], 64,
            "each device once, found \"/dev/x\""
        ),
        (["--configuration", "wrong.yaml"], 78, "wrong.yaml:3: baud: expected one of 1200, 2400"),
        (["--configuration", "wrong.yaml", "--at", "x", "/dev/x"], 78, "wrong.yaml:3: baud"),
    ]

    @Test("refuses what it cannot do, and says what to write", arguments: wrong)
    func refusal(arguments: [String], status: Int32, words: String) async throws {
        let place = try Workplace()
        try place.add("wrong.yaml", Array("scanners:\n  /dev/x: origin\nbaud: 9601\n".utf8))
        for check in [[], ["--check"]] {
            let run = try await place.luggage(["listen"] + arguments + check)
            #expect(run.status == status)
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: place.store))
        }
    }

    @Test(
        "tells when it checks that a record is none, as when it starts",
        arguments: [("notes.txt", "is not a database"), ("folder", "is a folder")]
    )
    func otherRecord(name: String, words: String) async throws {
        let place = try Workplace()
        try place.add("notes.txt", Array("not a record".utf8))
        #expect(try await place.shell("mkdir folder").status == 0)
        let options = ["--at", "origin", "--store", name]
        for command in [["listen", "/dev/absent"], ["watch", "inbox"]] {
            for check in [["--check"], []] {
                let run = try await place.luggage(command + options + check)
                #expect(run.status == 73)
                #expect(run.errors.contains(words), "\(run.errors)")
            }
        }
        #expect(try place.folder.text(of: "notes.txt") == "not a record")
    }

    @Test("takes a record for right when it checks, and leaves no file beside it")
    func rightRecord() async throws {
        let place = try Workplace()
        _ = try await place.luggage("scan", "--at", "origin", Workplace.sample("two-tags.png"))
        let names = try place.names
        let run = try await place.luggage("listen", "--check", "--at", "origin", "/dev/absent")
        #expect(run.status == 0, "\(run.errors)")
        #expect(try place.names == names)
    }

    @Test("tells when it must stop each payload that a locked record did not take")
    func locked() async throws {
        let place = try Workplace()
        let (scanner, path) = try terminal()
        defer { close(scanner) }
        try await place.running("listen", ["--at", "origin", path], status: 1) { service in
            try await service.line(containing: "listening to \(path)")
            send(tag + "\r", to: scanner)
            try await service.line(containing: "new: F432BDB8")
            let other = try DatabaseQueue.leavingOpen(place.store)
            try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
            send("hello\r{\"id", to: scanner)
            service.send(.stop)
            try await service.line(containing: "not filed, because the record cannot be written")
            try await service.line(containing: "unreadable: the payload broke off after 4 bytes")
            try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
            try other.close()
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
