import LuggageBoard
import Testing

/// Nothing from outside becomes markup.
struct HTMLTests {
    @Test(
        "A text is shown as it is, and is no markup",
        arguments: [
            ("D/ZMU", "D/ZMU"),
            ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
            ("\" onmouseover=\"x", "&quot; onmouseover=&quot;x"),
            ("' onfocus='x", "&#39; onfocus=&#39;x"),
            ("&lt;", "&amp;lt;"),
            ("a\nb\u{0}c", "a\\nb\\u{0}c"),
            ("evil\u{202E}gpj.exe", "evil\\u{202e}gpj.exe"),
            ("李/小龙", "李/小龙"),
        ]
    )
    func text(text: String, shown: String) {
        let html: HTML = "<p title=\"\(text)\">\(text)</p>"
        #expect(html.text == "<p title=\"\(shown)\">\(shown)</p>")
    }

    @Test func `Markup within markup is kept`() {
        let inner: HTML = "<b>\("<")</b>"
        let outer: HTML = "<p>\(inner)\([inner, inner])\(7)</p>"
        #expect(outer.text == "<p><b>&lt;</b><b>&lt;</b><b>&lt;</b>7</p>")
    }
}
