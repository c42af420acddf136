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

    @Test(
        "leaves out the exchange with a hub where that alone was not built",
        arguments: [true, false]
    )
    func withoutHub(isBuilt: Bool) async throws {
        let folder = try TemporaryFolder()
        let names = ["luggage", "luggage-tag", "luggage-reader", "luggage-manual"]
        let script = """
            mkdir build
            for name in \((names + (isBuilt ? ["luggage-sync"] : [])).joined(separator: " ")); do
                cp /bin/true build/$name
            done
            '\(Self.install)' --build build --destdir "$PWD/there" --prefix /usr >told
            find there ! -type d -path '*luggage-sync*'
            grep -c luggage-sync told
            '\(Self.install)' --remove --destdir "$PWD/there" --prefix /usr >told
            find there ! -type d
            """
        let result = try await Subprocess.run(
            .path("/bin/sh"),
            arguments: ["-c", script],
            workingDirectory: .init(folder.path("")),
            platformOptions: .endingWithTests,
            output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 16)
        )
        #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
        let units = "there/usr/lib/systemd/system/luggage-sync.service"
        let relay = "there/usr/lib/systemd/system/luggage-sync-relay"
        let expected =
            isBuilt
            ? [
                "there/usr/libexec/luggage/luggage-sync", units, "\(units).d/common.conf",
                "\(units).d/network.conf", "\(relay).socket", "\(relay).service",
                "\(relay).service.d/common.conf", "\(relay).service.d/relay.conf", "1",
            ] : ["0"]
        let lines = result.standardOutput.split(separator: "\n").map(String.init)
        #expect(Set(lines) == Set(expected), "\(lines)")
    }
}
