import Foundation
import ObjectStore
import SQLiteStore
import StoreTesting
import TestFolders
import Testing

@Suite("Saves of other processes are heard", .timeLimit(.minutes(30)))
struct ForeignCommitTests {
    private let folder: TemporaryFolder
    private let path: String
    private let container: PersistentContainer
    private let other: OtherProcess

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("store.sqlite")
        container = try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path)
        )
        other = try OtherProcess(path)
    }

    private func insert(_ tag: String, in container: PersistentContainer) throws -> SaveResult {
        let context = container.makeContext()
        _ = Luggage(context, tag, weight: 1)
        return try context.save()
    }

    @Test("each with what it did, by whom, and what the rows were before and after")
    func contents() async throws {
        var saves = container.changes.makeAsyncIterator()
        for command in ["insert A", "edit A", "insert B", "delete A"] { try other.run(command) }
        var seen: [String] = []
        for number in 1...4 {
            let save = try #require(await saves.next(isolation: nil))
            #expect(save.isForeign && save.isComplete && save.author == "other")
            #expect(save.token == HistoryToken(rawValue: Int64(number)))
            let change = try #require(save.changes.values.first)
            let sides = [change.before, change.after].map { side in
                side.flatMap { row in
                    let tag = container.model.value(\Luggage.tag, in: row) ?? ""
                    return "\(tag) \(container.model.value(\Luggage.weight, in: row) ?? 0)"
                } ?? "-"
            }
            seen.append(sides.joined(separator: " > "))
        }
        #expect(seen == ["- > A 1.0", "A 1.0 > A 2.0", "- > B 1.0", "A 2.0 > -"])
    }

    @Test("between the container's own, in the order of the commits, each once")
    func order() async throws {
        var saves = container.changes.makeAsyncIterator()
        var own: Set<HistoryToken?> = []
        for round in 0..<60 {
            if round % 3 > 0 { try other.run("insert other-\(round)") }
            if round % 3 < 2 { own.insert(try insert("own-\(round)", in: container).token) }
        }
        for number in 1...80 {
            let save = try #require(await saves.next(isolation: nil))
            #expect(save.token == HistoryToken(rawValue: Int64(number)))
            #expect(save.isForeign == !own.contains(save.token))
            #expect(save.isComplete)
        }
    }

    @Test("while both save as fast as they can, in several threads")
    func contention() async throws {
        let count = 150
        var saves = container.changes.makeAsyncIterator()
        let own = try await withThrowingTaskGroup(of: [HistoryToken?].self) { group in
            for task in 0..<4 {
                group.addTask { [container] in
                    var tokens: [HistoryToken?] = []
                    for round in 0..<count {
                        let context = container.makeContext()
                        _ = Luggage(context, "own-\(task)-\(round)", weight: 1)
                        // One of three is undone when it has its place in the history already.
                        struct Stop: Error {}
                        if round % 3 == 0 {
                            try? container.transaction { context in
                                _ = Luggage(context, "undone-\(task)-\(round)", weight: 1)
                                try context.save()
                                throw Stop()
                            }
                        }
                        tokens.append(try await context.save().token)
                    }
                    return tokens
                }
            }
            for round in 0..<count { try other.run("insert other-\(round)") }
            return try await group.reduce(into: Set()) { $0.formUnion($1) }
        }
        var foreign = 0
        for number in 1...5 * count {
            let save = try #require(await saves.next(isolation: nil))
            #expect(save.token == HistoryToken(rawValue: Int64(number)))
            #expect(save.isForeign == !own.contains(save.token))
            foreign += save.isForeign ? 1 : 0
        }
        #expect(foreign == count)
    }

    @Test("through checkpoints, backups, and the closing and opening of others")
    func lifeOfTheLog() async throws {
        var saves = container.changes.makeAsyncIterator()
        var expected: [HistoryToken] = []
        for round in 0..<4 {
            expected.append(try other.run("insert A\(round)"))
            try other.run("compact")
            expected.append(try other.run("edit A\(round)"))
            try other.run("back-up \(folder.path("copy-\(round)"))")
            expected.append(try other.run("edit A\(round)"))
            try other.run("reopen")
            expected.append(try other.run("edit A\(round)"))
        }
        for token in expected {
            #expect(await saves.next(isolation: nil)?.token == token)
        }
    }

    @Test("by whoever only reads, also where the log comes into being after it has begun")
    func readOnly() async throws {
        try other.run("insert A")
        let copy = folder.path("copy.sqlite")
        try other.run("back-up \(copy)")
        let reading = try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: copy, access: .read)
        )
        var saves = reading.changes.makeAsyncIterator()
        let writer = try OtherProcess(copy)
        let token = try writer.run("insert B")
        #expect(await saves.next(isolation: nil)?.token == token)
        #expect(try writer.run("edit B") > token)
        #expect(await saves.next(isolation: nil)?.isForeign == true)
    }

    @Test("of another container in this process likewise")
    func otherContainer() async throws {
        let neighbour = try PersistentContainer(
            model: TestModel.make(),
            store: SQLiteStore(path: path)
        )
        var saves = container.changes.makeAsyncIterator()
        var own = neighbour.changes.makeAsyncIterator()
        let token = try insert("A", in: neighbour).token
        let heard = await saves.next(isolation: nil)
        #expect(heard?.token == token && heard?.isForeign == true)
        #expect(await own.next(isolation: nil)?.isForeign == false)
    }

    @Test("too much at once is said to lack something, and what follows is told again")
    func gap() async throws {
        var saves = container.changes.makeAsyncIterator()
        // More at once than is told one by one.
        let end = try other.run("insert-many 10001")
        let gap = try #require(await saves.next(isolation: nil))
        #expect(!gap.isComplete && gap.isForeign && gap.changes.isEmpty && gap.token == end)
        let next = try other.run("insert C")
        #expect(await saves.next(isolation: nil)?.token == next)
        // What is forgotten has been told already.
        try other.run("forget")
        let after = try other.run("insert D")
        let save = await saves.next(isolation: nil)
        #expect(save?.token == after && save?.isComplete == true)
    }

    @Test("an observed request tells of them")
    func fetchedResults() async throws {
        let request = FetchRequest(Luggage.self).sorted(by: \.tag)
        var results = try container.observe(request).makeAsyncIterator()
        #expect(try await results.next()?.ids == [])
        try other.run("insert B")
        #expect(try await results.next()?.inserted == [0])
        try other.run("insert A")
        #expect(try await results.next()?.inserted == [0])
        try other.run("edit B")
        #expect(try await results.next()?.updated == [1])
        try other.run("delete A")
        #expect(try await results.next()?.deleted == [0])
    }

    @Test("an observed property of a context that merges them tells of them")
    func properties() async throws {
        _ = try insert("A", in: container)
        let context = container.makeContext()
        let luggage = try #require(try context.luggage("A"))
        let (weights, continuation) = AsyncStream.makeStream(of: Double.self)
        let token = luggage.observe(\.weight) { _, change in continuation.yield(change.new) }
        context.automaticallyMergesChanges = true
        var iterator = weights.makeAsyncIterator()
        try other.run("edit A")
        #expect(await iterator.next(isolation: nil) == 2)
        try other.run("edit A")
        #expect(await iterator.next(isolation: nil) == 3)
        try other.run("delete A")
        #expect(await iterator.next(isolation: nil) == 0)
        #expect(luggage.isDeleted)
        withExtendedLifetime(token) {}
    }
}
