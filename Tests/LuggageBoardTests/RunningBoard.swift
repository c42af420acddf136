import Foundation
import SystemSupport
import TestFolders
import TestProcesses

#if canImport(Glibc)
import Glibc
#endif

/// The program as its users run it, with a record and a watched folder of its own.
final class RunningBoard: Sendable {
    /// Whether tests with a running board are wanted: they wait on threads that other tests share.
    static var isWanted: Bool { ProcessInfo.processInfo.environment["BOARD_TESTS"] == "1" }

    let folder: TemporaryFolder
    let process: LastingProcess
    let port: UInt16
    /// The secret of the link that it printed.
    let token: String

    static let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../samples").standardizedFileURL.path

    struct DidNotStart: Error, CustomStringConvertible {
        let description: String
    }

    /// Starts it on the sample pictures.
    convenience init() throws {
        try self.init(["--try", Self.samples])
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: The words behind `luggage board`.
    ///   - folder: What is to last as long as it runs.
    /// - Throws: ``DidNotStart`` with what it said.
    init(_ arguments: [String], in folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder()
        let settings = try self.folder.write("", to: "none.yaml")
        let program = Self.programs.appending(path: "luggage").path
        process = try LastingProcess(
            [
                "env", "TMPDIR=\(self.folder.path)", "LUGGAGE_CONFIGURATION=\(settings)", program,
                "board", "--link", "--listen", "127.0.0.1:0",
            ] + arguments
        )
        guard process.waitForLine(containing: ["The board is at"]),
            let match = process.log.firstMatch(
                of: /127\.0\.0\.1:(\d+)\/enter\?token=([A-Za-z0-9_-]{43})/
            ),
            let port = UInt16(match.1)
        else { throw DidNotStart(description: process.log) }
        self.port = port
        token = String(match.2)
    }

    var address: String { "http://127.0.0.1:\(port)" }

    /// Ends it in order.
    func stop() {
        process.send(SIGTERM)
        _ = process.waitForEnd()
    }

    /// What it answers to bytes, until it closes.
    func answer(to request: [UInt8]) throws -> String {
        String(decoding: try Loopback.answer(request, from: port), as: UTF8.self)
    }

    func get(_ target: String, headers: String = "") throws -> String {
        let cookie = "Cookie: luggage=\(token)\r\n"
        let request =
            "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(cookie)\(headers)\r\n"
        return try answer(to: Array(request.utf8))
    }

    func connect() throws -> Int32 { try Loopback.connect(port) }
}
