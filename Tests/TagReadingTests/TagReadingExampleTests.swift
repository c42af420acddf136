import TagReading
import TestFolders
import Testing
import ZBarTagReader

@Suite("The guide to reading pictures", .timeLimit(.minutes(30)))
struct TagReadingExampleTests {
    private let folder: TemporaryFolder
    private let picture: String

    init() throws {
        folder = try TemporaryFolder()
        picture = try folder.write(Pictures.hello, to: "tag.png")
    }

    @Test("reads in processes of their own")
    func pool() async throws {
        var texts: [String] = []
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable())
        let reading = try await pool.read(TagImage(path: picture))
        for symbol in reading.symbols {
            texts.append(String(decoding: symbol.payload, as: UTF8.self))
        }
        await pool.shutdown()
        #expect(texts == ["HELLO TAG"])
    }

    @Test("bounds what a picture may cost, and asks how readers are confined")
    func limits() async throws {
        var warnings: [String] = []
        var limits = ReadLimits.default
        limits.pixels = 12_000_000
        limits.time = .seconds(5)
        let pool = ReaderPool(
            executable: try ReaderPool.locateExecutable(),
            limits: limits,
            workers: 2,
            freshReaders: true
        )
        let sandbox = try await pool.prepare()
        if !sandbox.isComplete { warnings += sandbox.missing }
        #expect(warnings.isEmpty == sandbox.isComplete && pool.sandbox == sandbox)
        await pool.shutdown()
    }

    @Test("reads in its own process")
    func here() async throws {
        let reading = try await ZBarTagReader().read(TagImage(path: picture))
        #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload])
    }
}
