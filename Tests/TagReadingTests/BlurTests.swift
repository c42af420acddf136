import TagDrawing
import TagPrinting
import TagReading
import Testing
import ZBarTagReader

@Suite("A blurred code", .timeLimit(.minutes(30)))
struct BlurTests {
    /// What mixes each pixel with others.
    struct Blur: CustomTestStringConvertible {
        var testDescription: String
        /// The places whose mean a pixel becomes, in pixels from it.
        var places: [(column: Int, row: Int)]

        /// Out of focus.
        static func disc(_ radius: Double) -> Blur {
            let reach = Int(radius)
            let square = (-reach...reach).flatMap { row in
                (-reach...reach).map { (column: $0, row: row) }
            }
            return Blur(
                testDescription: "out of focus by \(radius) pixels",
                places: square.filter { Double($0 * $0 + $1 * $1) <= radius * radius }
            )
        }

        /// Moved while the shutter was open.
        static func motion(_ columns: Int, _ rows: Int) -> Blur {
            let steps = max(abs(columns), abs(rows))
            return Blur(
                testDescription: "moved by \(columns), \(rows) pixels",
                places: (0...steps).map { ($0 * columns / steps, $0 * rows / steps) }
            )
        }

        func callAsFunction(_ image: GreyImage) -> GreyImage {
            GreyImage(width: image.width, height: image.height) { column, row in
                let values = places.map { place in
                    Int(
                        image[
                            min(max(column + place.column, 0), image.width - 1),
                            min(max(row + place.row, 0), image.height - 1)
                        ]
                    )
                }
                return UInt8(values.reduce(0, +) / values.count)
            }
        }
    }

    private static let module = 6
    private static let payload = Array("{\"id\":\"BLUR-1\",\"owner\":[\"D\",\"ZMU\"]}".utf8)

    /// A code with room around it.
    private static func picture(_ blur: Blur, payload: [UInt8] = payload) throws -> GreyImage {
        let code = try QRSymbol(payload).image(module: module)
        var picture = GreyImage(width: code.width + 60, height: code.height + 40, level: 235)
        picture.paste(code, column: 30, row: 20)
        return blur(picture)
    }

    private static func payloads(
        _ picture: GreyImage,
        effort: ReadEffort = .normal
    ) async throws -> [[UInt8]] {
        var limits = ReadLimits.default
        limits.effort = effort
        let reader = ZBarTagReader(limits: limits)
        return try await reader.read(TagImage(bytes: picture.png())).symbols.map(\.payload)
    }

    @Test(
        "is read although the blur is wider than a module",
        arguments: [
            Blur.disc(3), .disc(5), .disc(6), .motion(8, 0), .motion(0, 9), .motion(8, 8),
            .motion(12, 0), .motion(10, -5),
        ]
    )
    func read(_ blur: Blur) async throws {
        #expect(try await Self.payloads(Self.picture(blur)) == [Self.payload])
    }

    @Test("is read light on dark too", arguments: [Blur.disc(5), .motion(9, 3)])
    func inverted(_ blur: Blur) async throws {
        let picture = try Self.picture(blur).inverted()
        #expect(try await Self.payloads(picture) == [Self.payload])
    }

    /// A page with a sharp code in one corner and a blurred one in the opposite corner.
    private static func besideSharp(
        _ blur: Blur,
        in size: (width: Int, height: Int),
        effort: ReadEffort = .normal
    ) async throws {
        let other = Array("{\"id\":\"SHARP\",\"owner\":[\"K\",\"TAN\"]}".utf8)
        let sharp = try picture(Blur(testDescription: "", places: [(0, 0)]), payload: other)
        let blurred = try picture(blur)
        var page = GreyImage(width: size.width, height: size.height, level: 235)
        page.paste(sharp, column: 0, row: 0)
        page.paste(blurred, column: size.width - blurred.width, row: size.height - blurred.height)
        #expect(try await Set(payloads(page, effort: effort)) == [other, payload])
    }

    @Test(
        "is read beside a sharp one, also small on a large page",
        arguments: [Blur.disc(5), .disc(6), .motion(0, 9), .motion(10, -5)],
        [(500, 240), (2400, 1800)]
    )
    func besideSharp(_ blur: Blur, size: (Int, Int)) async throws {
        try await Self.besideSharp(blur, in: size)
    }

    @Test(
        "that is blurred more is read beside a sharp one with thorough effort",
        arguments: [Blur.motion(12, 0), .motion(14, 0)]
    )
    func besideSharp(_ blur: Blur) async throws {
        try await Self.besideSharp(blur, in: (500, 240), effort: .thorough)
    }

    @Test(
        "that is blurred beyond recognition gives nothing",
        arguments: [Blur.disc(14), .motion(40, 0)]
    )
    func hopeless(_ blur: Blur) async throws {
        #expect(try await Self.payloads(Self.picture(blur)).isEmpty)
    }

    @Test("is read where modules are one or two pixels", arguments: [1, 2])
    func tiny(_ module: Int) async throws {
        let code = try QRSymbol(Self.payload).image(module: module)
        #expect(try await Self.payloads(code) == [Self.payload])
    }
}
