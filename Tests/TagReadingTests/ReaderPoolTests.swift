import Foundation
import TagReading
import Testing
import ZBarTagReader

@Suite("The reader pool")
struct ReaderPoolTests {
    let executable: String

    init() throws {
        executable = try ReaderPool.locateExecutable()
    }

    @Test("reads a payload byte for byte, like the reader in this process")
    func readsLikeInProcess() async throws {
        let pool = ReaderPool(executable: executable, workers: 1)
        let image = try TagImage(bytes: Pictures.hello)
        let apart = try await pool.read(image)
        let here = try await ZBarTagReader().read(image)
        #expect(apart.symbols == here.symbols)
        #expect(apart.symbols.map(\.payload) == [Pictures.helloPayload])
        #expect(apart.symbols.first?.corners.count == 4)
        #expect(apart.width == 87 && apart.height == 87)
        #expect(apart.duration > .zero)
        await pool.shutdown()
    }

    struct Fault: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let code: ReadError.Code
    }

    static let faults: [Fault] = [
        Fault(testDescription: "is empty", bytes: [], code: .notAnImage),
        Fault(
            testDescription: "JPEG",
            bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 100),
            code: .damaged
        ),
        Fault(
            testDescription: "HEIC",
            bytes: [0, 0, 0, 24] + Array("ftypheic etc.".utf8),
            code: .notAnImage
        ),
        Fault(testDescription: "first bytes of a JPEG", bytes: [0xFF, 0xD8], code: .notAnImage),
        Fault(testDescription: "PDF", bytes: Array("%PDF-1.7 etc.".utf8), code: .notAnImage),
        Fault(testDescription: "ends early", bytes: Pictures.truncated(by: 170), code: .damaged),
        Fault(testDescription: "ends early", bytes: Pictures.truncated(by: 12), code: .damaged),
        Fault(testDescription: "ends early", bytes: Pictures.truncated(by: 1), code: .damaged),
    ]

    @Test("names what is wrong with a picture, in words of both readers", arguments: faults)
    func namesFaults(fault: Fault) async throws {
        let pool = ReaderPool(executable: executable, workers: 1)
        let apart = await failure(of: pool, reading: fault.bytes)
        let here = await failure(of: ZBarTagReader(), reading: fault.bytes)
        #expect(apart == here)
        #expect(apart?.code == fault.code)
        #expect(apart?.message.contains(fault.testDescription) == true)
        #expect(pool.processIdentifiers.count == 1, "the process lives on")
    }

    @Test("refuses what exceeds a limit, and names the limit")
    func limits() async throws {
        var limits = ReadLimits.default
        limits.pixels = 100
        let pixels = ReaderPool(executable: executable, limits: limits, workers: 1)
        #expect(
            await failure(of: pixels)
                == ReadError(.tooManyPixels, "87 x 87 is 7569 pixels; the limit is 100")
        )
        limits = .default
        limits.fileBytes = 50
        let bytes = ReaderPool(executable: executable, limits: limits, workers: 1)
        #expect(await failure(of: bytes)?.code == .tooManyBytes)
        limits = .default
        limits.symbols = 0
        let symbols = ReaderPool(executable: executable, limits: limits, workers: 1)
        #expect(await failure(of: symbols)?.code == .tooManySymbols)
    }

    @Test("names the limit of memory that a picture exceeds", .disabled(if: isSanitized))
    func memoryLimit() async throws {
        var limits = ReadLimits.default
        limits.memoryBytes = 1
        let memory = ReaderPool(executable: executable, limits: limits, workers: 1)
        let error = await failure(of: memory)
        #expect(error?.code == .outOfMemory)
        #expect(error?.message.contains("the limit of a reader process is 1 bytes") == true)
    }

    @Test("serves fifty callers with two processes")
    func concurrentReads() async throws {
        let pool = ReaderPool(executable: executable, workers: 2)
        let readings = try await withThrowingTaskGroup(of: Reading.self) { group in
            for _ in 0..<50 {
                group.addTask { try await pool.read(TagImage(bytes: Pictures.hello)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(readings.count == 50)
        #expect(readings.allSatisfy { $0.symbols.map(\.payload) == [Pictures.helloPayload] })
        #expect((1...2).contains(pool.processIdentifiers.count))
        await pool.shutdown()
    }

    @Test("starts no process before there is a picture, and leaves none after shutdown")
    func shutdown() async throws {
        let pool = ReaderPool(executable: executable, workers: 2)
        #expect(pool.processIdentifiers.isEmpty)
        #expect(await failure(of: pool) == nil)
        let processes = pool.processIdentifiers
        #expect(processes.count == 1)
        await pool.shutdown()
        #expect(pool.processIdentifiers.isEmpty)
        #expect(processes.allSatisfy { !exists($0) })
        #expect(await failure(of: pool)?.code == .cancelled)
    }

    @Test("leaves no process when it is dropped")
    func drop() async throws {
        var pool: ReaderPool? = ReaderPool(executable: executable, workers: 1)
        _ = try await pool?.read(TagImage(bytes: Pictures.hello))
        let processes = pool?.processIdentifiers ?? []
        #expect(processes.count == 1 && processes.allSatisfy { exists($0) })
        pool = nil
        #expect(processes.allSatisfy { !exists($0) })
    }

    @Test("replaces a process after its share of pictures")
    func retirement() async throws {
        let pool = ReaderPool(
            executable: executable,
            limits: .default,
            workers: 1,
            picturesPerProcess: 2
        )
        var seen: [Int32] = []
        for _ in 0..<4 {
            #expect(await failure(of: pool) == nil)
            seen += pool.processIdentifiers
        }
        #expect(seen.count == 2, "after every second picture there is none")
        #expect(Set(seen).count == 2)
    }

    @Test("keeps a process that has news of its socket while nothing has ended")
    func news() async throws {
        let pool = ReaderPool(executable: executable, workers: 1)
        #expect(await failure(of: pool) == nil)
        let processes = pool.processIdentifiers
        // As the kernel tells it of a request that it may have taken already.
        for process in processes { kill(process, SIGIO) }
        #expect(await failure(of: pool) == nil)
        #expect(pool.processIdentifiers == processes)
        await pool.shutdown()
    }

    @Test("does not charge the death of an idle process to the next picture")
    func idleDeath() async throws {
        let pool = ReaderPool(executable: executable, workers: 1)
        #expect(await failure(of: pool) == nil)
        let first = pool.processIdentifiers
        first.forEach(killAndAwait)
        #expect(await failure(of: pool) == nil)
        #expect(pool.processIdentifiers.count == 1 && pool.processIdentifiers != first)
        #expect(first.allSatisfy { !exists($0) })
    }
}
