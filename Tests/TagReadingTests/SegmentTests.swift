import TagDrawing
import TagReading
import Testing
import ZBarTagReader

/// What became of the text of a symbol.
enum Told: Equatable, CustomTestStringConvertible {
    case bytes([UInt8])
    case refused(TextRefusal.Reason, Int)
    /// A part of a structured append.
    case part([UInt8])
    /// The symbol counts as unread.
    case nothing

    static func text(_ text: String) -> Told { .bytes(Array(text.utf8)) }

    init(_ symbol: Symbol) {
        if let refusal = symbol.refusal {
            self = .refused(refusal.reason, refusal.characterSet)
        } else {
            self = symbol.isPartial ? .part(symbol.payload) : .bytes(symbol.payload)
        }
    }

    var testDescription: String {
        switch self {
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self) ?? "\(bytes)"
        case .refused(let reason, let set): "\(reason) of \(set)"
        case .part: "a part"
        case .nothing: "nothing"
        }
    }
}

/// Reads one symbol, or symbols side by side; the answers are from left to right.
func told(_ symbols: SegmentedSymbol..., module: Int = 3) async throws -> [Told] {
    let images = symbols.map { $0.image(module: module) }
    let side = images[0].width
    var page = GreyImage(width: side * images.count, height: side, level: 255)
    for (index, image) in images.enumerated() { page.paste(image, column: side * index, row: 0) }
    let symbols = try await ZBarTagReader().read(TagImage(bytes: page.png())).symbols
    if symbols.isEmpty { return [.nothing] }
    return symbols.sorted { $0.left < $1.left }.map { Told($0) }
}

extension Symbol {
    fileprivate var left: Int { corners.map(\.x).min() ?? 0 }
}

@Suite("The text of a symbol")
struct SegmentTests {
    /// Four bytes that are letters in most character sets, and valid UTF-8: "л" and "κ".
    static let letters: [UInt8] = [0xD0, 0xBB, 0xCE, 0xBA]

    static let sets: [(Int, Told)] =
        [
            (0, "╨╗╬║"), (1, "Ð»Îº"), (2, "╨╗╬║"), (3, "Ð»Îº"), (4, "ĐťÎş"), (6, "ĐģÎē"),
            (7, "аЛЮК"), (9, "Π»ΞΊ"), (11, "Ğ»Îº"), (12, "ÐŧÎš"), (13, "ะปฮบ"), (15, "Š»Īŗ"),
            (16, "ŴṠÎẃ"), (17, "Ð»Îº"), (18, "Đ»Îș"), (20, "ﾐｻﾎｺ"), (21, "Đ»Îş"), (22, "Р»Оє"),
            (23, "Ð»Îº"), (24, "ذ»خ؛"), (25, "킻캺"), (26, "лκ"), (28, "郅庥"), (29, "谢魏"),
            (30, "剋觀"), (31, "谢魏"), (32, "谢魏"), (33, "믐뫎"), (899, "лκ"),
        ].map { ($0, .text($1)) }
        + [5, 8, 10, 27, 34, 35, 170].map { ($0, .refused(.invalidText, $0)) }
        + [14, 19, 36, 127, 128, 898, 16_383, 16_384, 999_999].map {
            ($0, .refused(.unknownSet, $0))
        }

    @Test("in a declared character set becomes UTF-8, or is refused by name", arguments: sets)
    func declared(set: Int, expected: Told) async throws {
        #expect(try await told(SegmentedSymbol().declaring(set).bytes(Self.letters)) == [expected])
    }

    @Test("is the same in a sandboxed process, which can open no converter any more")
    func sandboxed() async throws {
        let images = Self.sets.map { set, _ in
            SegmentedSymbol().declaring(set).bytes(Self.letters).image(module: 2)
        }
        let side = images[0].width
        var page = GreyImage(width: side * images.count, height: side, level: 255)
        for (index, image) in images.enumerated() {
            page.paste(image, column: side * index, row: 0)
        }
        let pool = ReaderPool(executable: try ReaderPool.locateExecutable(), workers: 1)
        let symbols = try await pool.read(TagImage(bytes: page.png())).symbols
        #expect(symbols.sorted { $0.left < $1.left }.map { Told($0) } == Self.sets.map(\.1))
        await pool.shutdown()
    }

    @Test(
        "without a declaration is told byte for byte",
        arguments: [Self.letters, [0, 0xE9, 0xFF], []]
    )
    func undeclared(bytes: [UInt8]) async throws {
        #expect(try await told(SegmentedSymbol().bytes(bytes)) == [.bytes(bytes)])
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let symbol: SegmentedSymbol
        let expected: Told

        init(_ description: String, _ symbol: SegmentedSymbol, _ expected: Told) {
            testDescription = description
            self.symbol = symbol
            self.expected = expected
        }
    }

    private static var empty: SegmentedSymbol { SegmentedSymbol() }

    static let declarations = [
        Row("no UTF-8", empty.declaring(26).bytes([0xE9]), .refused(.invalidText, 26)),
        Row(
            "UTF-8 in too many bytes",
            empty.declaring(26).bytes([0xC0, 0x80]),
            .refused(.invalidText, 26)
        ),
        Row(
            "half a pair of UTF-8",
            empty.declaring(26).bytes([0xED, 0xA0, 0x80]),
            .refused(.invalidText, 26)
        ),
        Row("UTF-8 that ends early", empty.declaring(26).bytes([0xC3]), .refused(.invalidText, 26)),
        Row(
            "a BOM is kept",
            empty.declaring(26).bytes([0xEF, 0xBB, 0xBF, 0x41]),
            .text("\u{FEFF}A")
        ),
        Row(
            "GBK is not GB 2312",
            empty.declaring(29).bytes([0x86, 0xB4]),
            .refused(.invalidText, 29)
        ),
        Row("GBK", empty.declaring(31).bytes([0x86, 0xB4]), .text("喆")),
        Row(
            "GB 18030 has four bytes",
            empty.declaring(32).bytes([0x81, 0x30, 0x89, 0x38]),
            .text("ß")
        ),
        Row(
            "GBK has not",
            empty.declaring(31).bytes([0x81, 0x30, 0x89, 0x38]),
            .refused(.invalidText, 31)
        ),
        Row(
            "one character in two segments",
            empty.declaring(29).bytes([0xD0]).bytes([0xBB]),
            .text("谢")
        ),
        Row(
            "a second byte among letters",
            empty.declaring(20).bytes([0x83]).letters("ABC"),
            .text("アBC")
        ),
        Row(
            "two sets",
            empty.declaring(29).bytes([0xD0, 0xBB]).declaring(26).bytes("é".utf8),
            .text("谢é")
        ),
        Row("a set without text", empty.declaring(14).declaring(26).bytes("A".utf8), .text("A")),
        Row("UTF-16 with a pair", empty.declaring(25).bytes([0xD8, 0x42, 0xDF, 0xB7]), .text("𠮷")),
        Row(
            "half a pair",
            empty.declaring(25).bytes([0xD8, 0x42, 0, 0x41]),
            .refused(.invalidText, 25)
        ),
        Row("half a unit", empty.declaring(25).bytes([0, 0x41, 0]), .refused(.invalidText, 25)),
        Row(
            "digits in UTF-16",
            empty.declaring(25).bytes([0, 0x41]).digits("12"),
            .refused(.ambiguousText, 25)
        ),
        Row("UTF-32", empty.declaring(34).bytes([0, 2, 0x0B, 0xB7]), .text("𠮷")),
        Row(
            "beyond Unicode",
            empty.declaring(34).bytes([0, 0x11, 0, 0]),
            .refused(.invalidText, 34)
        ),
        Row("ASCII", empty.declaring(27).bytes("{}".utf8), .text("{}")),
        Row(
            "what is not invariant",
            empty.declaring(170).bytes("{}".utf8),
            .refused(.invalidText, 170)
        ),
        Row("a byte of Windows-1252", empty.declaring(3).bytes([0x92]), .refused(.invalidText, 3)),
        Row("the same, declared", empty.declaring(23).bytes([0x92]), .text("’")),
        Row(
            "a byte that even that lacks",
            empty.declaring(23).bytes([0x81]),
            .refused(.invalidText, 23)
        ),
        Row("backslash or yen", empty.declaring(20).bytes("\\".utf8), .refused(.ambiguousText, 20)),
        Row("tilde or overline", empty.declaring(20).bytes("~".utf8), .refused(.ambiguousText, 20)),
        Row("bytes", empty.declaring(899).bytes([0, 0xFF]), .bytes([0, 0xFF])),
        Row(
            "letters of no set before declared ones",
            empty.bytes("é".utf8).declaring(29).bytes([0xD0, 0xBB]),
            .refused(.ambiguousText, 29)
        ),
        Row(
            "letters of no set before declared ASCII",
            empty.bytes("é".utf8).declaring(29).digits("1"),
            .text("é1")
        ),
        Row(
            "ASCII of no set before declared letters",
            empty.bytes("[".utf8).declaring(29).bytes([0xD0, 0xBB]).digits("1"),
            .text("[谢1")
        ),
    ]

    static let modes = [
        Row("Kanji", empty.kanji(0x9363, 0xE4AA), .text("田茗")),
        Row("Kanji, declared", empty.declaring(20).kanji(0x9363), .text("田")),
        Row(
            "Kanji in another set",
            empty.declaring(26).kanji(0x9363),
            .refused(.ambiguousText, 26)
        ),
        Row(
            "Kanji with digits and letters",
            empty.kanji(0x9363).digits("12").letters("A%%"),
            .text("田12A%%")
        ),
        Row("Kanji that is not assigned", empty.kanji(0x8540), .refused(.invalidText, 20)),
        Row(
            "Kanji and bytes of no set",
            empty.kanji(0x9363).bytes([0xB1]),
            .refused(.ambiguousText, 20)
        ),
        Row(
            "Hanzi",
            empty.appending(13, bits: 4).appending(1, bits: 4).appending(1, bits: 8)
                .appending((0xD0 - 0xA6) * 0x60 + 0xBB - 0xA1, bits: 13),
            .text("谢")
        ),
        Row(
            "Hanzi of an unknown kind",
            empty.appending(0xD2, bits: 8).appending(0, bits: 21),
            .nothing
        ),
        Row(
            "FNC1 first",
            empty.appending(5, bits: 4).letters("A%B%%C%"),
            .text("A\u{1D}B%C\u{1D}")
        ),
        Row("FNC1 first, bytes", empty.appending(5, bits: 4).bytes("A%B".utf8), .text("A%B")),
        Row(
            "FNC1 second, number",
            empty.appending(9, bits: 4).appending(7, bits: 8).letters("A"),
            .text("07A")
        ),
        Row(
            "FNC1 second, letter",
            empty.appending(9, bits: 4).appending(165, bits: 8).letters("B"),
            .text("AB")
        ),
        Row(
            "FNC1 second, neither",
            empty.appending(9, bits: 4).appending(150, bits: 8).letters("B"),
            .nothing
        ),
        Row(
            "FNC1 after text",
            empty.bytes("A".utf8).appending(5, bits: 4).letters("A%B"),
            .nothing
        ),
        Row("an empty symbol", empty, .text("")),
    ]

    static let senseless = [
        Row("an unknown mode", empty.appending(6, bits: 4).appending(0, bits: 20), .nothing),
        Row("an unknown mode after text", empty.bytes("{}".utf8).appending(15, bits: 4), .nothing),
        Row(
            "a number above 999",
            empty.appending(1, bits: 4).appending(3, bits: 10).appending(1000, bits: 10),
            .nothing
        ),
        Row(
            "a number above 99",
            empty.appending(1, bits: 4).appending(2, bits: 10).appending(100, bits: 7),
            .nothing
        ),
        Row(
            "a digit above 9",
            empty.appending(1, bits: 4).appending(1, bits: 10).appending(10, bits: 4),
            .nothing
        ),
        Row(
            "a pair above 2024",
            empty.appending(2, bits: 4).appending(2, bits: 9).appending(2025, bits: 11),
            .nothing
        ),
        Row(
            "a letter above 44",
            empty.appending(2, bits: 4).appending(1, bits: 9).appending(45, bits: 6),
            .nothing
        ),
        Row(
            "more bytes than there are",
            empty.appending(4, bits: 4).appending(255, bits: 8),
            .nothing
        ),
        Row(
            "more digits than there are",
            empty.appending(1, bits: 4).appending(1023, bits: 10),
            .nothing
        ),
        Row(
            "a set of four bytes",
            empty.appending(7, bits: 4).appending(0xE0, bits: 8).bytes("A".utf8),
            .nothing
        ),
        Row("a part beyond the last", empty.part(3, of: 2, parity: 0).bytes("A".utf8), .nothing),
        Row(
            "a part of two appends",
            empty.part(0, of: 2, parity: 0).part(0, of: 2, parity: 0),
            .nothing
        ),
        Row("a part after text", empty.bytes("A".utf8).part(0, of: 2, parity: 0), .nothing),
    ]

    @Test("is what was declared, never a guess", arguments: declarations)
    func honoursDeclaration(row: Row) async throws {
        #expect(try await told(row.symbol) == [row.expected])
    }

    @Test("in every mode is what the printer had", arguments: modes)
    func readsMode(row: Row) async throws {
        #expect(try await told(row.symbol) == [row.expected])
    }

    @Test("that makes no sense is not told, not even in part", arguments: senseless)
    func refusesNonsense(row: Row) async throws {
        #expect(try await told(row.symbol) == [row.expected])
    }

    @Test(
        "is told although more is covered than error correction alone could mend",
        arguments: [0, 128]
    )
    func covered(level: UInt8) async throws {
        let payload = Array(UInt8(0x20)..<0x86)
        var image = SegmentedSymbol().bytes(payload).image(module: 4)
        // Ten by ten modules.
        image.paste(GreyImage(width: 40, height: 40, level: level), column: 64, row: 64)
        let symbols = try await ZBarTagReader().read(TagImage(bytes: image.png())).symbols
        #expect(symbols.map { Told($0) } == [.bytes(payload)])
    }

    @Test(
        "that only zbar can read is taken if it means the same in every character set",
        arguments: [
            ("text", Told.text("text")), ("{}", .text("{}")), ("é", .nothing), ("ü", .nothing),
        ]
    )
    func plainScan(text: String, expected: Told) async throws {
        var image = SegmentedSymbol().bytes(text.utf8).image(module: 1)
        // Timing patterns of the wrong colour and modules twice as high as wide, on which this reader counts and
        // zbar does not.
        for place in 12..<33 {
            image[place, 10] = 255 - image[place, 10]
            image[10, place] = 255 - image[10, place]
        }
        let high = GreyImage(width: image.width * 4, height: image.height * 8) { column, row in
            image[column / 4, row / 8]
        }
        let symbols = try await ZBarTagReader().read(TagImage(bytes: high.png())).symbols
        #expect(symbols.map { Told($0) } == (expected == .nothing ? [] : [expected]))
    }

    @Test("is told whatever its modules look like, as a large dark area", arguments: [2, 3, 8])
    func darkArea(module: Int) async throws {
        // With the mask of every second row, this gives only dark modules.
        let digits = """
            33333333333cccccccccccccc33cccccccccf333333333cc3356666666666799866799999999999999866666666666\
            66679986679999999999999986666666666666679986679999999999999986666666666666679986679999999999\
            999986666666666666679986
            """.map { $0.hexDigitValue ?? 0 }
        let payload = stride(from: 0, to: digits.count, by: 2).map { start in
            UInt8(digits[start] << 4 | digits[start + 1])
        }
        #expect(
            try await told(SegmentedSymbol().bytes(payload), module: module) == [.bytes(payload)]
        )
    }
}
