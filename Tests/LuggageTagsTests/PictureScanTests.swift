import Foundation
import LuggageTags
import TagReading
import Testing

@Suite("Reading a picture for filing")
struct PictureScanTests {
    @Test("knows it by the SHA-256 of its file")
    func digest() async throws {
        let image = try TagImage(bytes: Array("abc".utf8))
        let scan = await PictureScan(image, reader: FixedReader("x"), at: .origin, date: Date())
        // From FIPS 180-4's examples.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(scan.digest == expected)
    }

    @Test("does not hash a file that is too long to be read")
    func tooLong() async throws {
        var limits = ReadLimits.default
        limits.fileBytes = 2
        let image = try TagImage(bytes: Array("abc".utf8))
        let reader = FixedReader(ReadError(.tooManyBytes, "too long"))
        let scan = await PictureScan(
            image,
            reader: reader,
            limits: limits,
            at: .origin,
            date: Date()
        )
        #expect(scan.digest == nil)
    }

    @Test("that is changed meanwhile counts as not read")
    func changed() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: UUID().uuidString).path(percentEncoded: false)
        // Opened for writing in place, so that it stays the same file.
        #expect(FileManager.default.createFile(atPath: path, contents: Data("short".utf8)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let image = try TagImage(path: path)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let reader = WritingReader(handle: handle)
        let scan = await PictureScan(image, reader: reader, at: .origin, date: Date())
        let error = #expect(throws: ReadError.self) { try scan.reading.get() }
        #expect(error?.code == .inputFailed)
    }

    /// Writes to the picture's file, in place, while it is being read.
    struct WritingReader: TagReader {
        let handle: FileHandle

        func read(_ image: TagImage) async throws(ReadError) -> Reading {
            handle.seekToEndOfFile()
            handle.write(Data("er".utf8))
            return .of([Array("HELLO".utf8)])
        }
    }
}
