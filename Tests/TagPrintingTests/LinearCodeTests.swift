import TagPrinting
import Testing

@Suite("Code 128")
struct LinearCodeTests {
    /// Texts, and the characters that say them, with the check.
    static let vectors: [(text: String, values: [Int])] = [
        // The standard's pairs of digits, and the changes between the sets.
        ("1234", [105, 12, 34, 82]),
        ("PJJ123C", [104, 48, 42, 42, 17, 18, 19, 35, 55]),
        ("Wikipedia", [104, 55, 73, 75, 73, 80, 69, 68, 73, 65, 88]),
        ("0", [104, 16, 17]),
        ("00", [105, 0, 2]),
        ("123", [104, 17, 18, 19, 8]),
        ("~ ", [104, 94, 0, 95]),
    ]

    @Test("has the characters of the standard, and the sum that checks them", arguments: vectors)
    func vector(text: String, values: [Int]) throws {
        #expect(try LinearCode(text).values == values)
    }

    @Test("begins and ends as the standard draws it")
    func shape() throws {
        let widths = try LinearCode("1234").widths
        #expect(Array(widths.prefix(6)) == [2, 1, 1, 2, 3, 2])
        #expect(Array(widths.suffix(7)) == [2, 3, 3, 1, 1, 1, 2])
        #expect(try LinearCode("1234").width == widths.reduce(0, +))
    }

    @Test("has 11 modules in each character, and no two characters alike")
    func characters() throws {
        var known: Set<[Int]> = []
        var values: Set<Int> = []
        for pair in 0..<100 {
            let code = try LinearCode((pair < 10 ? "0" : "") + "\(pair)")
            let character = Array(code.widths[6..<12])
            #expect(code.values[1] == pair && character.reduce(0, +) == 11)
            // Bars have an even number of modules, by which readers know a slip.
            #expect((character[0] + character[2] + character[4]).isMultiple(of: 2))
            known.insert(character)
            values.insert(pair)
        }
        #expect(known.count == values.count)
    }

    @Test(
        "says what it was given, in as few characters as two digits in one allow",
        arguments: [
            ("F432BDB8", 10), ("12345678", 6), ("A1B2C3D4", 10), ("00000000", 6), ("ABCD1234", 9),
            ("1234ABCD", 9), ("12345", 6), ("A12345678B", 10), ("A123456B", 9), ("99999999999", 9),
        ]
    )
    func shortest(text: String, count: Int) throws {
        let code = try LinearCode(text)
        #expect(LinearCodePicture.text(of: code.values) == text)
        #expect(code.values.count == count, "\(code.values)")
    }

    @Test("is none of what it cannot say", arguments: ["", "É", "\n", "\u{7F}", "A\0", "李"])
    func refused(text: String) {
        #expect(throws: TagPrintingError.self) { try LinearCode(text) }
    }
}
