internal import ObjectStore
internal import Synchronization

/// Files pictures in the order in which they come, while others are still read.
///
/// Many share one write to the disk, and nothing is told of a picture before it is on it.
package final class ScanRecording: Sendable {
    fileprivate typealias Filed = Result<[ScanReport], any Error>

    private let queue: BatchQueue<PictureScan, Filed>
    private let progress = RecordingProgress()

    /// Begins to file.
    ///
    /// - Parameters:
    ///   - recorder: Files.
    ///   - coming: How many pictures will come.
    ///   - readers: How many of them can be read at the same time.
    ///   - interval: How long those that were read wait for others, as long as many are to come.
    package init(
        _ recorder: ScanRecorder,
        coming: Int,
        readers: Int,
        interval: Duration = .milliseconds(50)
    ) {
        queue = BatchQueue(BatchGathering(readers: readers, interval: interval)) {
            [progress] pictures in
            // After a failure, nothing is filed of which nobody would be told.
            if let failure = progress.failure { return pictures.map { _ in .failure(failure) } }
            return Self.file(pictures, with: recorder)
        }
        queue.expect(coming)
    }

    /// Files a picture after those that have come before, and waits only where too many do.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - tell: Is told what came of it once it is on disk; picture by picture, in their order. What it
    ///     throws ends the filing.
    /// - Throws: What has ended the filing: `StoreError`, or what somebody who was told has thrown.
    package func file(
        _ picture: PictureScan,
        then tell: @escaping @Sendable ([ScanReport]) throws -> Void
    ) async throws {
        progress.begin()
        queue.add(picture) { [progress] in progress.end($0, tell) }
        // As many as one batch takes wait at most while another one is filed.
        try await progress.wait(untilAtMost: 2 * BatchGathering<PictureScan>.mostTogether)
    }

    /// Waits until everything that has come is filed and told.
    ///
    /// - Throws: As ``file(_:then:)``.
    package func finish() async throws {
        try await progress.wait(untilAtMost: 0)
    }

    /// Files a batch; where it cannot be filed as a whole, as far as it can be.
    private static func file(_ pictures: [PictureScan], with recorder: ScanRecorder) -> [Filed] {
        do {
            return try recorder.record(pictures).map { .success($0) }
        } catch {
            // Nobody is to wait for a lock once more.
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

/// How many pictures are on their way to the record, and whether they still get there.
private final class RecordingProgress: Sendable {
    private struct State {
        /// How many have come and are not filed yet.
        var underWay = 0
        /// Why nothing more is filed.
        var failure: (any Error)?
        /// Who waits until there are not more under way than a number.
        var waiting: (most: Int, continuation: CheckedContinuation<Void, Never>)?

        func isOver(_ most: Int) -> Bool { underWay <= most || failure != nil }
    }

    private let state = Mutex(State())

    var failure: (any Error)? { state.withLock(\.failure) }

    func begin() {
        state.withLock { $0.underWay += 1 }
    }

    /// Tells what came of a picture, unless there was a failure before.
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
                state.waiting = (most, continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
        if let failure { throw failure }
    }
}
