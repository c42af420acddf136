/// What is sent to a browser.
package struct PageAnswer: Sendable {
    /// What follows the headers.
    package enum Body: Sendable {
        /// All of it.
        case whole([UInt8])
        /// News about a page, without end.
        case news(NewsRequest)
    }

    /// The number that says how it went.
    package var status: Int
    /// The headers, besides those that everything has.
    package var headers: [(name: String, value: String)]
    /// What follows them.
    package var body: Body

    /// Makes an answer.
    package init(
        _ status: Int,
        _ headers: [(name: String, value: String)] = [],
        _ body: Body = .whole([])
    ) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    static func page(_ html: HTML, status: Int = 200) -> Self {
        Self(
            status,
            [("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store")],
            .whole(Array(html.text.utf8))
        )
    }

    /// Sends the browser to another page, which it asks for with GET.
    static func goTo(_ path: String) -> Self {
        Self(303, [("Location", path), ("Cache-Control", "no-store")])
    }

    /// The headers of every answer: nothing from elsewhere, no scripts but the board's own file, in no
    /// frame, and no word to other sites about where somebody came from.
    package static let common: [(name: String, value: String)] = [
        (
            "Content-Security-Policy",
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
                + "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
    ]
}
