// A source of signals may be used from every thread, but does not say so.
@unsafe @preconcurrency internal import Dispatch

extension AsyncStream<Int32> {
    private static let queue = DispatchQueue(label: "signals")

    /// Catches signals of the process from now on, so that they no longer end it.
    ///
    /// - Parameter numbers: The signals, such as `SIGTERM`.
    /// - Returns: The signals as they come. Once nobody waits for them any more, they are not told, but do not end
    ///   the process either.
    package static func signals(_ numbers: [Int32]) async -> Self {
        let (stream, news) = makeStream()
        let sources = numbers.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        news.onTermination = { _ in for source in sources { source.cancel() } }
        for (number, source) in zip(numbers, sources) {
            source.setEventHandler { news.yield(number) }
            // A signal before that would be missed, or end the process.
            await withCheckedContinuation { isReady in
                source.setRegistrationHandler { isReady.resume() }
                source.activate()
            }
        }
        return stream
    }
}
