import TagPrinting
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
        /// The light border on each side of a code, in modules.
        var quietZone = QRSymbol.quietZone
        /// How many of the last ones are left out.
        var missing = 0

        var count: Int { columns * rows - missing }

        var testDescription: String {
            "\(count) in \(rows) rows, \(letters) letters, \(module) pixels a module, "
                + "quiet zones of \(quietZone), slanted by \(slant)"
        }

        var payloads: [[UInt8]] {
            (0..<count).map { index in
                Array("TAG-\(index)-".utf8)
                    + (0..<letters).map { 97 + UInt8(($0 * 7 + index * index * 3) % 26) }
            }
        }

        /// The sheet; codes that are torn have lost their middle, more than can be corrected.
        func picture(isTorn: (Int) -> Bool = { _ in false }) throws -> GreyImage {
            let codes = try payloads.map {
                try QRSymbol($0).image(module: module, quietZone: quietZone)
            }
            let side = codes.map(\.width).max() ?? 0
            var picture = GreyImage(
                width: columns * side + rows * slant + 40,
                height: rows * side + 40,
                level: 255
            )
            for (index, code) in codes.enumerated() {
                let row = index / columns
                let (left, top) = (20 + index % columns * side + row * slant, 20 + row * side)
                picture.paste(code, column: left, row: top)
                guard isTorn(index) else { continue }
                let half = side / 2
                picture.paste(
                    GreyImage(width: half, height: half, level: 255),
                    column: left + side / 3,
                    row: top + side / 3
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
        Crowd(columns: 13, rows: 5, module: 2, letters: 8),
        Crowd(columns: 10, rows: 8, module: 3, letters: 20),
        Crowd(columns: 10, rows: 10, module: 4, letters: 60, quietZone: 1),
        Crowd(columns: 20, rows: 10, module: 3, letters: 8, slant: 17, quietZone: 2),
        Crowd(columns: 20, rows: 20, module: 2, letters: 8),
        Crowd(columns: 20, rows: 20, module: 3, letters: 30),
        Crowd(columns: 20, rows: 20, module: 2, letters: 100, quietZone: 2),
    ]

    /// What is as far from one code to the next as within a code can be taken for codes, too.
    static let lattices = [
        Crowd(columns: 20, rows: 20, module: 3, letters: 0, quietZone: 3),
        Crowd(columns: 20, rows: 20, module: 3, letters: 0, quietZone: 4),
        Crowd(columns: 20, rows: 20, module: 2, letters: 8, quietZone: 6),
    ]

    private func pool(_ effort: ReadEffort = .normal) throws -> ReaderPool {
        var limits = ReadLimits.patient
        limits.effort = effort
        return ReaderPool(
            executable: try ReaderPool.locateExecutable(),
            limits: limits,
            workers: 1
        )
    }

    private func read(
        _ image: GreyImage,
        effort: ReadEffort = .normal
    ) async throws -> [[UInt8]] {
        let pool = try pool(effort)
        let reading = try await pool.read(TagImage(bytes: image.png()))
        await pool.shutdown()
        return reading.symbols.map(\.payload)
    }

    private func sorted(_ payloads: [[UInt8]]) -> [[UInt8]] {
        payloads.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test("is read to the last one", arguments: crowds + lattices)
    func all(crowd: Crowd) async throws {
        let payloads = try await read(crowd.picture())
        #expect(sorted(payloads) == sorted(crowd.payloads))
    }

    @Test("is read to the last one, whatever effort is made", arguments: ReadEffort.allCases)
    func efforts(effort: ReadEffort) async throws {
        let crowd = Crowd(columns: 20, rows: 20, module: 3, letters: 8)
        let payloads = try await read(crowd.picture(), effort: effort)
        #expect(sorted(payloads) == sorted(crowd.payloads))
    }

    @Test("that is turned or seen from the side is read to the last one", arguments: [0, 90.0])
    func fromTheSide(lean: Double) async throws {
        let crowd = Crowd(columns: 20, rows: 20, module: 4, letters: 8)
        let sheet = try crowd.picture()
        let (width, height) = (Double(sheet.width), Double(sheet.height))
        let corners = Quadrilateral(
            topLeft: Point(60 + lean, 10),
            topRight: Point(width - 10 - lean, 40),
            bottomRight: Point(width + 30, height - 20),
            bottomLeft: Point(20, height - 60)
        )
        let picture = sheet.warped(
            to: corners,
            width: sheet.width + 60,
            height: sheet.height,
            ground: 120
        )
        #expect(sorted(try await read(picture)) == sorted(crowd.payloads))
    }

    @Test(
        "of more codes than the limit is refused, whatever effort is made",
        arguments: [
            Crowd(columns: 21, rows: 20, module: 2, letters: 8, missing: 19),
            Crowd(columns: 25, rows: 20, module: 3, letters: 8),
            Crowd(columns: 40, rows: 40, module: 2, letters: 0),
        ],
        ReadEffort.allCases
    )
    func tooMany(crowd: Crowd, effort: ReadEffort) async throws {
        let error = try await failure(of: pool(effort), reading: crowd.picture().png())
        #expect(error?.code == .tooManySymbols)
    }

    @Test("some of whose codes are torn is read but for these", arguments: [4, 10])
    func torn(step: Int) async throws {
        let crowd = Crowd(columns: 20, rows: 20, module: 3, letters: 8)
        let payloads = try await read(crowd.picture { $0 % step == step - 1 })
        let whole = crowd.payloads.enumerated().filter { $0.offset % step != step - 1 }
        #expect(sorted(payloads) == sorted(whole.map(\.element)))
    }

    @Test("of patterns without codes is not taken for a picture without any")
    func wallpaper() async throws {
        let pattern = GreyImage(width: 13, height: 13) { x, y in
            let ring = max(abs(x - 3), abs(y - 3))
            return ring == 2 || ring > 3 ? 255 : 0
        }.enlarged(by: 3)
        var picture = GreyImage(width: 80 * 39 + 20, height: 80 * 39 + 20, level: 255)
        for index in 0..<6400 {
            picture.paste(pattern, column: 10 + index % 80 * 39, row: 10 + index / 80 * 39)
        }
        let error = try await failure(of: pool(), reading: picture.png())
        #expect(error?.code == .tooManySymbols)
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
