internal import FolderWatch
internal import Testing

@Suite("An observer of a watch's status")
struct StatusObserverTests {
    @Test(
        "is left with the latest, in whatever order they come",
        arguments: [[1, 2, 3], [3, 2, 1], [2, 3, 1], [1, 3, 2], [3, 3, 3]] as [[UInt64]]
    )
    func order(numbers: [UInt64]) async throws {
        let (statuses, continuation) = AsyncStream.makeStream(
            of: UInt64.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let observer = StatusObserver(continuation: continuation)
        for number in numbers { observer.tell(number, number) }
        continuation.finish()
        #expect(await statuses.reduce(into: []) { $0.append($1) } == [3])
    }
}
