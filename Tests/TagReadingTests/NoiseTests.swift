import SeededRandom
import TagDrawing
import TagPrinting
import TagReading
import Testing
import ZBarTagReader

@Suite("A code in noise", .timeLimit(.minutes(30)))
struct NoiseTests {
    private static let payload = Array("{\"id\":\"NOISE-1\",\"owner\":[\"D\",\"ZMU\"]}".utf8)

    /// A code whose modules are single pixels, between 30 and 235, in noise of a deviation.
    private static func picture(deviation: Double, seed: UInt64) throws -> GreyImage {
        let code = try QRSymbol(payload).image(module: 1)
        var generator = SeededGenerator(seed: seed)
        let noise = (0..<code.width * code.height).map { _ in deviation * generator.deviate() }
        return GreyImage(width: code.width, height: code.height) { column, row in
            let level = code[column, row] == 0 ? 30.0 : 235.0
            return UInt8(min(max(level + noise[row * code.width + column], 0), 255))
        }
    }

    private static func payloads(_ picture: GreyImage) async throws -> [[UInt8]] {
        try await ZBarTagReader().read(TagImage(bytes: picture.png())).symbols.map(\.payload)
    }

    @Test(
        "is read by its sharpened edges where smoothing would take its modules",
        arguments: [
            (deviation: 48, seed: 1), (48, 2), (48, 3), (48, 22), (50, 3), (50, 22), (52, 12),
            (52, 30),
        ]
    )
    func sharpened(noise: (deviation: Double, seed: UInt64)) async throws {
        let picture = try Self.picture(deviation: noise.deviation, seed: noise.seed)
        #expect(try await Self.payloads(picture) == [Self.payload])
    }

    @Test("that drowns in it gives nothing", arguments: 1...4 as ClosedRange<UInt64>)
    func hopeless(seed: UInt64) async throws {
        #expect(try await Self.payloads(Self.picture(deviation: 100, seed: seed)).isEmpty)
    }
}
