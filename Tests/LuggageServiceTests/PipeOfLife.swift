import Testing

#if canImport(Glibc)
import Glibc
#endif

extension ScratchFolder {
    /// Makes a pipe, `life`, that everything a command starts holds open, and waits until nothing is
    /// left of it.
    func expectEnd(of body: () async throws -> Void) async throws {
        let path = path("life")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        try await body()
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        #expect(unsafe poll(&event, 1, 60_000) == 1)
        #expect(event.revents & Int16(POLLHUP) != 0, "a process is left")
    }
}
