/// Looking for bags by what somebody knows of them.
struct SearchPage {
    let showing: Showing
    let text: String
    let onlyMissing: Bool
    /// What was found; nil if nothing was asked.
    let matches: BagMatches?
    /// The address of all that can be found, if it takes a while.
    let rest: String?

    private var words: Words { showing.words }

    var sections: [Page.Section] {
        [
            Page.Section(id: "ask", html: form, isLive: false),
            Page.Section(id: "found", html: found),
        ]
    }

    private var form: HTML {
        """
        <h1>\(words.search)</h1>
        <form method="get" action="/search" role="search" class="search">
        <label>\(words.searchHint)
        <input type="search" name="for" value="\(text)" autocomplete="off" spellcheck="false" \
        autocapitalize="characters" autofocus></label>
        <label class="check"><input type="checkbox" name="missing" value="1"\
        \(onlyMissing ? " checked" : "")> \(words.onlyMissing)</label>
        <button>\(words.search)</button>
        </form>
        """
    }

    private var found: HTML {
        guard let matches else { return .nothing }
        let waiting: HTML = .given(rest) { .waiting(words.isLookedFor, $0) }
        if matches.bags.isEmpty {
            return rest == nil ? "<p class=\"rest\">\(words.noMatch)</p>" : waiting
        }
        let count = matches.bags.count
        let others = matches.total.map { words.more($0 - count) } ?? words.thereAreMore
        let more: HTML = matches.hasMore ? "<p class=\"more\">\(others)</p>" : .nothing
        let heading =
            matches.total.map { words.bags($0) }
            ?? (matches.hasMore ? words.moreThan(count) : words.bags(count))
        return """
            <h2>\(heading)</h2>
            \(BagTable(showing: showing, bags: matches.bags).html)\(more)\(waiting)
            """
    }
}
