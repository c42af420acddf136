import Foundation
import ServiceTurns
import Subprocess
import SystemPackage
import Testing
import TestProcesses

/// A `luggage watch` or `luggage listen` that runs beside a test, and what it says.
struct WatchingService {
    let identifier: pid_t
    private var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator
    private var seen: [String] = []

    fileprivate init(
        identifier: pid_t,
        lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator
    ) {
        self.identifier = identifier
        self.lines = lines
    }

    /// A signal for the service.
    enum Request {
        case reload, stop
    }

    func send(_ request: Request) {
        kill(identifier, request == .reload ? SIGHUP : SIGTERM)
    }

    /// Waits until it says something.
    ///
    /// - Returns: The line.
    @discardableResult
    mutating func line(containing words: String) async throws -> String {
        while let line = try await lines.next(isolation: #isolation) {
            seen.append(line)
            if line.contains(words) { return line }
        }
        Issue.record("it did not say \"\(words)\", but:\n\(seen.joined(separator: "\n"))")
        throw CancellationError()
    }

    /// Hears it out, so that it never has to wait for being heard.
    fileprivate mutating func end() async throws {
        while let line = try await lines.next(isolation: #isolation) { seen.append(line) }
    }
}

extension Workplace {
    /// Runs `luggage watch`, and the body beside it.
    ///
    /// - Parameters:
    ///   - arguments: What follows `watch`.
    ///   - preparation: Commands for a shell that comes before it and becomes it.
    ///   - body: Works with the service, which is asked to stop when it returns.
    /// - Throws: What the body throws; also where the service did not end well.
    func watching(
        _ arguments: String...,
        after preparation: String? = nil,
        body: (inout WatchingService) async throws -> Void
    ) async throws {
        try await watching(arguments, after: preparation, body: body)
    }

    func watching(
        _ arguments: [String],
        after preparation: String? = nil,
        body: (inout WatchingService) async throws -> Void
    ) async throws {
        try await running("watch", arguments, after: preparation, body: body)
    }

    /// Runs a service by its command, and the body beside it; it must end with a status.
    func running(
        _ command: String,
        _ arguments: [String],
        after preparation: String? = nil,
        status: Int32 = 0,
        body: (inout WatchingService) async throws -> Void
    ) async throws {
        await ServiceTurns.take()
        defer { ServiceTurns.giveBack() }
        let result = try await Subprocess.run(
            .path(.init(preparation == nil ? Self.executable : "/usr/bin/unshare")),
            arguments: .init(preparation.map { shell($0, arguments) } ?? [command] + arguments),
            environment: .custom(["LUGGAGE_STORE": store, "PATH": "/usr/bin:/bin"]),
            workingDirectory: .init(path("")),
            platformOptions: .endingWithTests,
            input: .none,
            output: .discarded,
            error: .sequence
        ) { execution in
            var service = WatchingService(
                identifier: execution.processIdentifier.value,
                lines: execution.standardError.strings().makeAsyncIterator()
            )
            do {
                try await body(&service)
                service.send(.stop)
                try await service.end()
            } catch {
                kill(service.identifier, SIGKILL)
                throw error
            }
        }
        #expect(result.terminationStatus == .exited(status))
    }

    /// What `unshare` is told: mounts of the shell are its own, and go with the service.
    private func shell(_ preparation: String, _ arguments: [String]) -> [String] {
        let script = "set -e; \(preparation); exec \"$0\" watch \"$@\""
        return ["--mount", "sh", "-c", script, Self.executable] + arguments
    }
}
