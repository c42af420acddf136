import Foundation
import LuggageTags
import TagPrinting
import TagDrawing
import Testing

@Suite("A drawn tag")
struct DrawnTagTests {
    @Test(
        "has symbols of whole dots with a quiet zone around each",
        arguments: Layout.resolved
    )
    func modules(layout: Layout, dotsPerInch: Int) throws {
        let printer = try layout.printer(at: dotsPerInch)
        let tags = try layout.tags
        let image = try #require(
            ZPLPicture.images(in: printer.file(of: tags, as: .zpl)).first
        )
        for tag in tags {
            let symbol = try printer.symbol(of: tag)
            let places =
                Self.places(of: symbol, in: image) + Self.places(of: symbol, in: image.turned)
            #expect(places == layout.symbols / tags.count)
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
                guard module > 0, (end - x) % 7 == 0, y + 7 * module <= image.height,
                    image[x + module, y + module] == 255, image[x + 3 * module, y + 3 * module] == 0
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

    /// The first page of a tag to the dot.
    private static func page(
        from: String,
        to: String,
        size: (Double, Double),
        hasStub: Bool = false
    ) throws -> GreyImage {
        let layout = Layout(
            name: "",
            layout: .label,
            hasStub: hasStub,
            size: size,
            from: from,
            to: to
        )
        let file = try layout.printer(at: 203).file(of: layout.tags, as: .zpl)
        return try #require(ZPLPicture.images(in: file).first)
    }

    @Test(
        "has lines that no letter touches, also where its places take two rows",
        arguments: [
            ("Zürich HB gpy", "Berlin Ostbhf"), ("Quai de Bellevue", "Gym Ágyöngyöspata"),
            ("Pier 3 gjpqy", "Pier 4 Qjgpy"), ("ZRH", "JFK"),
        ],
        [(54.0, 150.0), (100.0, 150.0)]
    )
    func lines(places: (from: String, to: String), size: (Double, Double)) throws {
        let image = try Self.page(from: places.from, to: places.to, size: size)
        func dark(_ row: Int) -> Int {
            (0..<image.width).reduce(0) { image[$1, row] == 0 ? $0 + 1 : $0 }
        }
        let lines = (1..<image.height).filter { dark($0) > image.width * 4 / 5 }
        #expect(lines.count > 1)
        for line in lines where !lines.contains(line - 1) {
            #expect((line - 3..<line).allSatisfy { dark($0) == 0 }, "above row \(line)")
        }
    }

    @Test(
        "has a stub that says where the bag goes, however long the names",
        arguments: ["Bellevue", "Hotel Bellevue Palace Lauterbrunnen"]
    )
    func stub(from: String) throws {
        let stubs = try ["Pier Seventeen West", "Pier Nineteen East"].map { to in
            let page = try Self.page(from: from, to: to, size: (100, 150), hasStub: true)
            let last = page.height * 18 / 25
            return (last..<page.height).map { row in (0..<page.width).map { page[$0, row] } }
        }
        #expect(stubs[0] != stubs[1])
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
        // Letters are defined in front, and referred to: what is drawn as a shape is the codes, of many
        // parts, the lines, of four corners, and the arrow, of seven.
        let shapes = try #require(svg.components(separatedBy: "</defs>").last)
            .matches(of: #/ d="([^"]+)"/#).map { String($0.1) }
        let outlines = shapes.filter { $0.count { $0 == "Z" } == 1 }.map { shape in
            shape.prefix { $0 != "Z" }.matches(of: /[ML] ([0-9.]+) ([0-9.]+)/).compactMap {
                if let x = Double($0.1), let y = Double($0.2) { (x: x, y: y) } else { nil }
            }
        }
        let arrows = outlines.filter { $0.count == 7 }
        try #require(arrows.count == 1, "\(outlines)")
        let corners = arrows[0]
        // It is the same above the line of its tip and below.
        let tip = try #require(corners.max { $0.x < $1.x })
        for corner in corners {
            let isMirrored = corners.contains {
                abs($0.x - corner.x) < 0.01 && abs($0.y + corner.y - 2 * tip.y) < 0.01
            }
            #expect(isMirrored, "\(corner) of \(corners)")
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
        arguments: [
            "ZMU", "MÜL", "O'N", "ŁÓŹ", "ΑΒΓ", "ЖУК", "שלי", "E\u{301}A", "محم", "<b>", "&#0",
        ]
    )
    func scripts(familyName: String) throws {
        #expect(throws: Never.self) {
            try TagPrinter().file(of: [Tags.tag("É", familyName)], as: .svg)
        }
    }

    /// What no font can draw, and a word of what to do.
    static let undrawable: [(name: String, words: String)] = [
        ("\u{E123}A", "fonts-noto-cjk"), ("\u{1F9F3}\u{10FFFD}", "fonts-noto-core"),
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

    @Test(
        "has other scripts where a font has them, and else says which package has one",
        arguments: [("李", "小龙"), ("न", "नमन"), ("ខ", "ខ្មែ")]
    )
    func otherScripts(given: String, family: String) throws {
        do {
            _ = try TagPrinter().file(of: [Tags.tag(given, family)], as: .png)
        } catch let error as TagPrintingError {
            #expect(error.code == .font && error.description.contains("fonts-noto-cjk"))
        }
    }

    /// Letters that join, and the same with a sign between them that keeps them apart.
    @Test(
        "joins letters as in Arabic and Devanagari, where a font has them",
        arguments: [("ببب", "ب\u{200C}ب\u{200C}ب"), ("क्ष", "क्\u{200C}ष")]
    )
    func joinedLetters(joined: String, apart: String) throws {
        /// How far a name reaches, alone in the row between the lines across a tag.
        func width(_ name: String) throws -> Int {
            let printer = TagPrinter(resolution: .dots203)
            let file = try printer.file(of: [Tags.tag("D", name)], as: .zpl)
            let image = try #require(ZPLPicture.images(in: file).first)
            let lines = (0..<image.height).filter { y in
                (60..<700).allSatisfy { image[$0, y] == 0 }
            }
            let (first, last) = try (#require(lines.first), #require(lines.last))
            let columns = (0..<image.width).filter { x in
                (first + 10..<last - 6).contains { image[x, $0] == 0 }
            }
            return try #require(columns.last) - #require(columns.first)
        }
        do {
            #expect(try width(joined) < width(apart))
        } catch let error as TagPrintingError {
            #expect(error.code == .font && joined != "ببب")
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
        let error = try #require(throws: TagPrintingError.self) {
            try printer.file(of: [Tags.tag()], as: .pdf)
        }
        #expect(error.code == .paper && error.remedy == .roomForSymbol)
        #expect(error.description.contains("choose larger paper"), "\(error)")
    }

    @Test("is none where more dots than a reader takes would be drawn")
    func manyDots() throws {
        let printer = TagPrinter(
            paper: try PaperSize(width: 600, height: 600),
            resolution: try Resolution(dotsPerInch: 1200)
        )
        let error = try #require(throws: TagPrintingError.self) {
            try printer.file(of: [Tags.tag()], as: .pdf)
        }
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
                origin: PlaceName("ZRH"),
                destination: PlaceName("JFK")
            )
        }
    }

    @Test(
        "a place that is none",
        arguments: [
            ("", "ZRH"), ("  \u{A0}", "ZRH"), ("Pier\n3", "invisible"), ("\u{1B}[2J", "invisible"),
            ("Z\u{202E}RH", "invisible"), ("\0", "invisible"),
            (String(repeating: "P", count: 65), "at most 64"),
            ("Z" + String(repeating: "\u{301}", count: 200), "at most 64"),
        ]
    )
    func place(name: String, words: String) throws {
        let error = try #require(throws: TagPrintingError.self) { try PlaceName(name) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test(
        "an airport in small letters, or a place with needless spaces",
        arguments: [
            ("zrh", "ZRH"), ("ZRH", "ZRH"), (" Hotel  Bellevue ", "Hotel Bellevue"),
            ("Z1H", "Z1H"), ("E\u{301}", "É"),
        ]
    )
    func spelling(name: String, printed: String) throws {
        #expect(try PlaceName(name).description == printed)
    }

    @Test(
        "a day that is none",
        arguments: [
            "", "2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "2026-00-10", "today",
            "２026-01-01", "2026-01-01\n",
        ]
    )
    func date(day: String) {
        #expect(throws: TagPrintingError.self) {
            try PrintedTag(owner: PassengerName(givenName: "D", familyName: "ZMU"), date: day)
        }
    }

    @Test(
        "that it goes nowhere",
        arguments: [("zrh", "ZRH"), ("Hotel Bellevue", "HOTEL  bellevue")]
    )
    func samePlace(from: String, to: String) throws {
        #expect(throws: TagPrintingError.self) {
            try PrintedTag(
                owner: PassengerName(givenName: "D", familyName: "ZMU"),
                pounds: 1,
                origin: PlaceName(from),
                destination: PlaceName(to)
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
