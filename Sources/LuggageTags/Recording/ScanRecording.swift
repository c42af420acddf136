internal import ObjectStore
internal import Synchronization

/// Files pictures in the order in which they come, while the next ones are still being read.
///
/// Many share one write to the disk. It tells the result of a picture only after that write.
package final class ScanRecording: Sendable {
    fileprivate typealias Filed = Result<[ScanReport], any Error>

    private let queue: BatchQueue<ReadPicture, Filed>
    private let progress = RecordingProgress()

    /// Begins to file.
    ///
    /// - Parameters:
    ///   - recorder: Files the pictures.
    ///   - coming: How many pictures will come.
    ///   - readers: How many of them can be read at the same time.
    ///   - interval: How long pictures that were read wait for others while many are still to come.
    package init(
        _ recorder: ScanRecorder,
        coming: Int,
        readers: Int,
        interval: Duration = .milliseconds(50)
    ) {
        queue = BatchQueue(BatchGathering(readers: readers, interval: interval)) {
            [progress] pictures in
            // After a failure it files nothing more, because nobody would be told about it.
            if let failure = progress.failure { return pictures.map { _ in .failure(failure) } }
            return Self.file(pictures, with: recorder)
        }
        queue.expect(coming)
    }

    /// Announces one picture more than were told at the beginning.
    package func expect() {
        queue.expect()
    }

    /// Files a picture after those that came before it, and waits only if too many are not filed yet.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - tell: Receives the reports once they are on disk, picture by picture, in order. If it throws,
    ///     the filing ends.
    /// - Throws: The error that ended the filing: `StoreError`, or what a `tell` has thrown.
    package func file(
        _ picture: ReadPicture,
        then tell: @escaping @Sendable ([ScanReport]) throws -> Void
    ) async throws {
        progress.begin()
        queue.add(picture) { [progress] in progress.end($0, tell) }
        // So at most one batch waits while another one is being filed.
        try await progress.wait(untilAtMost: 2 * BatchGathering<ReadPicture>.mostTogether)
    }

    /// Waits until everything that came is filed and told.
    ///
    /// - Throws: The same errors as ``file(_:then:)``.
    package func finish() async throws {
        try await progress.wait(untilAtMost: 0)
    }

    /// Files a batch; if that fails as a whole, files its pictures one by one up to the first failure.
    private static func file(_ pictures: [ReadPicture], with recorder: ScanRecorder) -> [Filed] {
        do {
            return try recorder.record(pictures).map { .success($0) }
        } catch {
            // The store was locked for the whole timeout; each retry would wait as long again.
            let isLocked = (error as? StoreError)?.code == .locked
            if isLocked || pictures.count == 1 { return pictures.map { _ in .failure(error) } }
        }
        var failure: (any Error)?
        return pictures.map { picture in
            if let failure { return .failure(failure) }
            let filed = Filed { try recorder.record(picture) }
            if case .failure(let error) = filed { failure = error }
            return filed
        }
    }
}

/// Counts the pictures that are not filed yet, and keeps the failure that ended the filing.
private final class RecordingProgress: Sendable {
    private struct State {
        /// How many have come and are not filed yet.
        var underWay = 0
        /// The error that ended the filing.
        var failure: (any Error)?
        /// The caller that waits until at most `most` pictures are under way.
        var waiting: (most: Int, continuation: CheckedContinuation<Void, Never>)?

        func isOver(_ most: Int) -> Bool { underWay <= most || failure != nil }
    }

    private let state = Mutex(State())

    var failure: (any Error)? { state.withLock(\.failure) }

    func begin() {
        state.withLock { $0.underWay += 1 }
    }

    /// Tells the result of a picture, unless there was a failure before.
    func end(_ filed: ScanRecording.Filed, _ tell: ([ScanReport]) throws -> Void) {
        let told = failure == nil ? Result { try tell(try filed.get()) } : nil
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.underWay -= 1
            if case .failure(let error) = told { state.failure = error }
            guard let waiting = state.waiting, state.isOver(waiting.most) else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        waiting?.resume()
    }

    func wait(untilAtMost most: Int) async throws {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isOver(most) { return true }
                precondition(state.waiting == nil, "pictures are filed one after the other")
                state.waiting = (most, continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
        if let failure { throw failure }
    }
}
