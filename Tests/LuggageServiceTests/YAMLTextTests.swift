import Testing

@testable import LuggageService

@Suite("The value of a setting in YAML")
struct YAMLTextTests {
    @Test(
        "is the text without quotes, escapes and folds",
        arguments: [
            ("k: v", "v"), ("k:", ""), ("k: ''", ""), ("k: ~", "~"), ("k: 42", "42"),
            ("k: a b # c", "a b"), ("k: a#b", "a#b"), ("k: 'it''s'", "it's"),
            (#"k: "\x41\u00e9\U0001F9F3\n""#, "Aé\u{1F9F3}\n"), ("k: é\u{1F9F3}", "é\u{1F9F3}"),
            ("k: |\n  a\n  b\n", "a\nb\n"), ("k: |-\n  a\n", "a"), ("k: >\n  a\n  b\n", "a b\n"),
            ("k: a\n  b\n", "a b"), ("k: !!str b", "b"), ("k: &x b", "b"),
            ("%YAML 1.1\n---\nk: v", "v"),
            (#"k: "\uFEFFx""#, "\u{FEFF}x"), (#"k: "a\0b""#, "a\0b"),
        ]
    )
    func value(yaml: String, value: String) throws {
        #expect(try YAMLText(yaml).value == value)
    }

    @Test(
        "is nothing where there is another thing, or more",
        arguments: [
            "", "# c", "v", "- v", "k: [a, b]", "k: {a: b}", "k:\n  a: b", "k: v\nl: w",
            "k: v\nk: v",
            "k: *x", "&x k: *x", "[a]: b", "k: v\n---\nk: v", "{",
            "k: " + String(repeating: "[", count: 65_000),
            "k: " + String(repeating: "{a: ", count: 65_000),
        ]
    )
    func another(yaml: String) {
        if let value = try? YAMLText(yaml).value {
            Issue.record("\(yaml.prefix(20)) gave \(value)")
        }
    }

    @Test(
        "that is wrong is told with its place",
        arguments: [
            ("k: \"v\n", 2, 1, "found unexpected end of stream"),
            ("k: 'v' w", 1, 8, "did not find expected key"),
            (#"k: "\q""#, 1, 5, "found unknown escape character"),
            ("k: a: b", 1, 5, "mapping values are not allowed in this context"),
            ("k: \u{7}", 1, 4, "control characters are not allowed"),
            ("k: é\u{1F9F3}\u{FFFF}", 1, 6, "control characters are not allowed"),
            ("k: |\n  a\n  \u{0}", 3, 3, "control characters are not allowed"),
            ("\tk: v", 1, 1, "found character that cannot start any token"),
        ]
    )
    func flaw(yaml: String, line: Int, column: Int, problem: String) {
        let flaw = #expect(throws: YAMLFlaw.self) { try YAMLText(yaml) }
        #expect(flaw?.problem == problem)
        #expect(flaw?.line == line && flaw?.column == column, "\(String(describing: flaw))")
    }
}
