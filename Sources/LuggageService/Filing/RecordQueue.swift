internal import LuggageTags

/// Files what a service takes in, in the order in which it comes, in batches.
final class RecordQueue<Picture: Sendable, Outcome: Sendable>: Sendable {
    /// A picture, and the caller that waits for its result.
    typealias Waiting = BatchQueue<Picture, Outcome>.Waiting

    private let batches: BatchQueue<Picture, Outcome>
    private let writing: RecordWriting

    /// Makes a queue.
    ///
    /// - Parameters:
    ///   - writing: Writes to the record.
    ///   - gathering: Says how long a batch waits for more pictures.
    ///   - file: Files a batch, and returns the result for each picture.
    init(
        _ writing: RecordWriting,
        gathering: BatchGathering<Waiting>,
        file: @escaping @Sendable ([Picture]) -> [Outcome]
    ) {
        self.writing = writing
        batches = BatchQueue(gathering) { pictures in
            defer { writing.endBatch() }
            return file(pictures)
        }
    }

    /// Announces a picture that is being read; filing it, or ``expectNoMore()``, must follow.
    func expect() {
        batches.expect()
    }

    /// Says that an announced picture will not be filed.
    func expectNoMore() {
        batches.expectNoMore()
    }

    /// How many pictures wait for others to come.
    var held: Int { batches.held }

    /// Files an announced picture.
    func file(_ picture: Picture) async -> Outcome {
        await withCheckedContinuation { continuation in
            batches.add(picture) { continuation.resume(returning: $0) }
        }
    }

    /// Files an announced picture, and does not wait for that.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - tell: Receives the result, picture by picture, in the order in which they came.
    func file(_ picture: Picture, then tell: @escaping @Sendable (Outcome) -> Void) {
        batches.add(picture, then: tell)
    }

    /// Runs a closure as soon as no batch is being filed.
    func betweenBatches(_ body: @escaping @Sendable () -> Void) {
        batches.betweenBatches(body)
    }

    /// Empties the record's log between batches whenever nothing was filed for some seconds, so that the
    /// record's file alone can be copied; until the task is cancelled.
    func settleWhenIdle(by clock: any Clock<Duration>) async {
        for await _ in writing.filedBatches {
            var count: Int
            repeat {
                count = writing.batchCount
                try? await clock.sleep(for: .seconds(3), tolerance: .seconds(1))
                if Task.isCancelled { return }
            } while writing.batchCount != count
            batches.betweenBatches { [writing] in writing.settle() }
        }
    }

    /// Stops: a record that cannot be written is tried only once from now on.
    func stop() {
        writing.stop()
        batches.hurry()
    }

    /// Closes the record once nothing uses it; nothing may use it afterwards.
    func close() async {
        await withCheckedContinuation { continuation in
            batches.betweenBatches { [writing] in
                writing.close()
                continuation.resume()
            }
        }
    }

    /// Checks the record soon.
    ///
    /// If something is wrong with it, the queue reports that, and files nothing until it is mended.
    func checkRecord() {
        if writing.takeSign() { batches.betweenBatches { [writing] in writing.checkRecord() } }
    }
}
