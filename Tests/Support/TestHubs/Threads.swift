internal import SystemSupport

/// Runs what waits on a thread that no task needs meanwhile.
package func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DetachedThread.startPatiently { continuation.resume(with: .init(catching: body)) }
    }
}
