import SeededRandom
import TagDrawing
import TagPrinting
import TagReading
import Testing
import ZBarTagReader

@Suite("A worn print", .timeLimit(.minutes(30)))
struct WornPrintTests {
    private static let module = 6
    private static let payload = Array("{\"id\":\"WORN-1\",\"owner\":[\"D\",\"ZMU\"]}".utf8)

    /// A code, and paper wherever nothing was printed.
    private static func picture(isMissing: (Int, Int) -> Bool) throws -> GreyImage {
        let code = try QRSymbol(payload).image(module: module)
        return GreyImage(width: code.width, height: code.height) { column, row in
            isMissing(column, row) ? 235 : max(code[column, row], 30)
        }
    }

    private static func payloads(_ picture: GreyImage) async throws -> [[UInt8]] {
        try await ZBarTagReader().read(TagImage(bytes: picture.png())).symbols.map(\.payload)
    }

    @Test(
        "is read where elements of the print head left out lines",
        arguments: [
            (modules: [8, 9], pixels: 6), ([11, 16, 17], 4), ([9, 11, 12, 14], 4),
        ],
        [true, false]
    )
    func lines(missing: (modules: [Int], pixels: Int), alongRows: Bool) async throws {
        let picture = try Self.picture { column, row in
            let place = alongRows ? row : column
            return missing.modules.contains(place / Self.module - QRSymbol.quietZone)
                && place % Self.module < missing.pixels
        }
        #expect(try await Self.payloads(picture) == [Self.payload])
    }

    @Test(
        "is read where lines are missing from its finder and timing patterns",
        arguments: [
            (modules: [4, 6, 17, 28], pixels: 4), ([4, 6, 8, 13], 4), ([4, 5, 24, 26], 3),
            ([4, 22, 24, 28], 3), ([9, 24, 25], 3), ([18, 24, 25, 27], 2),
        ]
    )
    func finders(missing: (modules: [Int], pixels: Int)) async throws {
        let picture = try Self.picture { column, _ in
            missing.modules.contains(column / Self.module - QRSymbol.quietZone)
                && column % Self.module < missing.pixels
        }
        #expect(try await Self.payloads(picture) == [Self.payload])
    }

    @Test("is read where dots did not take", arguments: [0.1, 0.2, 0.5])
    func dots(share: Double) async throws {
        let dot = 2
        var generator = SeededGenerator(seed: 3)
        let missing = (0..<128 * 128).map { _ in generator.unit() < share }
        let picture = try Self.picture { column, row in
            missing[column / dot + row / dot * 128]
        }
        #expect(try await Self.payloads(picture) == [Self.payload])
    }

    @Test(
        "of which too much is covered for its correction alone is read if its text does not fill it",
        arguments: [
            (version: 5, column: 12, row: 9, side: 16), (5, 16, 13, 16), (5, 20, 17, 12),
            (7, 12, 21, 14), (7, 16, 17, 16),
        ]
    )
    func covered(patch: (version: Int, column: Int, row: Int, side: Int)) async throws {
        func picture(_ payload: [UInt8]) throws -> GreyImage {
            let code = try QRSymbol(payload, correction: .low, version: patch.version)
                .image(module: Self.module)
            return GreyImage(width: code.width, height: code.height) { column, row in
                let across = column / Self.module - QRSymbol.quietZone - patch.column
                let down = row / Self.module - QRSymbol.quietZone - patch.row
                let isCovered = 0..<patch.side ~= across && 0..<patch.side ~= down
                return isCovered ? 235 : max(code[column, row], 30)
            }
        }
        #expect(try await Self.payloads(picture(Self.payload)) == [Self.payload])
        let rest = patch.version == 5 ? 71 : 119
        let filling = Self.payload + Array(repeating: UInt8(ascii: "7"), count: rest)
        #expect(try await Self.payloads(picture(filling)).isEmpty)
    }

    @Test("of which most is missing gives nothing")
    func hopeless() async throws {
        let picture = try Self.picture { column, row in
            (column / Self.module) % 3 == 0 || (row / Self.module) % 3 == 0
        }
        #expect(try await Self.payloads(picture).isEmpty)
    }
}
