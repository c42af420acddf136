package import Foundation
internal import Glibc
internal import SystemSupport
package import TestFolders
package import TestProcesses

/// The program as its users run it, with a record and a watched folder of its own.
package final class RunningBoard: Sendable {
    /// Whether tests with a running board are wanted: they take thousands of connections, and a browser.
    package static var isWanted: Bool { ProcessInfo.processInfo.environment["BOARD_TESTS"] == "1" }

    package let folder: TemporaryFolder
    package let process: LastingProcess
    package let port: UInt16
    /// The secret of the link that it printed.
    package let token: String

    /// The folder of the programs that were built.
    package static let programs = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()
    /// The folder of the sample pictures.
    package static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../samples").standardizedFileURL.path

    /// What it said when it did not start.
    package struct DidNotStart: Error, CustomStringConvertible {
        package let description: String
    }

    /// Starts it on the sample pictures.
    package convenience init() throws {
        try self.init(["--try", Self.samples])
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - arguments: The words behind `luggage board`.
    ///   - folder: What is to last as long as it runs.
    /// - Throws: ``DidNotStart`` with what it said.
    package init(_ arguments: [String], in folder: TemporaryFolder? = nil) throws {
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

    // Without this the wait for its end would begin with a signal that ends no board.
    deinit { process.send(SIGTERM) }

    /// Its address, without the token.
    package var address: String { "http://127.0.0.1:\(port)" }

    /// Ends it in order.
    package func stop() {
        process.send(SIGTERM)
        _ = process.waitForEnd()
    }

    /// What it answers to bytes, until it closes.
    package func answer(to request: [UInt8]) throws -> String {
        String(decoding: try Loopback.answer(request, from: port), as: UTF8.self)
    }

    /// What it answers whoever has the link, headers and all.
    package func get(_ target: String, headers: String = "") throws -> String {
        let cookie = "Cookie: luggage=\(token)\r\n"
        let request =
            "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(cookie)\(headers)\r\n"
        return try answer(to: Array(request.utf8))
    }

    /// Its memory in KiB: what is its own, and all with what is mapped of files, which the kernel can drop.
    package var memory: (own: Int, all: Int) {
        get throws {
            let path = "/proc/\(process.identifier)/status"
            let status = try String(contentsOfFile: path, encoding: .utf8)
            func number(_ name: String) -> Int {
                let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
                return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
            }
            return (number("RssAnon"), number("VmRSS"))
        }
    }

    /// A connection to it; the caller closes it.
    package func connect() throws -> Int32 { try Loopback.connect(port) }
}
