import CLinux
import Foundation
import TestFolders
import Testing
import TestProcesses

@testable import SystemSupport
import Glibc

@Suite("A process that is started")
struct ChildProcessTests {
    private static func start(
        _ executable: String,
        _ command: String
    ) throws(SystemError) -> ChildProcess {
        try ChildProcess.start(
            executable,
            arguments: [executable, "-c", command].map { Array($0.utf8) },
            environment: [Array("PATH=/usr/bin:/bin".utf8)],
            input: Array("in\n".utf8)
        )
    }

    @Test(
        "is none where there is no such program",
        arguments: [("/nonexistent/sh", ENOENT), ("/etc", EACCES), ("/etc/passwd", EACCES)]
    )
    func failure(executable: String, number: Int32) {
        #expect {
            _ = try Self.start(executable, "exit 0")
        } throws: { error in
            (error as? SystemError)?.number == number
        }
    }

    @Test("reads what it is given, and is heard to its end")
    func streams() throws {
        let child = try Self.start("/bin/sh", "cat; echo out; echo err >&2; exit 3")
        var written: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while true {
            let count = unsafe read(child.output, &buffer, buffer.count)
            guard count > 0 else { break }
            written += buffer[..<count]
        }
        #expect(String(decoding: written, as: UTF8.self) == "in\nout\nerr\n")
        var event = pollfd(fd: child.end, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&event, 1, -1) == 1)
        #expect(child.collectEnd() == .exited(3))
    }

    @Test("has the right streams where their numbers stand in one another's way")
    func crossedStreams() throws {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        try #require(unsafe system_open_pipe(&reading, &writing) == 0)
        defer { close(reading) }
        let words = ["sh", "-c", "(readlink /proc/$$/fd/1 >&0); exit 0"].map { Array($0.utf8) }
        var identifier: pid_t = 0
        let error = unsafe CStrings(words).use { arguments in
            unsafe CStrings([]).use { environment in
                // What is 0 here is to be 1 there, where 0 is another one.
                unsafe [writing, 0, SYSTEM_NO_FILE].withUnsafeBufferPointer { descriptors in
                    unsafe "/bin/sh".withCString { shell in
                        var program = unsafe SystemProgram(
                            executable: shell,
                            arguments: arguments,
                            environment: environment,
                            descriptors: descriptors.baseAddress,
                            descriptor_count: 3,
                            group: SYSTEM_OWN_GROUP
                        )
                        return unsafe system_start(&program, &identifier)
                    }
                }
            }
        }
        close(writing)
        try #require(error == 0)
        #expect(ProcessEnd(collecting: identifier) == .exited(0))
        var target = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(reading, &target, target.count)
        let input = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/0")
        #expect(String(decoding: target.prefix(max(0, count)), as: UTF8.self) == "\(input)\n")
    }

    @Test("goes with who has started it, and so does what it has started itself")
    func abandoned() async throws {
        let scratch = try TemporaryFolder()
        try await scratch.expectEnd {
            let life = scratch.path("life")
            let child = try Self.start(
                "/bin/sh",
                "exec 3<>'\(life)'; \(TestProcesses.endOfTests) & echo; wait"
            )
            var byte: UInt8 = 0
            #expect(unsafe read(child.output, &byte, 1) == 1)
        }
    }
}
