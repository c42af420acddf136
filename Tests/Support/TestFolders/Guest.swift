import Foundation
import Synchronization
import Testing

/// A thread that acts for a user who owns nothing.
public final class Guest: Sendable {
    /// `setfsuid`, which Swift's module of the C library lacks: the user for whom the calling thread uses files.
    private static let setUser = unsafe dlsym(nil, "setfsuid").map {
        unsafe unsafeBitCast($0, to: (@convention(c) (uid_t) -> CInt).self)
    }

    /// Makes one; each run has a thread of its own.
    public init() {}

    /// Runs something as that user.
    public func run<Result: Sendable>(
        _ body: @escaping @Sendable () throws -> Result
    ) throws -> Result {
        let result = Mutex<Swift.Result<Result, any Error>?>(nil)
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = Self.setUser?(65_534)
            let value = Swift.Result { try body() }
            result.withLock { $0 = value }
            end.signal()
        }
        end.wait()
        return try #require(result.withLock { $0 }).get()
    }
}
