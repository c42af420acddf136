internal import FoundationEssentials
internal import LuggageTags

/// The first page: what is missing, what was read last, and how well each station reads.
///
/// Its sections stand in the order of `sections`: another one is a function that returns a `Page.Section`, and a
/// line there.
struct NowPage {
    let showing: Showing
    let now: Now

    private var words: Words { showing.words }

    var sections: [Page.Section] {
        [
            Page.Section(id: "figures", html: figures),
            Page.Section(id: "alarms", html: alarms),
            Page.Section(id: "missing", html: missing),
            Page.Section(id: "scans", html: scans),
            Page.Section(
                id: "stations",
                html: StationsPart(words: words, rates: now.stations).html
            ),
        ]
    }

    // MARK: Figures

    private var figures: HTML {
        let (filed, scans) = (now.today.filed, now.today.scans)
        return """
            <h1 class="hidden">\(words.board)</h1>
            <dl class="figures">
            \(figure(words.missing, "\(now.missing)", now.missing == 0 ? .good : .news, "missing"))
            \(figure(words.overdue, "\(now.overdue)", now.overdue == 0 ? .good : .late, "overdue",
                note: words.overdueAfter(showing.patience)))
            \(figure(words.readToday, filed.percentage(of: scans), nil, "rate",
                note: words.ofThem(filed, scans)))
            \(figure(words.scansToday, "\(scans)", nil, "count"))
            </dl>
            """
    }

    private func figure(
        _ name: String,
        _ number: String,
        _ sign: Sign?,
        _ kind: String,
        note: String? = nil
    ) -> HTML {
        """
        <div class="figure \(kind) \(sign?.rawValue ?? "")">
        <dt>\(HTML.given(sign, HTML.sign))\(name)</dt>
        <dd><strong>\(number)</strong>\(HTML.given(note) { "<small>\($0)</small>" })</dd>
        </div>
        """
    }

    // MARK: Alarms

    /// How many alarms are listed: on a wall, the missing bags below them must be seen too.
    private static let mostAlarms = 3

    /// Nothing if there is none: then the page has no such section.
    private var alarms: HTML {
        if now.alarms.isEmpty { return .nothing }
        let list = AlarmList(showing: showing, alarms: now.alarms, most: Self.mostAlarms)
        let more: HTML = """
            <p class="more"><a href="/alarms">\(words.more(list.more))</a></p>
            """
        return "<h2>\(words.alarms)</h2>\(list.html)\(HTML.when(list.more > 0, more))"
    }

    // MARK: Missing bags

    private var missing: HTML {
        if now.oldest.isEmpty {
            return """
                <h2>\(words.missing)</h2>
                <p class="rest">\(HTML.sign(.good))\(words.nothingMissing)</p>
                """
        }
        let more: HTML =
            // A wall that is not high shows fewer than there are here.
            now.missing > 2
            ? "<p class=\"more\"><a href=\"/search?missing=1\">\(words.allMissing) (\(now.missing))</a></p>"
            : .nothing
        return """
            <h2>\(words.missing)</h2>
            \(BagTable(showing: showing, bags: now.oldest).html)
            \(more)
            """
    }

    // MARK: Last scans

    private var scans: HTML {
        if now.scans.isEmpty {
            return "<h2>\(words.lastScans)</h2><p class=\"rest\">\(words.noScans)</p>"
        }
        return """
            <h2>\(words.lastScans)</h2>
            <ol class="scans">\(now.scans.map(scan))</ol>
            """
    }

    private func scan(_ scan: HistoryEntry) -> HTML {
        let bag: HTML =
            scan.bag.map { id in
                "\(HTML.bag(id)) \(HTML.given(now.owners[id]) { HTML.owner($0) })"
            } ?? "<span class=\"none\">\(scan.imageName)</span>"
        return """
            <li class="\(scan.outcome.sign.rawValue)">
            \(Thumbnail(scan: scan).html)
            <div><p class="what">\(bag)</p>
            <p class="how">\(HTML.sign(scan.outcome.sign))\(words.outcome(scan.outcome))
            · \(words.point(scan.point)), \(scan.station)</p></div>
            <p class="when">\(HTML.time(scan.scannedAt, .clock))</p>
            </li>
            """
    }
}

/// A small picture of what was scanned; an empty frame if there is none.
struct Thumbnail {
    let scan: HistoryEntry

    var html: HTML {
        guard let digest = scan.imageDigest else { return "<span class=\"thumb\"></span>" }
        return """
            <img class="thumb" src="/thumb/\(digest)" alt="" width="96" height="72" loading="lazy" \
            decoding="async">
            """
    }
}
