import Foundation
import ObjectStore
import Synchronization
import TagReading
import Testing

@testable import LuggageTags

@Suite("Filing many pictures", .timeLimit(.minutes(30)))
final class ScanRecordingTests: Sendable {
    private static func identifier(_ number: Int) -> String {
        "00000000-0000-4000-8000-\(100_000_000_000 + number)"
    }

    /// A picture with the tag of a bag of its own, under a name by which they are sorted.
    private static func picture(_ number: Int) -> ReadPicture {
        .of(payload(identifier(number)), name: "\(1_000_000 + number)")
    }

    private let store = CountingTransactions(over: InMemoryStore())
    /// What was told, in its order, and how many pictures were on record then.
    private let told = Mutex<[(name: String, filed: Int)]>([])

    private func container() throws -> PersistentContainer {
        try PersistentContainer(model: LuggageModel.make(), store: store)
    }

    /// Files pictures that come one after the other, and waits as good as for ever for enough of them.
    private func file(_ pictures: [ReadPicture], in container: PersistentContainer) async throws {
        let recording = ScanRecording(
            ScanRecorder(container: container),
            coming: pictures.count,
            readers: 2,
            interval: .seconds(86_400)
        )
        for picture in pictures {
            try await recording.file(picture) { reports in
                let filed = try container.makeContext().count(FetchRequest(Scan.self))
                self.told.withLock { $0 += reports.map { ($0.image, filed) } }
            }
        }
        try await recording.finish()
    }

    @Test("shares transactions, tells in order, and only what is on record")
    func sharing() async throws {
        let container = try container()
        let pictures = (0..<1000).map(Self.picture)
        try await file(pictures, in: container)
        // The first by itself or with what has come meanwhile, the last few as they come.
        #expect(store.counts.transactions <= 1000 / BatchGathering<Int>.enough + 6)
        let told = told.withLock(\.self)
        #expect(told.map(\.name) == pictures.map(\.name))
        for (place, picture) in told.enumerated() { #expect(picture.filed > place) }
    }

    @Test("files the first picture at once, and the last ones without waiting for others")
    func atOnce() async throws {
        // They would wait for a day otherwise.
        try await file([Self.picture(0)], in: try container())
        try await file((1..<4).map(Self.picture), in: try container())
        #expect(told.withLock(\.count) == 4)
    }

    @Test("files those before one that cannot be filed, and none after it", arguments: [0, 7, 499])
    func failure(number: Int) async throws {
        let container = try container()
        let bad = Self.identifier(number)
        store.refuse { $0.values.contains(.text(bad)) }
        await #expect {
            try await file((0..<500).map(Self.picture), in: container)
        } throws: {
            ($0 as? StoreError)?.code == .full
        }
        let names = told.withLock { $0.map(\.name) }
        #expect(names == (0..<number).map { "\(1_000_000 + $0)" })
        #expect(try container.makeContext().count(FetchRequest(Scan.self)) == number)
        #expect(try container.makeContext().count(FetchRequest(Luggage.self)) == number)
    }

    @Test("leaves nothing of a picture on record of which one tag cannot be filed")
    func whole() async throws {
        let container = try container()
        let bad = Self.identifier(2)
        store.refuse { $0.values.contains(.text(bad)) }
        let picture = ReadPicture.of(payload(Self.identifier(1)), payload(bad), name: "both")
        let pictures = [Self.picture(0), picture, Self.picture(3)]
        await #expect(throws: StoreError.self) { try await file(pictures, in: container) }
        #expect(told.withLock { $0.map(\.name) } == ["1000000"])
        #expect(try Bag.all(in: container).map(\.id) == [Self.identifier(0)])
    }

    @Test("files pictures that gave no tag among the others")
    func unreadable() async throws {
        let container = try container()
        var pictures = (0..<40).map(Self.picture)
        for number in stride(from: 0, to: 40, by: 3) {
            pictures[number].reading = .failure(ReadError(.timedOut, "it took too long"))
        }
        try await file(pictures, in: container)
        #expect(told.withLock(\.count) == 40)
        #expect(try Bag.all(in: container).count == 26)
    }

    @Test("ends where nobody can be told any more")
    func untold() async throws {
        struct Unheard: Error {}
        let container = try container()
        let recording = ScanRecording(ScanRecorder(container: container), coming: 9, readers: 1)
        await #expect(throws: Unheard.self) {
            for number in 0..<9 {
                try await recording.file(Self.picture(number)) { _ in throw Unheard() }
            }
            try await recording.finish()
        }
    }
}
