import Foundation
import LuggageTags
import ObjectStore
import Testing

@Suite("Taking a change back while others file")
struct UndoingAmongOthersTests {
    private static let anna = Responsibility(author: "anna", reason: "wrong belt")
    private static let first = "F432BDB8-D84F-4461-8362-AFF89F6C493E"

    /// What somebody else does while the history is read, and what comes of the undoing.
    struct Arrival: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Whether a change is named, and not just the last one meant.
        var isNamed = true
        /// The picture whose change is taken back in the end, or the word for why none is.
        let result: String
        let done: @Sendable (PersistentContainer, Int64) throws -> Void
    }

    private static func scan(
        _ payload: String,
        _ name: String
    ) -> @Sendable (PersistentContainer, Int64) throws -> Void {
        { container, _ in
            _ = try ScanRecorder(container: container)
                .record(.of(payload, name: name, second: 2_000_000))
        }
    }

    private static let undo: @Sendable (PersistentContainer, Int64) throws -> Void = {
        _ = try ChangeUndoing(container: $0).undo($1, by: anna)
    }

    private static let purge: @Sendable (PersistentContainer, Int64) throws -> Void = {
        container,
        _ in
        let cutoff = Date(timeIntervalSince1970: 1_500_000)
        _ = try RecordPurge(container: container, scope: .names, before: cutoff).run()
    }

    /// Files a bag, and then others.
    ///
    /// - Returns: The number of the first change and of the last one.
    private func fill(_ container: PersistentContainer) throws -> (first: Int64, last: Int64) {
        let recorder = ScanRecorder(container: container)
        _ = try recorder.record(.of(payload(Self.first), name: "first"))
        let first = try #require(try ChangeUndoing(container: container).changes(limit: 1).first)
        for index in 0..<150 {
            let id = "00000000-0000-4000-8000-" + String(100_000_000_000 + index)
            _ = try recorder.record(.of(payload(id), name: "\(index)"))
        }
        let last = try #require(try ChangeUndoing(container: container).changes(limit: 1).first)
        return (first.number, last.number)
    }

    @Test(
        "what comes in between is taken into account, and nobody waits for the reading",
        arguments: TestStore.allCases,
        [
            Arrival(
                testDescription: "another bag",
                result: "first",
                done: scan(payload(secondID), "x")
            ),
            Arrival(
                testDescription: "a contradiction",
                result: "conflict",
                done: scan(payload(first, weight: "50"), "x")
            ),
            Arrival(
                testDescription: "the same undoing",
                result: "already-done",
                done: undo
            ),
            Arrival(
                testDescription: "a purge",
                result: "not-found",
                done: purge
            ),
            Arrival(
                testDescription: "a later change",
                isNamed: false,
                result: "x",
                done: scan(payload(secondID), "x")
            ),
            Arrival(
                testDescription: "an undoing of the last",
                isNamed: false,
                result: "148",
                done: undo
            ),
            Arrival(
                testDescription: "a purge of everything",
                isNamed: false,
                result: "nothing",
                done: purge
            ),
        ]
    )
    func arrivals(store: TestStore, arrival: Arrival) async throws {
        try await store.withStore { beneath in
            let watched = WatchedStore(over: beneath)
            let container = try PersistentContainer(model: LuggageModel.make(), store: watched)
            let (first, last) = try fill(container)
            let others = try PersistentContainer(model: LuggageModel.make(), store: beneath)
            let before = watched.counts
            // The other one saves in its own turn: it would wait for ours without end.
            watched.onceAfterReading { try arrival.done(others, arrival.isNamed ? first : last) }
            let undoing = ChangeUndoing(container: container)
            let number = arrival.isNamed ? first : nil
            let result: String
            do {
                result = try undoing.undo(number, by: Self.anna).picture ?? "none"
            } catch let error as CorrectionError {
                result = error.code.description
            }
            #expect(result == arrival.result)
            let after = watched.counts
            #expect(after.outside - before.outside >= 250)
            #expect(after.inTurn - before.inTurn <= 8)
        }
    }
}
