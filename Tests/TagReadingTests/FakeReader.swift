import CReaderProtocol
import CReaderSandbox
import Foundation
import TagReading
import TestFolders
import TestProcesses

/// A program in place of `luggage-reader` that misbehaves in a way of its choice.
///
/// It is a shell script. A shell cannot receive descriptors, but `dd` takes a request out of the
/// socket all the same, and `printf` answers.
final class FakeReader: Sendable {
    let folder: TemporaryFolder
    let path: String
    private let arrivals: ScriptPipe

    /// Says that it is ready for a picture.
    static let greet = greeting()

    /// Is ready and takes the request, so that the picture counts as accepted.
    static let accept = "\(greet); dd bs=4096 count=1 <&3 >/dev/null 2>&1"

    /// Tells the test that the script has come this far; see ``arrival()``.
    static let signal = "echo >\"$(dirname \"$0\")/arrivals\""

    /// Does nothing more, until it is killed or the tests have ended.
    static let hang = "exec \(TestProcesses.endOfTests)"

    /// Behaves like this at its first start, and is the real reader from then on.
    static func onlyAtFirst(_ commands: String, then reader: String) -> String {
        """
        mark="$(dirname "$0")/started"
        if [ -e "$mark" ]; then exec "\(reader)" "$@"; fi
        : >"$mark"
        \(commands)
        """
    }

    init(_ commands: String) throws {
        folder = try TemporaryFolder()
        path = folder.path("reader")
        arrivals = try ScriptPipe(link: folder.path("arrivals"))
        try Self.write("#!/bin/sh\n\(commands)\n", to: path)
    }

    /// Has another process write the script: a program that this process had open for writing could
    /// not be run while some child, started at that moment by another test, still holds it open.
    private static func write(_ script: String, to path: String) throws {
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = [
            "-c", "printf %s \"$1\" >\"$2\" && chmod 700 \"$2\"", "sh", script, path,
        ]
        try writer.run()
        writer.waitUntilExit()
    }

    /// A pool of one process, this one, whose patience does not end.
    func patientPool() -> ReaderPool {
        ReaderPool(executable: path, limits: .patient, workers: 1)
    }

    /// Waits until the script signals.
    func arrival() async {
        await arrivals.arrival()
    }

    /// The command that answers with these bytes as one packet.
    static func answer(_ bytes: some Sequence<UInt8>) -> String {
        let octal = bytes.map { "\\" + String(Int($0) + 512, radix: 8).dropFirst() }.joined()
        // The shell's own printf writes more than a buffer in pieces; dd makes one packet of it.
        return "printf '\(octal)' | dd bs=65536 iflag=fullblock >&3 2>/dev/null"
    }

    /// The command that answers with one packet of so many bytes.
    static func answer(ofLength count: Int) -> String {
        "dd if=/dev/zero bs=\(count) count=1 >&3 2>/dev/null"
    }

    /// The command that says what a process of this build says, which can be spoilt.
    static func greeting(_ change: (inout ReaderGreeting) -> Void = { _ in }) -> String {
        var greeting = ReaderGreeting()
        greeting.version = READER_PROTOCOL_VERSION
        greeting.landlock_version = 6
        change(&greeting)
        return unsafe answer(withUnsafeBytes(of: greeting) { unsafe Array($0) })
    }

    /// A reply to the first picture, which can be spoilt.
    static func reply(_ change: (inout ReaderReply) -> Void = { _ in }) -> [UInt8] {
        var reply = ReaderReply()
        reply.version = READER_PROTOCOL_VERSION
        reply.sequence = 1
        reply.width = 10
        reply.height = 10
        change(&reply)
        return unsafe withUnsafeBytes(of: reply) { unsafe Array($0) }
    }

    /// A symbol of the first picture, which can be spoilt.
    static func symbol(
        _ payload: [UInt8],
        _ change: (inout ReaderSymbolHeader) -> Void = { _ in }
    ) -> [UInt8] {
        var header = ReaderSymbolHeader()
        header.sequence = 1
        header.byte_count = UInt32(payload.count)
        change(&header)
        return unsafe withUnsafeBytes(of: header) { unsafe Array($0) } + payload
    }
}

extension ReadLimits {
    /// The usual limits but for those of wall-clock time: on a busy machine a picture may take longer,
    /// or a test be kept from its next step for longer than any reader may take.
    static let patient = {
        var limits = ReadLimits.default
        limits.time = .seconds(86_400)
        limits.startingTime = .seconds(86_400)
        return limits
    }()
}

/// Whether this is a sanitizer's build, whose processes cannot be held to an address space.
let isSanitized = unsafe dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil

/// What this kernel offers of Landlock; 0 where it offers none.
let kernelLandlockVersion = max(0, Int(sandbox_landlock_offered()))

/// Whether a process exists, a zombie included.
func exists(_ identifier: Int32) -> Bool {
    kill(identifier, 0) == 0
}

/// Kills a child of this process and waits until it is dead, without reaping it.
func killAndAwait(_ identifier: Int32) {
    kill(identifier, SIGKILL)
    var information = unsafe siginfo_t()
    repeat {
        unsafe information = siginfo_t()
    } while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0
        && errno == EINTR
}

/// The error that reading ends with, or `nil` where it succeeds.
func failure(of pool: some TagReader, reading bytes: [UInt8] = Pictures.hello) async -> ReadError? {
    do {
        _ = try await pool.read(TagImage(bytes: bytes))
        return nil
    } catch {
        return error
    }
}
