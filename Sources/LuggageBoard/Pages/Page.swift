internal import ObjectStore

/// What a page shows, without the frame that all pages have.
struct Page: Sendable {
    /// A part of a page that is replaced as a whole when there is news about it.
    ///
    /// It has no form: who is typing is not disturbed.
    struct Section: Sendable {
        /// Its name on the page.
        var id: String
        /// What it shows.
        var html: HTML
        /// Whether it follows the news.
        var isLive = true
    }

    /// The pages that the frame leads to.
    enum Place: String, CaseIterable {
        case now = "/"
        case search = "/search"
        case failed = "/failed"
        case handIn = "/hand-in"
        case report = "/report"

        /// The role that one needs for it to be of use.
        var role: Role { self == .handIn ? .file : .see }

        func name(_ words: Words) -> String {
            switch self {
            case .now: words.now
            case .search: words.search
            case .failed: words.failed
            case .handIn: words.handIn
            case .report: words.report
            }
        }
    }

    /// What the window is called.
    var title: String
    /// Where the frame shows that one is; nil for a page that it does not lead to.
    var place: Place?
    /// What it shows, from top to bottom.
    var sections: [Section]
    /// A class for its arrangement.
    var layout: String = ""
    /// The last save that it takes into account; nil if it does not follow the news.
    var token: HistoryToken?
    /// The address of the whole page, if this is what could be said soon: browsers go there by themselves.
    var rest: String?
}

/// Puts pages into the frame that all of them have.
struct Frame {
    let words: Words
    let visitor: Visitor?
    /// The path of the page, for its news.
    let path: String

    /// The whole page.
    func html(_ page: Page) -> HTML {
        """
        <!DOCTYPE html>
        <html lang="\(words.language)" data-units="\(words.lengthUnits)">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">\
        \(HTML.given(page.rest) { "\n<meta http-equiv=\"refresh\" content=\"0; url=\($0)\">" })
        <title>\(page.title) · \(words.board)</title>
        <link rel="icon" href="\(Asset.icon.path)">
        <link rel="stylesheet" href="\(Asset.style.path)">
        <script src="\(Asset.script.path)" defer></script>
        </head>
        <body class="\(page.layout)"\(news(page))>
        <a class="skip" href="#content">\(words.skipToContent)</a>
        \(header(page))
        <main id="content" tabindex="-1">
        \(page.sections.map(Self.section))
        </main>
        \(footer(page))
        </body>
        </html>
        """
    }

    static func section(_ section: Page.Section) -> HTML {
        "<section id=\"\(section.id)\">\(section.html)</section>\n"
    }

    private func news(_ page: Page) -> HTML {
        guard let token = page.token else { return .nothing }
        return " data-news=\"\(path)\" data-after=\"\(Int(token.rawValue))\""
    }

    private func header(_ page: Page) -> HTML {
        guard let visitor else {
            return "<header><p class=\"board\">\(words.board)</p></header>"
        }
        let links: [HTML] = Page.Place.allCases.filter { $0.role <= visitor.role }.map { place in
            let mark: HTML = place == page.place ? " aria-current=\"page\"" : ""
            return "<a href=\"\(place.rawValue)\"\(mark)>\(place.name(words))</a>"
        }
        let live: HTML =
            page.token == nil
            ? .nothing
            : """
            <p class="line" role="status" data-live="\(words.live)" data-cut="\(words.lineIsCut)"></p>
            """
        return """
            <header>
            <p class="board">\(words.board)</p>
            <nav aria-label="\(words.pages)">\(links)</nav>
            \(live)
            </header>
            """
    }

    private func footer(_ page: Page) -> HTML {
        guard let visitor else { return .nothing }
        return """
            <footer>
            <p>\(words.signedIn(visitor.name, visitor.role))</p>
            <p class="noscript-only">\(words.timesAreOfStation)</p>
            <form method="post" action="/leave">\(seal)<button class="plain">\(words.leave)</button></form>
            </footer>
            """
    }

    /// The field by which the board knows its own forms.
    var seal: HTML {
        .given(visitor) { "<input type=\"hidden\" name=\"seal\" value=\"\($0.seal)\">" }
    }
}
