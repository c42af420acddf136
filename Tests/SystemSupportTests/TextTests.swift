import SystemSupport
import Testing

@Suite("Texts, numbers and paths without the tables of all languages")
struct TextTests {
    @Test(
        "A text in its composed form is the same for all its spellings",
        arguments: [
            ("", ""), ("abc", "abc"), ("\u{E9}", "\u{E9}"), ("e\u{301}", "\u{E9}"),
            // Signs above and below in any order.
            ("a\u{323}\u{307}", "\u{1EA1}\u{307}"), ("a\u{307}\u{323}", "\u{1EA1}\u{307}"),
            // Hangul: letters, and a syllable that is partly composed.
            ("\u{1100}\u{1161}\u{11A8}", "\u{AC01}"), ("\u{AC00}\u{11A8}", "\u{AC01}"),
            // An ideograph for older character sets, and the sign of ångström.
            ("\u{F900}", "\u{8C48}"), ("\u{212B}", "\u{C5}"),
            // What stays as it is: compatibility, not equivalence.
            ("\u{FF21}\u{2460}", "\u{FF21}\u{2460}"), ("\u{1F9F3}", "\u{1F9F3}"),
            ("\u{301}", "\u{301}"),
        ]
    )
    func composed(text: String, composed: String) {
        #expect(Array(text.composed.unicodeScalars) == Array(composed.unicodeScalars))
        #expect(Array(text.composed.composed.utf8) == Array(text.composed.utf8))
        #expect(text == text.composed)
    }

    @Test(
        "A text without accents is found however it is typed",
        arguments: [
            ("Müller", "Muller"), ("É", "E"), ("Ｄ／ＺＭＵ", "D/ZMU"), ("ﾀﾅｶ", "タナカ"), ("ｶﾞ", "カ"),
            ("Ø", "Ø"), ("שָׁלוֹם", "שלום"), ("हिन्दी", "हिन्दी"), ("李", "李"), ("a b", "a b"),
        ]
    )
    func withoutAccents(text: String, plain: String) {
        #expect(text.withoutAccents == plain)
    }

    @Test(
        "A text is trimmed of white space at its ends only",
        arguments: [
            ("", ""), (" ", ""), ("a", "a"), (" a b\t\n", "a b"), ("\u{A0}a", "a"),
            ("\r\na\r\n", "a"), ("a \u{301}", "a \u{301}"), ("\u{200B}a\u{200B}", "a"),
        ]
    )
    func trimmed(text: String, trimmed: String) {
        #expect(text.trimmed == trimmed)
        #expect(text[...].trimmed == trimmed)
    }

    @Test(
        "A path has a parent and a last part",
        arguments: [
            ("/a/b", "/a", "b"), ("/a/b/", "/a", "b"), ("/a", "/", "a"), ("/", "/", "/"),
            ("a", "", "a"), ("a/b", "a", "b"), ("a//b", "a", "b"), ("//a", "/", "a"), ("", "", ""),
            ("/é/\u{1F9F3}.png", "/é", "\u{1F9F3}.png"), ("a/\u{301}x", "a", "\u{301}x"),
            ("///", "/", "/"),
        ]
    )
    func paths(path: String, parent: String, last: String) {
        #expect(path.parentPath == parent)
        #expect(path.lastPathComponent == last)
    }

    @Test(
        "A number is written as C writes it, whatever the language of the machine",
        arguments: [
            (42.0, "42.0", "42"), (0.05, "0.1", "0.05"), (-1.25, "-1.2", "-1.25"), (0, "0.0", "0"),
            (1e300, "1000000000000000052504760255204420248704468581108159154915854115", "1e+300"),
            (99_999.96, "100000.0", "99999.96"),
            (1.0 / 3, "0.3", "0.333333333"), (.infinity, "inf", "inf"),
        ]
    )
    func numbers(number: Double, decimal: String, short: String) {
        #expect(number.text(decimals: 1).hasPrefix(decimal))
        #expect(number.text(digits: 9) == short)
    }
}
