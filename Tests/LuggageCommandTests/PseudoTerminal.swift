import Foundation
import Subprocess
import SystemPackage
import Testing
import TestProcesses

/// A terminal of which a test sees what a person would.
struct PseudoTerminal {
    let columns: UInt16

    /// Runs the program with its output to the terminal, and gives what it has shown.
    func show(
        _ place: Workplace,
        _ arguments: [String],
        environment: [String: String] = [:],
        status: Int32 = 0
    ) async throws -> String {
        let (main, other) = try open()
        defer { close(main) }
        // With the program's, the last end of the terminal is closed, and it gives nothing more.
        let result = try await Subprocess.run(
            .path(.init(Workplace.executable)),
            arguments: .init(arguments),
            environment: self.environment(place, environment),
            workingDirectory: .init(place.path("")),
            platformOptions: .endingWithTests,
            input: .none,
            output: .fileDescriptor(.init(rawValue: other), closeAfterSpawningProcess: true),
            error: .discarded
        ) { _ in
            try await Self.read(main) { _ in }
        }
        #expect(result.terminationStatus == .exited(status))
        return result.closureResult
    }

    /// Runs the program with all of the terminal, and answers a question.
    ///
    /// - Parameters:
    ///   - place: Where it runs.
    ///   - arguments: What it is told.
    ///   - question: Is shown before the answer is typed.
    ///   - answer: What is typed, with what ends it; nil where nothing may be asked.
    ///   - status: How it is to end.
    ///   - meanwhile: Happens between question and answer.
    /// - Returns: What was shown, the answer included.
    /// - Throws: Where it cannot be run.
    func ask(
        _ place: Workplace,
        _ arguments: [String],
        _ question: String,
        _ answer: String?,
        status: Int32 = 0,
        meanwhile: () async throws -> Void = {}
    ) async throws -> String {
        let (main, other) = try open()
        defer { close(main) }
        var ends = [other]
        for _ in 0..<2 { ends.append(fcntl(other, F_DUPFD_CLOEXEC, 0)) }
        let result = try await Subprocess.run(
            .path(.init(Workplace.executable)),
            arguments: .init(arguments),
            environment: environment(place),
            workingDirectory: .init(place.path("")),
            platformOptions: .endingWithTests,
            input: .fileDescriptor(.init(rawValue: ends[0]), closeAfterSpawningProcess: true),
            output: .fileDescriptor(.init(rawValue: ends[1]), closeAfterSpawningProcess: true),
            error: .fileDescriptor(.init(rawValue: ends[2]), closeAfterSpawningProcess: true)
        ) { _ in
            var isAsked = false
            let shown = try await Self.read(main) { shown in
                guard !isAsked, shown.contains(question) else { return }
                isAsked = true
                try await meanwhile()
                let bytes = Array((answer ?? "no\n").utf8)
                _ = unsafe write(main, bytes, bytes.count)
            }
            #expect(isAsked == (answer != nil), "\(shown)")
            return shown
        }
        #expect(result.terminationStatus == .exited(status), "\(result.closureResult)")
        return result.closureResult
    }

    private func open() throws -> (main: Int32, other: Int32) {
        let terminal = try PseudoTerminalPair()
        var size = winsize(ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(unsafe ioctl(terminal.main, UInt(TIOCSWINSZ), &size) == 0)
        return (terminal.main, terminal.other)
    }

    private func environment(
        _ place: Workplace,
        _ others: [String: String] = [:]
    ) -> Environment {
        var variables = ["LUGGAGE_STORE": place.store, "TZ": "UTC", "TERM": "xterm-256color"]
        variables.merge(place.noSettings.merging(others) { $1 }) { $1 }
        return .custom(
            Dictionary(uniqueKeysWithValues: variables.map { (.init(stringLiteral: $0), $1) })
        )
    }

    /// Reads what is shown, to its end.
    private static func read(
        _ main: Int32,
        _ look: (String) async throws -> Void
    ) async throws -> String {
        var bytes: [UInt8] = []
        var shown: String {
            String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
        }
        while let part = await next(main) {
            bytes += part
            try await look(shown)
        }
        return shown
    }

    /// Waits for what is shown next, on a thread of its own: Swift's few would all wait here, and nobody
    /// would be left to end the programs.
    private static func next(_ main: Int32) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var part = [UInt8](repeating: 0, count: 4096)
                var count = 0
                repeat {
                    count = unsafe Foundation.read(main, &part, part.count)
                } while count < 0 && errno == EINTR
                continuation.resume(returning: count > 0 ? Array(part.prefix(count)) : nil)
            }
        }
    }
}
