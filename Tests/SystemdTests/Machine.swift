import Foundation
import Subprocess
import SystemPackage
import TestFolders
import Testing
import TestProcesses

/// Another system on this machine: a real systemd as its process 1, over a copy of all files that is
/// thrown away when it ends.
struct Machine: Sendable {
    /// The number of its process 1, as this system counts.
    let identifier: String

    private static let boot =
        source
        .appending(path: "Tests/Support/SystemdMachine/boot")
        .path(percentEncoded: false)

    private static let source = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../..")
        .standardizedFileURL

    /// What was built with these tests is beside them.
    private static let build = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Boots a system for as long as `body` runs.
    static func run(_ body: @Sendable (Machine) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        // It ends when its input does, which is when this scope is left, or with this process. If it
        // were killed then, it would leave behind its group.
        _ = try await Subprocess.run(
            .path(.init(boot)),
            arguments: .init([folder.url, source, build].map { $0.path(percentEncoded: false) }),
            input: .inputWriter,
            output: .sequence,
            error: .string(limit: 1 << 20)
        ) { execution in
            var lines = execution.standardOutput.strings().makeAsyncIterator()
            let number = try await lines.next()?.trimmingCharacters(in: .whitespacesAndNewlines)
            let machine = Machine(identifier: try #require(number, "the system did not come up"))
            do {
                try await body(machine)
            } catch {
                try await execution.standardInputWriter.finish()
                throw error
            }
            try await execution.standardInputWriter.finish()
        }
    }

    /// What a command has left.
    struct Run {
        /// As a shell counts: 0 for success, 128 and the number where a signal has ended it.
        var status: Int32
        var output: String
        var errors: String

        /// What it has written, without the end of the last line.
        var line: String { output.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// Runs commands for a shell in the machine, and expects the last of them to succeed.
    @discardableResult
    func shell(_ commands: String, _ location: SourceLocation = #_sourceLocation) async throws
        -> String
    {
        let run = try await attempt(commands)
        try #require(
            run.status == 0,
            "\(commands): status \(run.status)\n\(run.output)\(run.errors)",
            sourceLocation: location
        )
        return run.line
    }

    /// Runs commands for a shell in the machine, whatever comes of it.
    func attempt(_ commands: String) async throws -> Run {
        let result = try await Subprocess.run(
            .path("/usr/bin/nsenter"),
            arguments: ["-t", identifier, "-a", "/bin/bash", "-c", commands],
            environment: .custom(["PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]),
            workingDirectory: "/",
            platformOptions: .endingWithTests,
            output: .string(limit: 1 << 22),
            error: .string(limit: 1 << 20)
        )
        let status =
            switch result.terminationStatus {
            case .exited(let status): status
            case .signaled(let signal): 128 + signal
            }
        return Run(
            status: status,
            output: result.standardOutput,
            errors: result.standardError
        )
    }

    /// A place in its journal.
    struct Mark {
        var cursor: String
    }

    /// The present end of its journal.
    func mark() async throws -> Mark {
        let lines = try await shell("journalctl --lines=0 --show-cursor")
        let cursor = lines.split(separator: "cursor: ").last.map(String.init)
        return Mark(cursor: try #require(cursor))
    }

    /// Waits until something that matches is in the journal of a unit after a mark.
    ///
    /// - Returns: The first line that matches.
    @discardableResult
    func await(
        _ pattern: String,
        of unit: String = "luggage-scanner",
        after mark: Mark
    ) async throws -> String {
        try await shell(
            """
            exec 3< <(exec journalctl --follow --lines=all --output=cat \
                --after-cursor='\(mark.cursor)' --unit='\(unit)')
            grep --max-count=1 --extended-regexp -e '\(pattern)' <&3
            status=$?
            kill $!
            exit $status
            """
        )
    }

    func journal(of unit: String = "luggage-scanner") async throws -> String {
        // Written by whatever has ended, too.
        try await shell("journalctl --sync; journalctl --output=cat --unit='\(unit)'")
    }

    /// A file of the machine, as this system reaches it.
    func url(_ path: String) -> URL {
        URL(filePath: "/proc/\(identifier)/root\(path)")
    }

    /// Whether a machine can be booted here.
    static var isAvailable: Bool {
        get async { await check.value }
    }

    private static let check = Task {
        let result = try? await Subprocess.run(
            .path(.init(boot)),
            arguments: ["--check"],
            output: .discarded,
            error: .discarded
        )
        return result?.terminationStatus.isSuccess ?? false
    }
}
