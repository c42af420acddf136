import CReaderProtocol
import Foundation
import SeededRandom
import TagDrawing
import Testing

@testable import TagReading

@Suite("When the pool's process is gone", .timeLimit(.minutes(30)))
struct PoolEndTests {
    /// A reader process by itself, and the pool's end of its socket.
    struct Reader {
        let identifier: pid_t
        let socket: Int32

        init() throws {
            let executable = try ReaderPool.locateExecutable()
            (identifier, socket) = try ReaderProcess.start(executable, 1 << 30, .reader)
            var greeting = ReaderGreeting()
            let size = MemoryLayout<ReaderGreeting>.size
            try #require(wait(for: Int16(POLLIN)))
            try #require(unsafe reader_receive(socket, &greeting, size, nil) == size)
        }

        func wait(for events: Int16) -> Bool {
            var entry = pollfd(fd: socket, events: events, revents: 0)
            return unsafe poll(&entry, 1, -1) == 1
        }

        var hasAnswered: Bool {
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&entry, 1, 0) == 1
        }

        func send(_ image: TagImage) throws {
            var request = ReaderRequest()
            request.version = READER_PROTOCOL_VERSION
            (request.pixels, request.file_bytes, request.symbols) = (1 << 26, 1 << 26, 64)
            (request.processor_seconds, request.effort) = (60, 2)
            let size = MemoryLayout<ReaderRequest>.size
            try #require(unsafe reader_send(socket, &request, size, image.descriptor) == 0)
        }

        /// Ends our side, and waits for the other.
        func end() -> Int32 {
            close(socket)
            var status: Int32 = 0
            while unsafe waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
            return status
        }
    }

    @Test("an idle reader ends")
    func idle() throws {
        #expect(try Reader().end() == 0)
    }

    @Test("a reader with a picture gives it up")
    func busy() throws {
        // Noise in which there is much to look for, and nothing to find.
        var generator = SeededGenerator(seed: 7)
        let noise = GreyImage(width: 250, height: 250) { _, _ in generator.next() % 2 == 0 ? 0 : 255
        }
        .enlarged(by: 4)
        let image = try TagImage(bytes: noise.png(as: .grey8))
        var status: Int32 = -1
        repeat {
            let reader = try Reader()
            try reader.send(image)
            // Until it has taken the picture.
            var unread: Int32 = 1
            while unread > 0 {
                try #require(unsafe ioctl(reader.socket, UInt(TIOCOUTQ), &unread) == 0)
                sched_yield()
            }
            // Where this thread had to wait, the reader may be done; then nothing was to be given up.
            let isDone = reader.hasAnswered
            let end = reader.end()
            if !isDone { status = end }
        } while status == -1
        // One that goes on reads it to its end and then complains that nobody wants the answer.
        #expect(status == 0)
    }
}
