import Foundation
import Subprocess
import SystemPackage
import TestFolders
import Testing
import TestProcesses

@Suite("An installation of what was not built")
struct IncompleteBuildTests {
    private static let install = URL(filePath: #filePath)
        .deletingLastPathComponent()
        .appending(path: "../../systemd/install")
        .standardizedFileURL
        .path(percentEncoded: false)

    @Test(
        "copies nothing",
        arguments: ["luggage", "luggage-tag", "luggage-reader", "luggage-manual"]
    )
    func missing(program: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("")
        let script = """
            mkdir -p build; cd build
            for name in luggage luggage-tag luggage-reader luggage-manual; do
                [ "$name" = '\(program)' ] || { echo '#!/bin/sh' > $name; chmod 755 $name; }
            done
            exec '\(Self.install)' --build . --destdir '\(path)there'
            """
        let result = try await Subprocess.run(
            .path("/bin/sh"),
            arguments: ["-c", script],
            workingDirectory: .init(path),
            platformOptions: .endingWithTests,
            output: .discarded,
            error: .string(limit: 1 << 16)
        )
        #expect(result.terminationStatus == .exited(1))
        #expect(result.standardError.contains("/\(program) is not there; build it with"))
        #expect(!FileManager.default.fileExists(atPath: "\(path)there"))
    }
}
