import Foundation
import SystemSupport
import TestBoards
import TestFolders
import TestProcesses
import Testing

@Suite("luggage board token")
struct TokenCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Runs `luggage board token` to its end, with a search path.
    private func token(_ words: String..., path: String) throws -> (end: ProcessEnd?, told: String)
    {
        let program = RunningBoard.programs.appending(path: "luggage").path
        let tokens = ["--tokens", folder.path("tokens")]
        let process = try LastingProcess(
            ["env", "PATH=\(path)", program, "board", "token"] + words + tokens
        )
        return (process.waitForEnd(), process.log)
    }

    /// Puts a program that stands for `qrencode` into a folder of its own.
    private func drawer(_ script: String) throws -> String {
        let bin = folder.path("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        let program = try folder.write("#!/bin/sh\n\(script)\n", to: "bin/qrencode")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return bin
    }

    @Test("draws the link, which nobody sees among the arguments of processes")
    func draws() throws {
        let path = try drawer(#"echo "drawn with $*: $(/bin/cat)""#)
        let run = try token("add", "anna", "--qr", path: path)
        #expect(run.end == .exited(0), "\(run.told)")
        let lines = run.told.split(separator: "\n")
        #expect(lines.first == "anna may see, whoever has this link:")
        #expect(lines.count == 3 && lines[2] == "drawn with -t UTF8: \(lines[1])", "\(lines)")
        let without = try token("add", "wall", path: path)
        #expect(!without.told.contains("drawn"))
    }

    @Test("makes no token whose link it cannot draw, and says what is missing")
    func missing() throws {
        let run = try token("add", "anna", "--qr", path: folder.path)
        #expect(run.end == .exited(69), "\(run.told)")
        #expect(run.told.contains("install Debian's package qrencode, or leave --qr out"))
        #expect(try token("list", path: "").told == "there are no tokens")
    }

    @Test("loses no token of those that are made at once")
    func atOnce() throws {
        let program = RunningBoard.programs.appending(path: "luggage").path
        let all = try (0..<8).map { number in
            try LastingProcess(
                [program, "board", "token", "add", "t\(number)", "--tokens", folder.path("tokens")]
            )
        }
        for process in all { #expect(process.waitForEnd() == .exited(0), "\(process.log)") }
        let list = try token("list", path: "").told
        #expect((0..<8).allSatisfy { list.contains("  t\($0)") }, "\(list)")
    }

    @Test("says so if the drawing fails; the link was printed before")
    func failing() throws {
        let run = try token("add", "anna", "--qr", path: try drawer("exit 3"))
        #expect(run.end == .exited(74) && run.told.contains("/enter?token="), "\(run)")
        #expect(run.told.contains("the link is not drawn: `qrencode` exited with status 3"))
    }
}
