import Foundation
import TagReading
import Testing

@Suite("Giving up a picture", .timeLimit(.minutes(30)))
struct ReaderPoolCancellationTests {
    /// A reader that hangs at its first start, and signals when it holds the picture.
    let fake: FakeReader

    init() throws {
        fake = try FakeReader(
            FakeReader.onlyAtFirst(
                "\(FakeReader.accept); \(FakeReader.signal); \(FakeReader.hang)",
                then: ReaderPool.locateExecutable()
            )
        )
    }

    @Test("ends the process that holds it, and the next picture is read")
    func busy() async throws {
        let pool = fake.patientPool()
        let reading = Task { await failure(of: pool) }
        await fake.arrival()
        let processes = pool.processIdentifiers
        reading.cancel()
        #expect(await reading.value?.code == .cancelled)
        #expect(processes.count == 1 && processes.allSatisfy { !exists($0) })
        #expect(await failure(of: pool) == nil)
    }

    @Test("leaves the line without disturbing those in it")
    func waiting() async throws {
        let pool = fake.patientPool()
        let first = Task { await failure(of: pool) }
        await fake.arrival()
        let second = Task { await failure(of: pool) }
        let third = Task { await failure(of: pool) }
        second.cancel()
        #expect(await second.value?.code == .cancelled)
        first.cancel()
        #expect(await first.value?.code == .cancelled)
        #expect(await third.value == nil)
    }

    @Test("in a task that is cancelled already starts no process")
    func beforehand() async throws {
        let pool = fake.patientPool()
        let reading = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await failure(of: pool)
        }
        #expect(await reading.value?.code == .cancelled)
        #expect(pool.processIdentifiers.isEmpty)
    }

    @Test("by shutdown ends those in work and those in line")
    func shutdown() async throws {
        let pool = fake.patientPool()
        async let first = failure(of: pool)
        await fake.arrival()
        async let second = failure(of: pool)
        let processes = pool.processIdentifiers
        await pool.shutdown()
        #expect(await first?.code == .cancelled)
        #expect(await second?.code == .cancelled)
        #expect(processes.count == 1 && processes.allSatisfy { !exists($0) })
        #expect(pool.processIdentifiers.isEmpty)
    }
}
