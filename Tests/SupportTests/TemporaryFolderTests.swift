import Foundation
import TestFolders
import Testing

@Suite("A folder of a test")
struct TemporaryFolderTests {
    @Test(
        "is gone after it, whatever is in it",
        arguments: [
            "echo x > file; ln file other; mkdir -p deep/er/still; : > deep/er/still/.hidden",
            #"mkdir "$(printf 'folder\377')"; : > "$(printf 'folder\377/file\376')"; : > "$(printf 'a\nb')""#,
            "mkdir -p shut/inner; : > shut/inner/file; chmod 0 shut/inner; chmod 0 shut",
            "mkdir sealed; : > sealed/file; chmod 500 sealed; mkfifo pipe; chmod 0 pipe; chmod 0 .",
            "ln -s missing dangling; ln -s . circle; ln -s ../../.. above",
            "rmdir ../$(basename \"$PWD\")",
        ]
    )
    func removal(script: String) throws {
        let outside = try TemporaryFolder()
        try outside.write("kept", to: "file")
        var folder: TemporaryFolder? = try TemporaryFolder()
        let path = try #require(folder?.path)
        try FileManager.default.createSymbolicLink(
            atPath: "\(path)/elsewhere",
            withDestinationPath: outside.path
        )
        if script.hasPrefix("rmdir") {
            try FileManager.default.removeItem(atPath: "\(path)/elsewhere")
        }
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-ec", script]
        shell.currentDirectoryURL = URL(filePath: path)
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0)
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try outside.text(of: "file") == "kept")
    }

    @Test("is another one each time")
    func names() throws {
        let folders = try (0..<10).map { _ in try TemporaryFolder() }
        #expect(Set(folders.map(\.path)).count == 10)
        #expect(folders.allSatisfy { $0.url.lastPathComponent.hasPrefix("luggage-test-") })
    }
}
