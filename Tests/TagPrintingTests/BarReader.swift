import Foundation
import Subprocess
import SystemPackage
import TestFolders
import Testing
import TestProcesses

/// A program of Debian's that reads bar codes, and knows nothing of how ours are drawn.
enum BarReader {
    private static let executable = "/usr/bin/zbarimg"

    /// Whether it is installed; where it is not, that is said aloud.
    static var isInstalled: Bool {
        let isThere = FileManager.default.isExecutableFile(atPath: executable)
        if !isThere {
            print(
                "zbarimg IS NOT INSTALLED: Code 128 is read by our own reader alone; see zbar-tools"
            )
        }
        return isThere
    }

    /// What the bar codes of a PNG file say.
    static func texts(in png: [UInt8]) async throws -> Set<String> {
        let folder = try TemporaryFolder()
        let file = try folder.write(png, to: "tag.png")
        let run = try await Subprocess.run(
            .path(.init(executable)),
            arguments: ["-q", "-Sdisable", "-Scode128.enable", "--raw", file],
            platformOptions: .endingWithTests,
            output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16)
        )
        // 4 says that there are none.
        let isRight = run.terminationStatus == .exited(0) || run.terminationStatus == .exited(4)
        try #require(isRight, "\(run.terminationStatus): \(run.standardError)")
        return Set(run.standardOutput.split(separator: "\n").map(String.init))
    }
}
