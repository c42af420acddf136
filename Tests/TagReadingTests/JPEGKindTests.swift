import TagDrawing
import TagReading
import Testing
import ZBarTagReader

@Suite("JPEG pictures", .timeLimit(.minutes(30)))
struct JPEGKindTests {
    /// What a picture is stored as, and whether its symbol is light on dark.
    struct Kind: CustomTestStringConvertible, Sendable {
        let format: JPEGFormat
        var isInverted = false

        var testDescription: String {
            var words = ["\(format.colours) \(format.sampling) \(format.quality)"]
            if format.isProgressive { words.append("progressive") }
            if format.isSeparate { words.append("separate") }
            if format.restartInterval > 0 { words.append("restarted") }
            return (words + (isInverted ? ["inverted"] : [])).joined(separator: " ")
        }

        static let all: [Kind] = JPEGFormat.Colours.allCases.flatMap { colours in
            var formats = JPEGFormat.Sampling.allCases.map { JPEGFormat(colours, sampling: $0) }
            formats += [30, 100].map { JPEGFormat(colours, quality: $0) }
            formats += [1, 7].map { JPEGFormat(colours, restartInterval: $0) }
            formats += [
                JPEGFormat(colours, isProgressive: true), JPEGFormat(colours, isSeparate: true),
                JPEGFormat(colours, sampling: .all, isProgressive: true, restartInterval: 2),
            ]
            return formats.flatMap { [Kind(format: $0), Kind(format: $0, isInverted: true)] }
        }
    }

    @Test("of every kind are read alike", arguments: Kind.all)
    func kinds(kind: Kind) async throws {
        let symbol = try Pictures.symbol
        let bytes = try (kind.isInverted ? symbol.inverted() : symbol).jpeg(as: kind.format)
        try await expectHello(in: bytes)
    }

    @Test("of every kind are read by one process, closed in as it is")
    func sandbox() async throws {
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        for kind in Kind.all {
            let reading = try await pool.read(
                TagImage(bytes: Pictures.symbol.jpeg(as: kind.format))
            )
            #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload], "\(kind)")
        }
        #expect(pool.processIdentifiers.count == 1, "the process lives on")
        await pool.shutdown()
    }

    @Test("of coloured paper and ink are read", arguments: JPEGFormat.Colours.allCases)
    func colours(colours: JPEGFormat.Colours) async throws {
        // Red on light blue, whose luminance is far enough apart.
        let symbol = try Pictures.symbol
        let picture = ColourImage(
            red: GreyImage(width: symbol.width, height: symbol.height, level: 150),
            green: symbol.levels { $0 < 128 ? 20 : 220 },
            blue: symbol.levels { $0 < 128 ? 30 : 255 }
        )
        try await expectHello(in: picture.jpeg(as: JPEGFormat(colours)))
    }

    @Test(
        "with long or strange segments, or with more behind their end, are read",
        arguments: [
            JPEGMarkers.insert(0xE1, [UInt8](repeating: 0xFF, count: 65533), into: Pictures.jpeg),
            JPEGMarkers.insert(0xE2, Array("MPF\0".utf8) + Pictures.jpeg, into: Pictures.jpeg),
            JPEGMarkers.insert(0xFE, [], into: Pictures.jpeg),
            JPEGMarkers.insert(
                0xEE,
                Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 9],
                into: Pictures.jpeg
            ),
            Pictures.jpeg + [0], Pictures.jpeg + Pictures.jpeg,
            Pictures.jpeg + [UInt8](repeating: 0xFF, count: 200_000),
            JPEGMarkers.pad([0xFF, 0xFF, 0xFF], into: Pictures.jpeg),
            JPEGMarkers.pad([0, 0, 0, 0], into: Pictures.jpeg),
        ]
    )
    func surroundings(bytes: [UInt8]) async throws {
        try await expectHello(in: bytes)
    }

    @Test(
        "cut anywhere are damaged, never empty, also where an end was put behind",
        arguments: [JPEGFormat(), JPEGFormat(isProgressive: true), JPEGFormat(restartInterval: 2)],
        [[], [0xFF, 0xD9], [UInt8](repeating: 0, count: 3000)]
    )
    func truncation(format: JPEGFormat, end: [UInt8]) async throws {
        let bytes = try Pictures.symbol.jpeg(as: format)
        for twentieth in 0..<20 {
            let count = max(3, bytes.count * twentieth / 20)
            let error = await failure(of: ZBarTagReader(), reading: bytes[..<count] + end)
            #expect(error?.code == .damaged, "after \(count) bytes")
        }
        for count in bytes.count - 40..<bytes.count where end.isEmpty {
            let error = await failure(of: ZBarTagReader(), reading: Array(bytes[..<count]))
            #expect(error?.code == .damaged, "after \(count) bytes")
        }
    }

    @Test("with one bit altered are read right or not at all", arguments: [false, true])
    func alteration(isProgressive: Bool) async throws {
        let original = try Pictures.symbol.jpeg(as: JPEGFormat(isProgressive: isProgressive))
        // The head, where a byte says more than in what follows, more closely.
        for index in original.indices where index % (index < 700 ? 3 : 37) == 0 {
            var bytes = original
            bytes[index] ^= 0x10
            do {
                let reading = try await ZBarTagReader().read(TagImage(bytes: bytes))
                let payloads = Set(reading.symbols.map(\.payload))
                #expect(payloads.isSubset(of: [Pictures.helloPayload]), "byte \(index)")
            } catch {
                let expected: [ReadError.Code] = [.damaged, .notAnImage, .tooManyPixels]
                #expect(expected.contains(error.code), "byte \(index): \(error)")
            }
        }
    }

    @Test("without a code are damaged where data is left over, and else without one")
    func doubt() async throws {
        let blank = try GreyImage(width: 64, height: 64, level: 200).jpeg()
        let reading = try await ZBarTagReader().read(TagImage(bytes: blank))
        #expect(reading.symbols.isEmpty)
        let padded = JPEGMarkers.pad([UInt8](repeating: 1, count: 50), into: blank)
        let error = await failure(of: ZBarTagReader(), reading: padded)
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("left over") == true)
    }

    /// A file that is refused, and what is said of it.
    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        let code: ReadError.Code
        let words: String

        init(
            _ testDescription: String,
            _ bytes: [UInt8],
            _ code: ReadError.Code,
            _ words: String
        ) {
            self.testDescription = testDescription
            self.bytes = bytes
            self.code = code
            self.words = words
        }
    }

    static let refusals: [Refusal] = {
        let jpeg = Pictures.jpeg
        func claim(
            process: UInt8? = nil,
            bits: UInt8? = nil,
            _ width: Int? = nil,
            _ height: Int? = nil
        )
            -> [UInt8]
        {
            JPEGMarkers.claim(jpeg, process: process, bits: bits, width: width, height: height)
        }
        let arithmetic = (try? Pictures.symbol.jpeg(as: JPEGFormat(isArithmetic: true))) ?? []
        return [
            Refusal("arithmetic coding", arithmetic, .notAnImage, "arithmetic"),
            Refusal("lossless", claim(process: 0xC3), .notAnImage, "lossless"),
            Refusal("hierarchical", claim(process: 0xC5), .notAnImage, "hierarchical"),
            Refusal("12 bits", claim(process: 0xC1, bits: 12), .notAnImage, "12 bits"),
            Refusal("too many pixels", claim(60_000, 60_000), .tooManyPixels, "50000000"),
            Refusal("wide", claim(65_500, 800), .tooManyPixels, "50000000"),
            Refusal("too wide", claim(65_535, 1), .tooManyPixels, "65500"),
            Refusal("too high", claim(1, 65_535), .tooManyPixels, "65500"),
            Refusal("no rows", claim(nil, 0), .damaged, "damaged"),
            Refusal("no columns", claim(0), .damaged, "damaged"),
            Refusal("more rows than it has", claim(nil, 6_000), .damaged, "damaged"),
            Refusal("only tables", [0xFF, 0xD8, 0xFF, 0xD9], .damaged, "no image"),
            Refusal("101 scans", JPEGMarkers.scans(101, side: 64), .damaged, "100 scans"),
            Refusal("800 scans", JPEGMarkers.scans(800, side: 1_000), .damaged, "100 scans"),
            Refusal("unfinished scans", JPEGMarkers.scans(90, side: 1_000), .damaged, "missing"),
            Refusal("two beginnings", [0xFF, 0xD8] + jpeg, .damaged, "SOI"),
        ]
    }()

    @Test("of rare and of hostile kinds are refused by name, by both readers", arguments: refusals)
    func refused(refusal: Refusal) async throws {
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        let apart = await failure(of: pool, reading: refusal.bytes)
        let here = await failure(of: ZBarTagReader(), reading: refusal.bytes)
        #expect(apart == here)
        #expect(apart?.code == refusal.code)
        #expect(apart?.message.contains(refusal.words) == true, "\(String(describing: apart))")
        #expect(pool.processIdentifiers.count == 1, "the process lives on")
        await pool.shutdown()
    }

    @Test("need no more memory than a process has, at the limit of pixels")
    func memory() async throws {
        // What is kept of all scans is laid out before the first of them turns out to be too short.
        let symbol = try Pictures.symbol.jpeg(as: JPEGFormat(.cmyk, isProgressive: true))
        let wide = JPEGMarkers.claim(symbol, width: 8_000, height: 6_250)
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        #expect(await failure(of: pool, reading: wide)?.code == .damaged)
        #expect(pool.processIdentifiers.count == 1, "the process lives on")
        await pool.shutdown()
    }

    private func expectHello(in bytes: [UInt8]) async throws {
        let reading = try await ZBarTagReader().read(TagImage(bytes: bytes))
        #expect(reading.symbols.map(\.payload) == [Pictures.helloPayload])
    }
}

extension GreyImage {
    fileprivate func levels(_ change: (UInt8) -> UInt8) -> GreyImage {
        GreyImage(width: width, height: height, samples: samples.map(change))
    }
}
