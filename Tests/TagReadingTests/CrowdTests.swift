import QRSymbols
import SeededRandom
import TagDrawing
import TagReading
import Testing

@Suite("A crowd of codes", .timeLimit(.minutes(30)))
struct CrowdTests {
    /// Codes side by side, whose quiet zones touch.
    struct Crowd: CustomTestStringConvertible {
        let columns, rows, module, letters: Int
        /// By how much each row lies farther right than the one above, in pixels.
        var slant = 0

        var testDescription: String {
            "\(columns) by \(rows), \(module) pixels a module, slanted by \(slant)"
        }

        var payloads: [[UInt8]] {
            (0..<columns * rows).map { index in
                Array("TAG-\(index)-".utf8)
                    + (0..<letters).map { 97 + UInt8(($0 * 7 + index * index * 3) % 26) }
            }
        }

        func picture() throws -> GreyImage {
            let codes = try payloads.map { try QRSymbol($0).image(module: module) }
            let side = codes.map(\.width).max() ?? 0
            var picture = GreyImage(
                width: columns * side + rows * slant + 40,
                height: rows * side + 40,
                level: 255
            )
            for (index, code) in codes.enumerated() {
                let row = index / columns
                picture.paste(
                    code,
                    column: 20 + index % columns * side + row * slant,
                    row: 20 + row * side
                )
            }
            return picture
        }
    }

    static let crowds = [
        Crowd(columns: 6, rows: 5, module: 6, letters: 30),
        Crowd(columns: 10, rows: 6, module: 4, letters: 30),
        Crowd(columns: 10, rows: 6, module: 3, letters: 8),
        Crowd(columns: 10, rows: 6, module: 3, letters: 30, slant: 31),
        Crowd(columns: 8, rows: 8, module: 3, letters: 20),
    ]

    private func read(_ image: GreyImage) async throws -> [[UInt8]] {
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        let reading = try await pool.read(TagImage(bytes: image.png()))
        await pool.shutdown()
        return reading.symbols.map(\.payload)
    }

    private func sorted(_ payloads: [[UInt8]]) -> [[UInt8]] {
        payloads.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test("is read to the last one", arguments: crowds)
    func all(crowd: Crowd) async throws {
        let payloads = try await read(crowd.picture())
        #expect(sorted(payloads) == sorted(crowd.payloads))
    }

    @Test("is read in noise and blur too")
    func noisy() async throws {
        let crowd = Crowd(columns: 6, rows: 5, module: 6, letters: 30)
        var generator = SeededGenerator(seed: 1)
        let picture = try crowd.picture().degraded(
            by: [.blur(deviation: 1.5), .noise(deviation: 8)],
            using: &generator
        )
        #expect(sorted(try await read(picture)) == sorted(crowd.payloads))
    }
}
