import Foundation
import Testing
import TestProcesses

/// A program that was built with these tests, running beside them.
///
/// Started and waited for without Foundation's `Process`, which now and then waits for ever for one of
/// many that end at once.
final class StartedProgram {
    let identifier: pid_t
    /// What it writes to its standard output.
    let output: FileHandle
    /// Its standard input.
    let input: FileHandle

    private var status: Int32?

    /// How a program has ended.
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    init(_ name: String, _ arguments: [String]) throws {
        let path = URL(fileURLWithPath: CommandLine.arguments[0])
            .deletingLastPathComponent().appending(path: name).path(percentEncoded: false)
        let (toChild, fromChild) = (try Self.pipe(), try Self.pipe())
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, toChild.reading, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, fromChild.writing, 1)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setpgroup(&attributes, TestProcesses.group)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = unsafe ([path] + arguments).map {
            unsafe strdup($0)
        }
        defer { unsafe words.forEach { unsafe free($0) } }
        unsafe words.append(nil)
        var identifier: pid_t = 0
        let failure = unsafe posix_spawn(&identifier, path, &actions, &attributes, words, environ)
        close(toChild.reading)
        close(fromChild.writing)
        self.identifier = identifier
        input = FileHandle(fileDescriptor: toChild.writing, closeOnDealloc: true)
        output = FileHandle(fileDescriptor: fromChild.reading, closeOnDealloc: true)
        try #require(failure == 0, "\(path) cannot be started: error \(failure)")
    }

    /// Waits until it has ended, and says how.
    @discardableResult
    func wait() -> End {
        var status = self.status ?? 0
        if self.status == nil {
            while unsafe waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            self.status = status
        }
        let signal = status & 0x7F
        return signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(unsafe Glibc.pipe(&ends) == 0)
        // Another program that had these open too would keep them from ending.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
