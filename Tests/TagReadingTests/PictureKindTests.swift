import TagReading
import Testing
import ZBarTagReader

@Suite("Pictures of every kind")
struct PictureKindTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        let colorType: PNGWriter.ColorType
        let depth: Int
        let isInterlaced: Bool
        let lightIsTransparent: Bool
        let isInverted: Bool

        var testDescription: String {
            "\(colorType) \(depth)\(isInterlaced ? " interlaced" : "")"
                + "\(lightIsTransparent ? " transparent" : "")\(isInverted ? " inverted" : "")"
        }

        static let all: [Kind] = PNGWriter.ColorType.allCases.flatMap { colorType in
            colorType.depths.flatMap { depth in
                (0..<8).map { bits in
                    Kind(
                        colorType: colorType,
                        depth: depth,
                        isInterlaced: bits & 1 != 0,
                        lightIsTransparent: bits & 2 != 0,
                        isInverted: bits & 4 != 0
                    )
                }
            }
        }
    }

    @Test("are read alike", arguments: Kind.all)
    func kinds(kind: Kind) async throws {
        var writer = PNGWriter(colorType: kind.colorType, depth: kind.depth)
        writer.isInterlaced = kind.isInterlaced
        writer.lightIsTransparent = kind.lightIsTransparent
        let bytes = Pictures.draw(with: writer, isInverted: kind.isInverted)
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
        var writer = PNGWriter(colorType: .gray, depth: 1)
        writer.extra = [(type, [UInt8](repeating: 0x41, count: count))]
        let bytes = Pictures.draw(with: writer)
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
