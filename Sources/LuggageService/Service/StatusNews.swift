/// Keeps the service manager's status line up to date.
struct StatusNews: Sendable {
    private let news: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (news, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Announces that the line may be another one now.
    func announce() {
        continuation.yield()
    }

    /// Sends the line after each announcement until the task is cancelled.
    ///
    /// It sends at most one a second, and none while nothing happens.
    ///
    /// - Parameters:
    ///   - notifier: Tells the service manager.
    ///   - clock: The clock.
    ///   - line: Gives the line.
    func keep(
        with notifier: ServiceNotifier,
        by clock: any Clock<Duration>,
        _ line: @Sendable () -> String
    ) async {
        for await _ in news {
            notifier.send(.status(line()))
            try? await clock.sleep(for: .seconds(1))
        }
    }
}
