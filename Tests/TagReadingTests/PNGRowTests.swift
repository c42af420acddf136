import SeededRandom
import TagDrawing
import TagReading
import Testing
import ZBarTagReader

/// Rows that are unpacked in one piece must have the pixels that libpng gives them.
@Suite("Rows of a PNG", .timeLimit(.minutes(30)))
struct PNGRowTests {
    /// A colour type of eight bits a sample, and its samples.
    struct Kind: CustomTestStringConvertible, Sendable {
        let colourType: UInt8
        let samples: Int

        var testDescription: String { "of \(samples) samples a pixel" }

        static let all = [(0, 1), (4, 2), (2, 3), (6, 4)].map { Kind(colourType: $0, samples: $1) }

        /// A file with these rows, each behind the byte that names its filter, not compressed.
        func file(_ rows: [[UInt8]], behindThem chunks: [UInt8] = []) -> [UInt8] {
            let data = rows.flatMap { $0 }
            let count = data.count
            let lengths = [count, ~count].flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255)] }
            // The last four bytes are a checksum, which is not compared.
            let stream: [UInt8] = [0x78, 0x01, 0x01] + lengths + data + [0, 0, 0, 0]
            let header: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 8, colourType, 0, 0, 0]
            let empty =
                [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + PNGChunks.chunk("IHDR", header)
            let width = (rows[0].count - 1) / samples
            return PNGChunks.claim(empty, width: UInt32(width), height: UInt32(rows.count))
                + PNGChunks.chunk("IDAT", Array(stream.prefix(9)))
                + PNGChunks.chunk("IDAT", Array(stream.dropFirst(9)))
                + chunks + PNGChunks.chunk("IEND", [])
        }
    }

    @Test(
        "with every filter are the same, unpacked in one piece or one by one",
        arguments: Kind.all
    )
    func filters(kind: Kind) async throws {
        var generator = SeededGenerator(seed: 20)
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        for (width, height) in [(1, 1), (1, 9), (2, 3), (3, 4), (5, 2), (17, 13), (64, 30)] {
            let rows = (0..<height).map { row in
                [UInt8(row < 5 ? row : Int.random(in: 0...4, using: &generator))]
                    + (0..<width * kind.samples).map { _ in
                        // Steps of every size, and many that are equal.
                        UInt8.random(in: 0...(row % 2 == 0 ? 255 : 3), using: &generator)
                    }
            }
            // Only libpng judges a chunk whose checksum is wrong. It is no part of the picture.
            let odd = Array(PNGChunks.chunk("tIME", [1]).dropLast()) + [0]
            let whole = try await pool.explain(TagImage(bytes: kind.file(rows)))
            let single = try await pool.explain(TagImage(bytes: kind.file(rows, behindThem: odd)))
            #expect(whole.explanation.picture == single.explanation.picture, "\(width) x \(height)")
        }
        await pool.shutdown()
    }

    @Test("that are too short, or name no filter, are damaged", arguments: Kind.all)
    func damage(kind: Kind) async throws {
        let row = [UInt8](repeating: 0, count: 30 * kind.samples + 1)
        let sound = [[UInt8]](repeating: row, count: 30)
        var unknown = sound
        unknown[29][0] = 5
        var short = sound
        short[29].removeLast()
        #expect(try await ZBarTagReader().read(TagImage(bytes: kind.file(sound))).symbols.isEmpty)
        for rows in [unknown, short] {
            #expect(await failure(of: ZBarTagReader(), reading: kind.file(rows))?.code == .damaged)
        }
    }
}
