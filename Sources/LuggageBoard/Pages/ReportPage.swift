internal import FoundationEssentials
internal import LuggageTags

/// What happened in a shift, for the next one and for paper.
struct ReportPage {
    let showing: Showing
    let period: Period
    let summary: RecordSummary?
    /// The address of the whole report, if it takes a while.
    let rest: String?
    var notice: Notice?

    private var words: Words { showing.words }

    var sections: [Page.Section] {
        [
            Page.Section(id: "period", html: form, isLive: false),
            Page.Section(id: "report", html: report),
        ]
    }

    private var form: HTML {
        """
        <h1>\(words.shiftReport)</h1>
        \(HTML.given(notice) { $0.html })
        <form method="get" action="/report" class="search unprinted">
        \(field("since", words.from, period.since))\(field("until", words.until, period.until))
        <button>\(words.show)</button>
        <button type="button" class="plain scripted" data-print>\(words.print)</button>
        </form>
        """
    }

    private func field(_ name: StaticString, _ label: String, _ date: Date?) -> HTML {
        let value = date.map { String($0.local.prefix(16)).replacing(" ", with: "T") }
        return """
            <label>\(label)<input type="datetime-local" name="\(HTML(stringLiteral: name))" \
            value="\(value ?? "")"></label>
            """
    }

    private var report: HTML {
        guard let summary else { return .given(rest) { .waiting(words.isCounted, $0) } }
        let none: HTML =
            summary.places.isEmpty ? "<p class=\"rest\">\(words.noScansThen)</p>" : table(summary)
        let reasons: HTML =
            summary.failures.isEmpty
            ? .nothing
            : """
            <h2>\(words.reasons)</h2>
            <table class="narrow"><tbody>\(summary.failures.map(reason))</tbody></table>
            """
        let rest = summary.missing - summary.oldestMissing.count
        let missing: HTML =
            summary.oldestMissing.isEmpty
            ? "<p class=\"rest\">\(HTML.sign(.good))\(words.nothingMissing)</p>"
            : "\(BagTable(showing: showing, bags: summary.oldestMissing).html)"
        return """
            <p class="made">\(words.from) \(HTML.given(period.since) { HTML.time($0) }) \
            \(words.until.lowercased()) \(HTML.given(period.until) { HTML.time($0) }).
            \(words.madeAt(showing.date.local))</p>
            \(none)\(reasons)
            <h2>\(words.stillMissing): \(words.bags(summary.missing))</h2>\(missing)
            \(HTML.when(rest > 0, "<p class=\"more\">\(words.more(rest))</p>"))
            """
    }

    private func table(_ summary: RecordSummary) -> HTML {
        """
        <table><thead><tr><th scope="col">\(words.station)</th><th scope="col">\(words.place)</th>
        <th scope="col" class="number">\(words.scans)</th><th scope="col" class="number">\(words.typed)</th>
        <th scope="col" class="number">\(words.notRead)</th>
        <th scope="col" class="number">\(words.readRate)</th></tr></thead>
        <tbody>\(summary.places.map(place))</tbody>
        <tfoot><tr><th scope="row" colspan="2">\(words.total)</th>
        <td class="number" data-name="\(words.scans)">\(summary.scans)</td>
        <td class="number" data-name="\(words.typed)">\(summary.typed)</td>
        <td class="number" data-name="\(words.notRead)">\(summary.scans - summary.filed)</td>
        <td class="number" data-name="\(words.readRate)">\
        \((summary.filed - summary.typed).percentage(of: summary.scans - summary.typed))</td></tr></tfoot>
        </table>
        """
    }

    private func place(_ place: RecordSummary.Place) -> HTML {
        let read = place.filed - place.typed
        return """
            <tr><th scope="row"><bdi>\(place.station)</bdi></th>
            <td data-name="\(words.place)">\(words.point(place.point))</td>
            <td class="number" data-name="\(words.scans)">\(place.scans)</td>
            <td class="number" data-name="\(words.typed)">\(place.typed)</td>
            <td class="number" data-name="\(words.notRead)">\(place.failed)</td>
            <td class="number" data-name="\(words.readRate)">\
            \(read.percentage(of: place.scans - place.typed))</td></tr>
            """
    }

    private func reason(_ failures: RecordSummary.Failures) -> HTML {
        // Words before codes; the code is what one looks for in the guide and in the log.
        let name: HTML =
            words.meaning(of: failures.reason).map { "\($0) <small>\(failures.reason)</small>" }
            ?? "\(failures.reason)"
        return """
            <tr><th scope="row">\(name)</th><td class="number">\(failures.count)</td></tr>
            """
    }
}
