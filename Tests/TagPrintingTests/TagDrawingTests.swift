import Foundation
import LuggageTags
import TagPrinting
import TagDrawing
import Testing

@Suite("A drawn tag")
struct DrawnTagTests {
    @Test("has a symbol of whole dots with a quiet zone around it", arguments: [203, 300, 600])
    func modules(dotsPerInch: Int) throws {
        var printer = TagPrinter(resolution: try Resolution(dotsPerInch: dotsPerInch))
        for paper in [PaperSize.label, .strip, try PaperSize(width: 150, height: 70)] {
            printer.paper = paper
            let tag = try Tags.tag()
            let symbol = try printer.symbol(of: tag)
            let image = try #require(
                ZPLPicture.images(in: printer.file(of: [tag], as: .zpl)).first
            )
            #expect(Self.places(of: symbol, in: image) == 1)
        }
    }

    /// How often a symbol is in a picture to the dot, with 4 light modules around it.
    private static func places(of symbol: QRSymbol, in image: GreyImage) -> Int {
        let modules = symbol.side + 2 * QRSymbol.quietZone
        var places = 0
        for y in 0..<image.height {
            for x in 0..<image.width {
                // The corner of a finder pattern: 7 modules of dark, which tell how large one is.
                guard image[x, y] == 0, x > 0, y > 0, image[x - 1, y] == 255,
                    image[x, y - 1] == 255
                else { continue }
                var end = x
                while end < image.width, image[end, y] == 0 { end += 1 }
                let module = (end - x) / 7
                guard module > 0, (end - x) % 7 == 0, image[x + module, y + module] == 255,
                    image[x + 3 * module, y + 3 * module] == 0
                else { continue }
                let left = x - QRSymbol.quietZone * module
                let top = y - QRSymbol.quietZone * module
                guard left >= 0, top >= 0, left + modules * module <= image.width,
                    top + modules * module <= image.height
                else { continue }
                let expected = symbol.image(module: module)
                let isThere = (0..<expected.height).allSatisfy { row in
                    (0..<expected.width).allSatisfy {
                        image[left + $0, top + row] == expected[$0, row]
                    }
                }
                if isThere { places += 1 }
            }
        }
        return places
    }

    @Test(
        "tells in PNG how large its pixels are",
        arguments: [(203, 7992), (300, 11811), (600, 23622)]
    )
    func scale(dotsPerInch: Int, dotsPerMetre: Int) throws {
        let resolution = try Resolution(dotsPerInch: dotsPerInch)
        let png = try TagPrinter(resolution: resolution).file(of: [Tags.tag()], as: .png)
        // Behind the signature of 8 bytes and the header of 25.
        let chunk = Array(png[33..<54])
        #expect(Array(chunk[..<8]) == [0, 0, 0, 9] + Array("pHYs".utf8))
        let numbers = [8, 12].map { chunk[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
        #expect(numbers == [dotsPerMetre, dotsPerMetre] && chunk[16] == 1)
    }

    @Test("has an arrow between its airports that nothing joins to their letters")
    func arrow() throws {
        let svg = String(decoding: try TagPrinter().file(of: [Tags.tag()], as: .svg), as: UTF8.self)
        // Letters are defined in front, and referred to: what is drawn as a shape is the symbol, of
        // many parts, and the arrow, of one.
        let shapes = try #require(svg.components(separatedBy: "</defs>").last)
            .matches(of: #/ d="([^"]+)"/#).map { String($0.1) }
        let arrow = try #require(shapes.last { $0.count { $0 == "Z" } == 1 })
        let corners = try arrow.prefix { $0 != "Z" }.matches(of: /[ML] ([0-9.]+) ([0-9.]+)/).map {
            (x: try #require(Double($0.1)), y: try #require(Double($0.2)))
        }
        #expect(corners.count == 7, "\(arrow)")
        // It is the same above the line of its tip and below.
        let tip = try #require(corners.max { $0.x < $1.x })
        for corner in corners {
            let isMirrored = corners.contains {
                abs($0.x - corner.x) < 0.01 && abs($0.y + corner.y - 2 * tip.y) < 0.01
            }
            #expect(isMirrored, "\(corner) of \(arrow)")
        }
    }

    @Test("is one of several pages in PDF, and one of several labels in ZPL")
    func pages() throws {
        let tags = try (0..<3).map { try Tags.tag("D", "ZM\($0)") }
        let printer = TagPrinter()
        let pdf = String(decoding: try printer.file(of: tags, as: .pdf), as: UTF8.self)
        #expect(pdf.contains("/Count 3"))
        let labels = try ZPLPicture.images(in: printer.file(of: tags, as: .zpl))
        #expect(labels.count == 3 && labels[0] != labels[1])
    }

    @Test("is the only one in PNG and SVG", arguments: [TagFileFormat.png, .svg], [0, 2])
    func onlyOne(format: TagFileFormat, count: Int) throws {
        let tags = try (0..<count).map { _ in try Tags.tag() }
        #expect(throws: TagPrintingError.self) { try TagPrinter().file(of: tags, as: format) }
    }

    @Test(
        "has names in the scripts that fonts have",
        arguments: ["ZMU", "MÜL", "O'N", "ŁÓŹ", "ΑΒΓ", "ЖУК", "שלי", "E\u{301}A"]
    )
    func scripts(familyName: String) throws {
        #expect(throws: Never.self) {
            try TagPrinter().file(of: [Tags.tag("É", familyName)], as: .svg)
        }
    }

    /// What no font can draw, or not letter by letter, and a word of what to do.
    static let undrawable: [(name: String, words: String)] = [
        ("\u{E123}A", "fonts-noto-cjk"), ("\u{1F9F3}\u{10FFFD}", "fonts-noto-core"),
        ("محم", "passport"), ("नमन", "passport"), ("ខ្មែ", "passport"),
    ]

    @Test("is none where a name would come out as boxes", arguments: undrawable)
    func boxes(name: String, words: String) throws {
        let tag = try Tags.tag("D", name)
        for format in TagFileFormat.allCases {
            let error = try #require(throws: TagPrintingError.self) {
                try TagPrinter().file(of: [tag], as: format)
            }
            #expect(error.code == .font && error.description.contains(words), "\(error)")
        }
    }

    @Test("has ideographs where a font has them, and else says which package has one")
    func ideographs() throws {
        do {
            _ = try TagPrinter().file(of: [Tags.tag("李", "小龙")], as: .png)
        } catch let error as TagPrintingError {
            #expect(error.description.contains("fonts-noto-cjk"))
        }
    }

    @Test(
        "is none where the paper has no room for its symbol",
        arguments: [(30.0, 30.0), (30, 600), (600, 30)]
    )
    func smallPaper(width: Double, height: Double) throws {
        let printer = TagPrinter(
            encoder: TagEncoder(format: .xmlPropertyList),
            correction: .high,
            paper: try PaperSize(width: width, height: height)
        )
        let error = try #require(throws: TagPrintingError.self) { try printer.check(Tags.tag()) }
        #expect(error.code == .paper && error.remedy == .roomForSymbol)
        #expect(error.description.contains("choose larger paper"), "\(error)")
    }

    @Test("is none where more dots than a reader takes would be drawn")
    func manyDots() throws {
        let printer = TagPrinter(
            paper: try PaperSize(width: 600, height: 600),
            resolution: try Resolution(dotsPerInch: 1200)
        )
        let error = try #require(throws: TagPrintingError.self) { try printer.check(Tags.tag()) }
        #expect(error.code == .paper && error.remedy == .fewerDots, "\(error)")
    }

    @Test("is only for paper and printers that there are")
    func nonsense() {
        for side in [0, -1, 29.9, 600.1, .nan, .infinity] {
            #expect(throws: TagPrintingError.self) { try PaperSize(width: side, height: 100) }
            #expect(throws: TagPrintingError.self) { try PaperSize(width: 100, height: side) }
        }
        for dots in [Int.min, -300, 0, 149, 1201, Int.max] {
            #expect(throws: TagPrintingError.self) { try Resolution(dotsPerInch: dots) }
        }
    }
}

@Suite("A tag cannot say")
struct WrongTagTests {
    static let names: [(given: String, family: String, words: String)] = [
        ("", "ZMU", "no given name"), ("D", "", "no family name"), (" ", "ZMU", "no given name"),
        ("DANA", "ZMU", "its initial: \"D\""), ("D", "ZMUDA", "first three letters: \"ZMU\""),
        ("D", "Z\nU", "invisible"), ("\u{7}", "ZMU", "invisible characters"),
        ("D", "Z\u{202E}U", "invisible"), ("D", "Z\0U", "invisible characters"),
        ("D", "Z" + String(repeating: "\u{301}", count: 100), "too many marks"),
    ]

    @Test("a name that the record refuses", arguments: names)
    func name(given: String, family: String, words: String) throws {
        let error = try #require(throws: TagPrintingError.self) { try Tags.tag(given, family) }
        #expect(error.code == .tag && error.description.contains(words), "\(error)")
    }

    @Test(
        "a weight that is none",
        arguments: [-1, .nan, .infinity, -.infinity, 100_000] as [Float]
    )
    func weight(pounds: Float) {
        #expect(throws: TagPrintingError.self) {
            try PrintedTag(
                owner: PassengerName(givenName: "D", familyName: "ZMU"),
                pounds: pounds,
                origin: Airport("ZRH"),
                destination: Airport("JFK")
            )
        }
    }

    @Test(
        "an airport that is none",
        arguments: ["", "ZR", "ZRHX", "Z1H", "ZÜR", "Z\u{301}RH", "ＺＲＨ"]
    )
    func airport(code: String) throws {
        let error = try #require(throws: TagPrintingError.self) { try Airport(code) }
        #expect(error.description.contains("ZRH"))
    }

    @Test("that it goes nowhere")
    func sameAirport() throws {
        #expect(throws: TagPrintingError.self) {
            try PrintedTag(
                owner: PassengerName(givenName: "D", familyName: "ZMU"),
                pounds: 1,
                origin: Airport("zrh"),
                destination: Airport("ZRH")
            )
        }
    }

    @Test("more than a symbol holds", arguments: QRSymbol.Correction.allCases)
    func symbol(correction: QRSymbol.Correction) throws {
        let most = [UInt8](repeating: 0x80, count: correction.mostBytes)
        #expect(try QRSymbol(most, correction: correction).version == 40)
        let error = try #require(throws: QRSymbolError.self) {
            try QRSymbol(most + [0x80], correction: correction)
        }
        #expect(error.isTooLong && error.description.contains("\(correction.mostBytes)"))
    }
}
