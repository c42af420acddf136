import Foundation
import LuggageTags
import TagReading
import TestFolders
import Testing

@Suite("Reading a picture for filing")
struct ReadPictureTests {
    @Test("knows it by the SHA-256 of its file")
    func digest() async throws {
        let image = try TagImage(bytes: Array("abc".utf8))
        let scan = await ReadPicture(image, reader: FixedReader("x"), at: .origin, date: Date())
        // From FIPS 180-4's examples.
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(scan.digest == expected)
    }

    @Test("knows a file that is too long by its beginning and its length", arguments: [2, 3])
    func tooLong(limit: Int) async throws {
        var limits = ReadLimits.default
        limits.fileBytes = limit
        func digest(_ text: String) async throws -> String? {
            await ReadPicture(
                try TagImage(bytes: Array(text.utf8)),
                reader: FixedReader(ReadError(.tooManyBytes, "too long")),
                limits: limits,
                at: .origin,
                date: Date()
            ).digest
        }
        let digests = [
            try await digest("abcd"), try await digest("abcde"), try await digest("xbcd"),
            try await digest("ab"),
        ]
        #expect(Set(digests.compactMap(\.self)).count == 4)
        #expect(try await digest("abcx") == digests[0])
    }

    @Test("that is changed meanwhile counts as not read")
    func changed() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("tag.png")
        // Opened for writing in place, so that it stays the same file.
        #expect(FileManager.default.createFile(atPath: path, contents: Data("short".utf8)))
        let image = try TagImage(path: path)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        let reader = WritingReader(handle: handle)
        let scan = await ReadPicture(image, reader: reader, at: .origin, date: Date())
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
