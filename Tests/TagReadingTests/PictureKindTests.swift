import TagDrawing
import TagReading
import Testing
import ZBarTagReader

@Suite("Pictures of every kind")
struct PictureKindTests {
    /// What a picture is kept as, and how its symbol is shown.
    struct Kind: CustomTestStringConvertible, Sendable {
        let format: PNGFormat
        let isInterlaced: Bool
        let isTransparent: Bool
        let isInverted: Bool

        var testDescription: String {
            "\(format)\(isInterlaced ? " interlaced" : "")\(isTransparent ? " transparent" : "")"
                + "\(isInverted ? " inverted" : "")"
        }

        static let all: [Kind] = PNGFormat.allCases.flatMap { format in
            (0..<8).map { bits in
                Kind(
                    format: format,
                    isInterlaced: bits & 1 != 0,
                    isTransparent: bits & 2 != 0,
                    isInverted: bits & 4 != 0
                )
            }
        }
    }

    @Test("are read alike", arguments: Kind.all)
    func kinds(kind: Kind) async throws {
        let symbol = try Pictures.symbol
        let bytes = try (kind.isInverted ? symbol.inverted() : symbol).png(
            as: kind.format,
            interlaced: kind.isInterlaced,
            transparency: kind.isTransparent ? PNGTransparency(level: 255) : nil
        )
        let reading = try await ZBarTagReader().read(TagImage(bytes: bytes))
        #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload])
    }

    @Test(
        "with transparent modules on an opaque ground are read on the other ground",
        arguments: [
            PNGTransparency.whiteGround, .blackGround,
        ]
    )
    func grounds(transparency: PNGTransparency) async throws {
        let bytes = try Pictures.symbol.png(as: .rgba8, transparency: transparency)
        let reading = try await ZBarTagReader().read(TagImage(bytes: bytes))
        #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload])
    }

    @Test(
        "with long or broken chunks that are no part of the picture are read",
        arguments: [
            ("iTXt", 300_000), ("iCCP", 100_000), ("zTXt", 5), ("tIME", 1), ("teSt", 8_100_000),
        ]
    )
    func ancillaryChunks(type: String, count: Int) async throws {
        let chunk = [UInt8](repeating: 0x41, count: count)
        let bytes = PNGChunks.insert(type, chunk, into: Pictures.hello)
        let reading = try await ZBarTagReader().read(TagImage(bytes: bytes))
        #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload])
    }

    @Test("cut anywhere are damaged, never empty")
    func truncation() async throws {
        let bytes = Pictures.hello
        for count in 8..<bytes.count {
            let error = await failure(of: ZBarTagReader(), reading: Array(bytes[..<count]))
            #expect(error?.code == .damaged, "after \(count) bytes")
        }
    }

    @Test("with one bit altered in what matters are damaged or read right")
    func alteration() async throws {
        for index in Pictures.hello.indices {
            var bytes = Pictures.hello
            bytes[index] ^= 0x10
            do {
                let reading = try await ZBarTagReader().read(TagImage(bytes: bytes))
                #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload], "byte \(index)")
            } catch {
                #expect([.damaged, .notAnImage].contains(error.code), "byte \(index)")
            }
        }
    }
}
