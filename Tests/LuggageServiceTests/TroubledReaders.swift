import Foundation
import Synchronization
import TagReading
import ZBarTagReader

/// Counts.
final class Attempts: Sendable {
    private let count_ = Mutex(0)

    var number: Int { count_.withLock { $0 } }

    @discardableResult
    func count() -> Int {
        count_.withLock { number in
            number += 1
            return number
        }
    }
}

/// Does something else once, after a picture was read and before that is known.
struct InterruptedReader: TagReader {
    private let interruption: @Sendable (TagImage) -> Void
    private let attempts = Attempts()

    init(_ interruption: @escaping @Sendable (TagImage) -> Void) {
        self.interruption = interruption
    }

    func read(_ image: TagImage) async throws(ReadError) -> Reading {
        let reading = try await ZBarTagReader().read(image)
        if attempts.count() == 1 { interruption(image) }
        return reading
    }
}

/// Fails where it is told to.
struct FailingReader: TagReader {
    let failure: @Sendable (TagImage) -> ReadError?

    init(_ failure: @escaping @Sendable (TagImage) -> ReadError?) {
        self.failure = failure
    }

    func read(_ image: TagImage) async throws(ReadError) -> Reading {
        if let failure = failure(image) { throw failure }
        return try await ZBarTagReader().read(image)
    }
}

/// Never ends reading by itself.
final class HangingReader: TagReader {
    private let begun = AsyncStream.makeStream(of: Void.self)
    private let ended = AsyncStream.makeStream(of: Void.self)

    func read(_ image: TagImage) async throws(ReadError) -> Reading {
        begun.continuation.yield()
        for await _ in ended.stream {}
        throw .cancelled
    }

    /// Waits until it has got a picture.
    func hangs() async {
        for await _ in begun.stream { return }
    }

    /// Has it give up.
    func end() { ended.continuation.finish() }
}
