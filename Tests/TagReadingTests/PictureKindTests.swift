import TagPrinting
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
        "of symbols whose format is not masked are read, if both copies of it say so",
        arguments: [(0, true), (1, true), (2, false), (15, false)]
    )
    func bareFormat(damaged: Int, isRead: Bool) async throws {
        let symbol = try QRSymbol(Pictures.helloPayload)
        let (module, zone, side) = (6, QRSymbol.quietZone, symbol.side)
        var image = symbol.image(module: module)
        for bit in 0..<15 {
            let places = [
                bit < 6 ? (8, bit) : bit < 8 ? (8, bit + 1) : bit == 8 ? (7, 8) : (14 - bit, 8),
                bit < 8 ? (side - 1 - bit, 8) : (8, side - 15 + bit),
            ]
            for (copy, place) in places.enumerated() {
                let isFlipped = (0x5412 >> bit & 1 == 1) != (copy == 1 && bit < damaged)
                let isDark = symbol.isDark(column: place.0, row: place.1) != isFlipped
                image.paste(
                    GreyImage(width: module, height: module, level: isDark ? 0 : 255),
                    column: (zone + place.0) * module,
                    row: (zone + place.1) * module
                )
            }
        }
        let reading = try await ZBarTagReader().read(TagImage(bytes: image.png()))
        #expect(reading.symbols.map(\.payload) == (isRead ? [Pictures.helloPayload] : []))
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

    @Test("cut anywhere are damaged, never empty", arguments: [PNGFormat.grey1, .rgb8])
    func truncation(format: PNGFormat) async throws {
        let bytes = try Pictures.symbol.png(as: format)
        for count in 8..<bytes.count {
            let error = await failure(of: ZBarTagReader(), reading: Array(bytes[..<count]))
            #expect(error?.code == .damaged, "after \(count) bytes")
        }
    }

    @Test(
        "with one bit altered in what matters are damaged or read right",
        arguments: [PNGFormat.grey1, .rgb8]
    )
    func alteration(format: PNGFormat) async throws {
        let sound = try Pictures.symbol.png(as: format)
        for index in sound.indices {
            var bytes = sound
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

@Suite("Several symbols in a picture")
struct SeveralSymbolsTests {
    @Test("come from top to bottom, then from left to right, whichever way they are turned")
    func order() async throws {
        let symbols = try ["A", "B", "C", "D"].map { try QRSymbol(Array($0.utf8)).image(module: 4) }
        let side = symbols[0].width
        var page = GreyImage(width: 2 * side, height: 2 * side + 8, level: 255)
        page.paste(symbols[0].turnedOver(), column: 0, row: 0)
        page.paste(symbols[1], column: side, row: 4)
        page.paste(symbols[2], column: 0, row: side + 4)
        page.paste(symbols[3].turnedOver(), column: side, row: side + 8)
        let reading = try await ZBarTagReader().read(TagImage(bytes: page.png()))
        #expect(reading.symbols.map(\.payload) == ["A", "B", "C", "D"].map { Array($0.utf8) })
    }

    @Test("that make up a structured append are one payload, however long")
    func structuredAppend() async throws {
        let payload = (0..<6000).map { UInt8(truncatingIfNeeded: $0) }
        let parts = try QRSymbol.parts(of: payload, correction: .low, version: 20)
            .map { $0.image(module: 3) }
        let side = parts[0].width
        var page = GreyImage(width: side * 4, height: side * ((parts.count + 3) / 4), level: 255)
        for (index, part) in parts.enumerated() {
            page.paste(part, column: side * (index % 4), row: side * (index / 4))
        }
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        let reading = try await pool.read(TagImage(bytes: page.png()))
        #expect(reading.symbols.map(\.payload) == [payload])
        #expect(reading.symbols.first?.isPartial == false)
        await pool.shutdown()
    }
}

extension GreyImage {
    /// The picture turned by half a turn.
    fileprivate func turnedOver() -> GreyImage {
        GreyImage(width: width, height: height, samples: samples.reversed())
    }
}
