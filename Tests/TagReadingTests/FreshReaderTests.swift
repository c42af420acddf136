import Foundation
import TagReading
import Testing

@Suite("A fresh reader for each picture", .timeLimit(.minutes(30)))
struct FreshReaderTests {
    private func pool(
        _ limits: ReadLimits = .default,
        workers: Int = 1
    ) throws -> ReaderPool {
        ReaderPool(
            executable: try ReaderPool.locateExecutable(),
            limits: limits,
            workers: workers,
            freshReaders: true
        )
    }

    private static let hello = String(decoding: Pictures.helloPayload, as: UTF8.self)

    private func payloads(
        of count: Int,
        by pool: some TagReader
    ) async throws -> [String] {
        var payloads: [String] = []
        for _ in 0..<count {
            let reading = try await pool.read(TagImage(bytes: Pictures.hello))
            payloads += reading.symbols.map { String(decoding: $0.payload, as: UTF8.self) }
        }
        return payloads
    }

    @Test(
        "keeps one that was taken over from the pictures of others",
        arguments: [(false, ["one", "lie", "lie"]), (true, ["one", "one", "one"])]
    )
    func liar(isFresh: Bool, expected: [String]) async throws {
        let liar = try FakeReader("exec '\(HostileReader.executable)' lie \"$@\"")
        let pool = ReaderPool(executable: liar.path, workers: 1, freshReaders: isFresh)
        #expect(try await payloads(of: 3, by: pool) == expected)
        await pool.shutdown()
    }

    @Test("reads what any reader reads, and is gone before the next picture comes")
    func copies() async throws {
        let pool = try pool()
        let report = try await pool.prepare()
        let ready = try #require(pool.processIdentifiers.first)
        #expect(exists(ready))
        #expect(try await payloads(of: 1, by: pool) == [Self.hello])
        #expect(pool.processIdentifiers.isEmpty)
        #expect(!exists(ready))
        #expect(try await payloads(of: 20, by: pool).allSatisfy { $0 == Self.hello })
        #expect(pool.sandbox == report)
        let pooled = ReaderPool(executable: pool.executable, workers: 1)
        #expect(try await pooled.prepare() == report)
    }

    @Test("is used by many tasks at the same time")
    func concurrently() async throws {
        let pool = try pool(workers: 3)
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<30 { group.addTask { try await payloads(of: 1, by: pool) } }
            for try await found in group { #expect(found == [Self.hello]) }
        }
        await pool.shutdown()
    }

    @Test("that does not answer is ended in the end")
    func silence() async throws {
        let mute = try FakeReader("exec '\(HostileReader.executable)' mute \"$@\"")
        var limits = ReadLimits.default
        limits.time = .milliseconds(500)
        let pool = ReaderPool(
            executable: mute.path,
            limits: limits,
            workers: 1,
            freshReaders: true
        )
        try await pool.prepare()
        let silent = try #require(pool.processIdentifiers.first)
        #expect(await failure(of: pool)?.code == .timedOut)
        #expect(!exists(silent))
        await pool.shutdown()
    }

    @Test("is held to its limit of memory", .disabled(if: isSanitized))
    func memory() async throws {
        var limits = ReadLimits.default
        limits.memoryBytes = 1
        #expect(await failure(of: try pool(limits))?.code == .outOfMemory)
    }
}
