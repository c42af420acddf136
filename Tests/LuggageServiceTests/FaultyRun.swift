import CFaultInjection
import Foundation
import Subprocess
import SystemPackage
import TestProcesses

/// A run of the service that files what is there, in a process of its own in which one call of the
/// system fails or kills it.
struct FaultyRun {
    /// What it wrote, to both of its streams.
    let output: String
    let isKilled: Bool
    /// How many calls of the kind there were; nil where it did not come to its end.
    let calls: Int?

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - inbox: The folder.
    ///   - call: The kind of the call.
    ///   - number: Which call of that kind, from 1.
    ///   - error: The error with which it fails, or `FAULT_INJECTION_KILL`.
    /// - Throws: What starting it throws.
    init(
        _ inbox: WatchedInbox,
        failing call: FaultInjectionCall,
        _ number: Int,
        with error: Int32
    ) async throws {
        let executable = URL(filePath: CommandLine.arguments[0])
            .resolvingSymlinksInPath()
            .deletingLastPathComponent()
            .appending(path: "fault-watcher")
            .path(percentEncoded: false)
        let result = try await Subprocess.run(
            .path(.init(executable)),
            arguments: [inbox.path, inbox.store, "\(call.rawValue)", "\(number)", "\(error)"],
            platformOptions: .endingWithTests,
            output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20)
        )
        let last = result.standardOutput.split(separator: "\n").last?.split(separator: " ")
        output = result.standardOutput + result.standardError
        isKilled = if case .signaled = result.terminationStatus { true } else { false }
        calls = last?.first == "swept" ? last?.last.flatMap { Int($0) } : nil
    }
}
