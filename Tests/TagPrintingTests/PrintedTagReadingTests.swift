import Foundation
import LuggageTags
import TagPrinting
import TagDrawing
import TagReading
import Testing

@Suite("What is printed is read:")
struct PrintedTagReadingTests {
    /// A way of printing.
    struct Way: CustomTestStringConvertible, Sendable {
        var payload: any PayloadFormat
        var correction: QRSymbol.Correction

        var printer: TagPrinter {
            TagPrinter(encoder: TagEncoder(format: payload), correction: correction)
        }

        var testDescription: String { "\(payload.name), \(correction.rawValue)" }
    }

    static let ways = Tags.payloads.flatMap { payload in
        QRSymbol.Correction.allCases.map { Way(payload: payload, correction: $0) }
    }

    @Test("PNG of every resolution", arguments: ways, [203, 300, 600])
    func png(way: Way, dotsPerInch: Int) async throws {
        var printer = way.printer
        printer.resolution = try Resolution(dotsPerInch: dotsPerInch)
        try await expect(way, in: printer.file(of: [Tags.tag()], as: .png))
    }

    @Test("paper of every size", arguments: ways, [PaperSize.label, .strip])
    func paper(way: Way, paper: PaperSize) async throws {
        var printer = way.printer
        printer.paper = paper
        try await expect(way, in: printer.file(of: [Tags.tag()], as: .png))
    }

    @Test("every layout at every resolution", arguments: Layout.resolved)
    func layouts(layout: Layout, dotsPerInch: Int) async throws {
        let printer = try layout.printer(at: dotsPerInch)
        let tags = try layout.tags
        let reading = try await Tags.read(printer.file(of: tags, as: .png))
        #expect(reading.symbols.count == layout.symbols)
        let payloads = try tags.map { try printer.encoder.encode($0.contents) }
        #expect(Set(reading.symbols.map(\.payload)) == Set(payloads))
    }

    @Test("Code 128, as lasers read it, at every resolution", arguments: Layout.resolved)
    func bars(layout: Layout, dotsPerInch: Int) throws {
        let printer = try layout.printer(at: dotsPerInch)
        let tags = try layout.tags
        let image = try #require(ZPLPicture.images(in: printer.file(of: tags, as: .zpl)).first)
        let texts = LinearCodePicture.texts(in: image)
        #expect(Set(texts) == (layout.hasBars ? Set(tags.map(\.shortIdentifier)) : []))
    }

    @Test(
        "Code 128, as a reader of others reads it, at every resolution",
        .enabled("zbarimg is installed") { BarReader.isInstalled },
        arguments: Layout.resolved
    )
    func barsOfOthers(layout: Layout, dotsPerInch: Int) async throws {
        let tags = try layout.tags
        let png = try layout.printer(at: dotsPerInch).file(of: tags, as: .png)
        let texts = try await BarReader.texts(in: png)
        #expect(texts == (layout.hasBars ? Set(tags.map(\.shortIdentifier)) : []))
    }

    @Test(
        "ZPL of every payload, and of every resolution",
        arguments: ways.map { ($0, 203) } + [300, 600].map { (ways[0], $0) }
    )
    func zpl(way: Way, dotsPerInch: Int) async throws {
        var printer = way.printer
        printer.resolution = try Resolution(dotsPerInch: dotsPerInch)
        let label = try printer.file(of: [Tags.tag()], as: .zpl)
        #expect(label.allSatisfy { $0 < 0x80 })
        let images = try ZPLPicture.images(in: label)
        try #require(images.count == 1)
        try await expect(way, in: images[0].png(as: .grey1))
    }

    @Test(
        "PDF, printed finely or coarsely",
        .enabled("pdftoppm is installed") { Renderer.pdftoppm.isInstalled },
        arguments: ways,
        [203, 300]
    )
    func pdf(way: Way, dotsPerInch: Int) async throws {
        let file = try way.printer.file(of: [Tags.tag()], as: .pdf)
        try await expect(
            way,
            in: Renderer.pdftoppm.png(of: file, dotsPerInch: dotsPerInch)
        )
    }

    @Test(
        "SVG, printed finely or coarsely",
        .enabled("rsvg-convert is installed") { Renderer.rsvg.isInstalled },
        arguments: ways,
        [203, 300]
    )
    func svg(way: Way, dotsPerInch: Int) async throws {
        let file = try way.printer.file(of: [Tags.tag()], as: .svg)
        try await expect(way, in: Renderer.rsvg.png(of: file, dotsPerInch: dotsPerInch))
    }

    @Test(
        "every form of owner and weight",
        arguments: OwnerForm.allCases,
        WeightForm.allForms
    )
    func forms(owner: OwnerForm, weight: WeightForm) async throws {
        let tag = try Tags.tag("É", "MÜL")
        let encoder = TagEncoder(ownerForm: owner, weightForm: weight)
        let printer = TagPrinter(encoder: encoder)
        let reading = try await Tags.read(printer.file(of: [tag], as: .png))
        try #require(reading.symbols.count == 1)
        #expect(try reading.symbols[0].payload == encoder.encode(tag.contents))
        #expect(try TagDecoder().contents(of: reading.symbols[0].payload) == tag.contents)
    }

    /// The pictures of the README and of the guide, and the route that is printed on them.
    static let pictures: [(path: String, route: Route?)] = {
        let trip = Route(from: "ZRH", to: "JFK", trip: "LX 14", date: "2026-07-01")
        let guide = "LuggageService/LuggageService.docc/Resources/"
        return [
            (
                "TagPrinting/TagPrinting.docc/Resources/printed-tag.png",
                Route(from: "MUC", to: "LHR")
            ),
            (guide + "label-with-stub@2x.png", trip), (guide + "loop@2x.png", trip),
            (guide + "strip@2x.png", trip), (guide + "lying-label@2x.png", trip),
            (guide + "hotel-label@2x.png", Route(from: "ZRH", to: "Hotel Bellevue")),
            (guide + "card@2x.png", Route(from: "ZRH", to: "JFK", trip: "LX 14")),
        ]
    }()

    @Test(
        "the pictures in the README and the guide, whose codes say what is printed",
        arguments: pictures
    )
    func picture(path: String, route: Route?) async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources/\(path)"
        )
        let reading = try await Tags.read(Array(Data(contentsOf: file)))
        let contents = try reading.symbols.map { try TagDecoder().contents(of: $0.payload) }
        let bag = try #require(
            contents.first { $0.identifier.uuidString == "F432BDB8-D84F-4461-8362-AFF89F6C493E" }
        )
        #expect(bag.owner?.description == "D/ZMU" && bag.weight == 42)
        #expect(contents.allSatisfy { $0.route == route })
    }

    /// The picture has one symbol, with the payload to the last byte and light around it.
    private func expect(_ way: Way, in png: [UInt8]) async throws {
        let tag = try Tags.tag()
        let reading = try await Tags.read(png)
        try #require(reading.symbols.count == 1)
        let payload = reading.symbols[0].payload
        #expect(try payload == way.printer.encoder.encode(tag.contents))
        #expect(try TagDecoder().contents(of: payload) == tag.contents)
    }
}
