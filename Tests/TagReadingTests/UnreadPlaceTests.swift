import TagDrawing
import TagPrinting
import TagReading
import Testing
import ZBarTagReader

@Suite("A place that looks like a symbol and cannot be read")
struct UnreadPlaceTests {
    /// Symbols side by side, and which of them can be read.
    struct Page: CustomTestStringConvertible {
        let testDescription: String
        let symbols: [Drawn]
        var isInverted = false

        init(_ description: String, _ symbols: [Drawn], isInverted: Bool = false) {
            testDescription = description
            self.symbols = symbols
            self.isInverted = isInverted
        }

        static let module = 4
        static let gap = 40

        func image() throws -> GreyImage {
            if symbols.isEmpty { return GreyImage(width: 200, height: 200, level: 255) }
            let image = GreyImage(row: try symbols.map { try $0.image() }, gap: Self.gap)
            return isInverted ? image.inverted() : image
        }
    }

    /// A symbol of another payload at each place of a page.
    enum Drawn {
        case sharp(String)
        case covered(String)

        var payload: String {
            switch self {
            case .sharp(let payload), .covered(let payload): payload
            }
        }

        func image() throws -> GreyImage {
            let symbol = try QRSymbol(Array(payload.utf8))
            return switch self {
            case .sharp: symbol.image(module: Page.module)
            case .covered: symbol.coveredImage(module: Page.module)
            }
        }
    }

    private static let long = String(repeating: "LUGGAGE", count: 10)

    static let pages = [
        Page("nothing at all", []),
        Page("a sharp symbol", [.sharp("A")]),
        Page("three sharp symbols", [.sharp("A"), .sharp(long), .sharp("C")]),
        Page("sharp symbols, light on dark", [.sharp("A"), .sharp(long)], isInverted: true),
        Page("a covered symbol", [.covered("A")]),
        Page("a large covered symbol", [.covered(long)]),
        Page("a covered symbol after a sharp one", [.sharp(long), .covered("B")]),
        Page("a covered symbol before a sharp one", [.covered(long), .sharp("B")]),
        Page("a covered symbol beside two", [.sharp("A"), .sharp("B"), .covered(long)]),
        Page("a covered symbol, light on dark", [.sharp(long), .covered("B")], isInverted: true),
    ]

    @Test("is told with its corners beside what is read, by both readers", arguments: pages)
    func told(page: Page) async throws {
        let image = try TagImage(bytes: page.image().png())
        let reading = try await ZBarTagReader().read(image)
        let payloads = page.symbols.compactMap { symbol -> [UInt8]? in
            if case .sharp(let payload) = symbol { Array(payload.utf8) } else { nil }
        }
        #expect(Set(reading.symbols.map(\.payload)) == Set(payloads))
        var left = 0
        var expected: [[PixelPoint]] = []
        for symbol in page.symbols {
            let width = try symbol.image().width
            let zone = QRSymbol.quietZone * Page.module
            if case .covered = symbol {
                let (near, far) = (zone, width - zone)
                expected.append(
                    [(near, near), (far, near), (far, far), (near, far)].map {
                        PixelPoint(x: left + $0.0, y: $0.1)
                    }
                )
            }
            left += width + Page.gap
        }
        #expect(reading.unread.count == expected.count)
        for (place, corners) in zip(reading.unread, expected) {
            #expect(place.corners.count == 4)
            // Nothing in the picture says which corner is the first one if it is hard to read.
            for corner in corners {
                let isNear = place.corners.contains {
                    abs($0.x - corner.x) <= 4 && abs($0.y - corner.y) <= 4
                }
                #expect(isNear, "\(place.corners) without \(corner)")
            }
        }

        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        let apart = try await pool.read(image)
        #expect(apart.unread == reading.unread && apart.symbols == reading.symbols)
        let explained = try await pool.explain(image)
        #expect(explained.reading.unread == reading.unread)
        await pool.shutdown()
    }

    @Test("is not told of a picture that cannot be read to its end")
    func damaged() async throws {
        let page = try Page("", [.sharp("A"), .covered("B")]).image().png()
        let error = await failure(of: ZBarTagReader(), reading: page.dropLast(12))
        #expect(error?.code == .damaged)
        var limits = ReadLimits.default
        limits.symbols = 0
        let pool = ReaderPool(
            executable: try ReaderPool.locateExecutable(),
            limits: limits,
            workers: 1
        )
        #expect(await failure(of: pool, reading: page)?.code == .tooManySymbols)
        await pool.shutdown()
    }

    @Test("is told in the corner of a slanted symbol's upright box too")
    func besideSlanted() async throws {
        let module = 6
        let sharp = try QRSymbol(Array("SLANTED \(Self.long)".utf8)).image(module: module)
        let covered = try QRSymbol(Array("COVERED".utf8)).coveredImage(module: 3)
        let (side, middle) = (sharp.width * 3 / 2, Double(sharp.width) / 2)
        var page = GreyImage(width: side, height: side) { column, row in
            // Turned by an eighth around the middle of the page.
            let (x, y) = (Double(column) - Double(side) / 2, Double(row) - Double(side) / 2)
            let (from, below) = ((x + y) * 0.5.squareRoot(), (y - x) * 0.5.squareRoot())
            let (u, v) = (Int((from + middle).rounded(.down)), Int((below + middle).rounded(.down)))
            let inside = 0..<sharp.width
            return inside.contains(u) && inside.contains(v) ? sharp[u, v] : 255
        }
        page.paste(covered, column: 0, row: 0)
        let reading = try await ZBarTagReader().read(TagImage(bytes: page.png()))
        #expect(reading.symbols.map(\.payload) == [Array("SLANTED \(Self.long)".utf8)])
        #expect(reading.unread.count == 1)
    }

    @Test(
        "is not a blurred symbol beside a sharp one: each is read as if it were alone",
        arguments: [2.0, 3, 4],
        [false, true]
    )
    func blurred(deviation: Double, isFirst: Bool) async throws {
        let module = 6
        let blurred = try QRSymbol(Array("BLURRED \(Self.long)".utf8)).image(module: module)
            .blurred(deviation: deviation)
        let sharp = try QRSymbol(Array("SHARP \(Self.long)".utf8)).image(module: module)
        let reader = ZBarTagReader()
        var alone: Set<[UInt8]> = []
        for image in [sharp, blurred] {
            let reading = try await reader.read(TagImage(bytes: image.png()))
            #expect(reading.symbols.count == 1 && reading.unread.isEmpty)
            alone.formUnion(reading.symbols.map(\.payload))
        }
        let row = isFirst ? [blurred, sharp] : [sharp, blurred]
        let page = GreyImage(row: row, gap: 10)
        let reading = try await reader.read(TagImage(bytes: page.png()))
        #expect(Set(reading.symbols.map(\.payload)) == alone && reading.unread.isEmpty)
    }
}
