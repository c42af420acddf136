import Foundation
import Subprocess
import SystemPackage
import TestFolders
import TestProcesses

/// The program that closes the reader's sandbox around itself and then tries to leave it.
enum HostileReader {
    /// What became of it.
    enum Outcome: Equatable {
        case letThrough
        /// The system refused with this error number.
        case refused(Int32)
        /// A signal ended the process.
        case ended(Int32)
        /// It could not be tried.
        case unusable(String)
    }

    /// A layer of the sandbox.
    enum Layer: String, CaseIterable {
        case landlock, limits, filter
    }

    /// Beside the tests, like every program that is built with them.
    static let executable = URL(filePath: CommandLine.arguments[0])
        .resolvingSymlinksInPath()
        .deletingLastPathComponent()
        .appending(path: "hostile-reader")
        .path(percentEncoded: false)

    /// Tries to do something forbidden inside some layers of the sandbox.
    static func attempt(_ name: String, inside layers: [Layer]) async throws -> Outcome {
        try await run("try", name, layers.map(\.rawValue))
    }

    /// Does something that must go on inside all of them.
    static func need(_ name: String) async throws -> Outcome {
        try await run("run", name, [])
    }

    private static func run(
        _ verb: String,
        _ name: String,
        _ layers: [String]
    ) async throws -> Outcome {
        let folder = try TemporaryFolder()
        let result = try await Subprocess.run(
            .path(.init(executable)),
            arguments: .init([verb, folder.path(""), name] + layers),
            platformOptions: .endingWithTests,
            output: .discarded,
            error: .string(limit: 1 << 16)
        )
        return switch result.terminationStatus {
        case .exited(0): .letThrough
        case .exited(let status) where status < unusable: .refused(status)
        case .exited(let status): .unusable("status \(status): \(result.standardError)")
        case .signaled(let signal): .ended(signal)
        }
    }

    /// No error number is as high.
    private static let unusable: Int32 = 200
}
