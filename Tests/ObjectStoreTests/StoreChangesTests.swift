import StoreTesting
import Testing

@testable import ObjectStore

@Suite("Saves are told in their order")
struct StoreChangesTests {
    @Test("also one that had its token before anybody listened")
    func begunBefore() async throws {
        let changes = StoreChanges(of: InMemoryStore(), try TestModel.make())
        let tokens = (4...5).map { HistoryToken(rawValue: $0) }
        changes.expect(tokens[0])
        let stream = changes.stream()
        changes.expect(tokens[1])
        for token in tokens.reversed() {
            // Incomplete, because nothing is told of an empty one.
            changes.send(SaveResult(changes: [:], token: token, isComplete: false))
        }
        var told: [HistoryToken?] = []
        for await save in stream.prefix(2) { told.append(save.token) }
        #expect(told == tokens)
    }
}
