import Foundation
import TagReading
import TestProcesses
import Testing

@Suite("A reader process that starts before its pool")
struct EarlyReaderTests {
    let executable: String

    init() throws {
        executable = try ReaderPool.locateExecutable()
    }

    private func pool(
        _ early: EarlyReader?,
        limits: ReadLimits = .default,
        freshReaders: Bool = false
    ) -> ReaderPool {
        ReaderPool(
            executable: executable,
            limits: limits,
            workers: 1,
            freshReaders: freshReaders,
            early: early
        )
    }

    @Test("reads the first picture of the pool, and the next, and ends with it")
    func isUsed() async throws {
        let early = try EarlyReader(executable: executable)
        let process = try #require(early.processIdentifier)
        let pool = pool(early)
        #expect(early.processIdentifier == nil, "it was given away")
        for _ in 0..<2 {
            let reading = try await pool.read(TagImage(bytes: Pictures.hello))
            #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload])
            #expect(pool.processIdentifiers == [process])
        }
        await pool.shutdown()
        #expect(!exists(process))
    }

    @Test("reports how it is confined, like every other")
    func reports() async throws {
        let early = pool(try EarlyReader(executable: executable))
        let usual = pool(nil)
        #expect(try await early.prepare() == usual.prepare())
        await early.shutdown()
        await usual.shutdown()
    }

    @Test("is replaced if it ended before the first picture, which then is read all the same")
    func isReplaced() async throws {
        let early = try EarlyReader(executable: executable)
        let process = try #require(early.processIdentifier)
        killAndAwait(process)
        let pool = pool(early)
        let reading = try await pool.read(TagImage(bytes: Pictures.hello))
        #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload])
        #expect(!pool.processIdentifiers.contains(process))
        await pool.shutdown()
    }

    @Test("serves one pool, and none of other memory limits or of fresh readers")
    func isNotShared() throws {
        var others = ReadLimits.default
        others.memoryBytes /= 2
        let early = try EarlyReader(executable: executable)
        #expect(pool(early, limits: others).processIdentifiers.isEmpty)
        #expect(pool(early, freshReaders: true).processIdentifiers.isEmpty)
        let first = pool(early)
        #expect(first.processIdentifiers.count == 1)
        #expect(pool(early).processIdentifiers.isEmpty)
    }

    @Test("ends with its pool, or alone, if it reads nothing")
    func ends() async throws {
        var processes: [Int32] = []
        for isTaken in [false, true] {
            let early = try EarlyReader(executable: executable)
            processes.append(try #require(early.processIdentifier))
            if isTaken { await pool(early).shutdown() }
        }
        #expect(processes.allSatisfy { !exists($0) })
    }

    @Test("that cannot be started is an error with the path")
    func fails() {
        #expect {
            try EarlyReader(executable: "/nowhere/luggage-reader")
        } throws: { error in
            let error = error as? ReadError
            return error?.code == .readerUnavailable
                && error?.message.contains("/nowhere/luggage-reader") == true
        }
    }
}
