import SystemCalls
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite("A process that is started")
struct ChildProcessTests {
    private static func start(
        _ executable: String,
        _ command: String
    ) throws(ChildProcess.StartFailure) -> ChildProcess {
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
            (error as? ChildProcess.StartFailure)?.number == number
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
        #expect(unsafe poll(&event, 1, 60_000) == 1)
        #expect(child.collectEnd() == .exited(3))
    }

    @Test("goes with who has started it, and so does what it has started itself")
    func abandoned() async throws {
        let scratch = try ScratchFolder()
        try await scratch.expectEnd {
            let life = scratch.path("life")
            let child = try Self.start("/bin/sh", "exec 3>'\(life)'; sleep 1000 & echo; wait")
            var byte: UInt8 = 0
            #expect(unsafe read(child.output, &byte, 1) == 1)
        }
    }
}
