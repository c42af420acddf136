internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore

/// Everything about one bag: its journeys on a line of time, each scan with its picture, and what people
/// have corrected.
struct BagPage {
    let showing: Showing
    let report: CustodyReport
    /// The form with which its viewer may correct it; nil for who may not.
    var form: HTML?

    private var words: Words { showing.words }
    private var bag: LuggageReport { report.luggage }

    var sections: [Page.Section] {
        var sections = [
            Page.Section(id: "bag", html: head),
            Page.Section(id: "journeys", html: "\(journeys)\(expected)"),
            Page.Section(id: "history", html: scans),
        ]
        if !report.corrections.isEmpty {
            sections.append(Page.Section(id: "corrections", html: corrections))
        }
        if let form {
            sections.append(Page.Section(id: "correct", html: form, isLive: false))
        }
        return sections
    }

    // MARK: The bag

    private var head: HTML {
        """
        <h1><span class="bag">\(bag.id.bagName)</span> <small class="id">\(bag.id.uuidString)</small></h1>
        <dl class="facts">
        <div><dt>\(words.owner)</dt><dd>\(HTML.owner(bag.owner))</dd></div>
        <div><dt>\(words.weight)</dt><dd>\(showing.weight(bag.weight))</dd></div>
        <div><dt>\(words.departed)</dt><dd>\(moment(bag.departedAt))</dd></div>
        <div><dt>\(words.arrived)</dt><dd>\(state)</dd></div>
        \(HTML.given(bag.route) { "<div><dt>\(words.route)</dt><dd><bdi>\(words.route($0))</bdi></dd></div>" })
        </dl>
        \(HTML.given(words.misrouted(bag)) {
            "<p class=\"notice bad\">\(HTML.sign(.bad))<strong>\(words.misrouted)</strong>: \($0)</p>"
        })
        """
    }

    private var state: HTML {
        if bag.missing(at: showing.date) != nil, let departed = bag.departedAt {
            let isLate = showing.isLate(bag)
            let word = isLate ? words.overdue : words.isMissing
            return """
                <span class="state \(isLate ? "late" : "news")">\(HTML.sign(isLate ? .late : .news))\(word), \
                \(showing.age(departed))</span>
                """
        }
        return moment(bag.arrivedAt)
    }

    private func moment(_ date: Date?) -> HTML { date.map { HTML.time($0) } ?? .none }

    // MARK: Journeys

    private var journeys: HTML {
        if report.journeys.isEmpty { return .nothing }
        return """
            <h2>\(words.journeys)</h2>
            <ol class="journeys">\(report.journeys.map(journey))</ol>
            """
    }

    private func journey(_ journey: Journey) -> HTML {
        var stops: [HTML] = [
            stop(words.departed, journey.departedAt, isOpen: false)
        ]
        stops += journey.underWay.map { stop(words.point($0.point), $0.date, isOpen: false) }
        stops.append(stop(words.arrived, journey.arrivedAt, isOpen: journey.arrivedAt == nil))
        return "<li><ol class=\"line-of-time\">\(stops)</ol></li>"
    }

    private var expected: HTML {
        if report.expected.isEmpty { return .nothing }
        return """
            <h2>\(words.expected)</h2>
            <ol class="journeys"><li><ol class="line-of-time">\(report.expected.map(passage))</ol></li></ol>
            """
    }

    private func passage(_ passage: ExpectedPassage) -> HTML {
        let place: HTML = .given(passage.place) { ", <bdi>\($0)</bdi>" }
        let isLate = passage.isOverdue(at: showing.date)
        let lack: HTML = isLate ? "\(HTML.sign(.late))\(words.overdue)" : "\(words.notYet)"
        let trip: HTML = .given(passage.route) { " · <bdi>\(words.route($0))</bdi>" }
        return """
            <li class="\(passage.metAt == nil ? "open" : "done")"><span class="dot" aria-hidden="true"></span>\
            <strong>\(words.point(passage.point))\(place)</strong> \
            <span>\(passage.metAt.map { HTML.time($0) } ?? lack)</span>\
            <span class="due">\(words.due) \(HTML.time(passage.due))\(trip)</span></li>
            """
    }

    private func stop(_ name: String, _ date: Date?, isOpen: Bool) -> HTML {
        let when = date.map { HTML.time($0) } ?? (isOpen ? "\(words.notYet)" : "\(words.unknown)")
        return """
            <li class="\(date == nil ? "open" : "done")"><span class="dot" aria-hidden="true"></span>\
            <strong>\(name)</strong> <span>\(when)</span></li>
            """
    }

    // MARK: Scans

    private var scans: HTML {
        """
        <h2>\(words.scans)</h2>
        <ol class="scans large">\(report.scans.reversed().map(scan))</ol>
        """
    }

    private func scan(_ scan: HistoryEntry) -> HTML {
        let isCounted = scan.undoneAt == nil
        var remarks: [HTML] = []
        if scan.isTyped == true { remarks.append(" · \(words.typedByHand)") }
        if !isCounted { remarks.append(" · <em>\(words.takenBack)</em>") }
        if let told = scan.contradiction {
            let owner: HTML = .given(told.owner) { HTML.owner($0) }
            remarks.append(
                " · \(words.tagSays): \(owner) \(HTML.given(told.weight, showing.weight))"
            )
        }
        return """
            <li class="\(isCounted ? "" : "undone")">
            \(picture(scan))
            <div><p class="what">\(words.point(scan.point)), \(scan.station)</p>
            <p class="how">\(HTML.sign(scan.outcome.sign))\(words.outcome(scan.outcome))\(remarks)</p>
            <p class="name">\(scan.isTyped == true ? "" : scan.imageName)</p></div>
            <p class="when">\(HTML.time(scan.scannedAt))</p>
            </li>
            """
    }

    private func picture(_ scan: HistoryEntry) -> HTML {
        let small = Thumbnail(scan: scan).html
        guard let digest = scan.imageDigest else { return small }
        return """
            <a href="/picture/\(digest)" aria-label="\(words.picture) \(scan.imageName)">\(small)</a>
            """
    }

    // MARK: Corrections

    private var corrections: HTML {
        """
        <h2>\(words.corrections)</h2>
        <table><thead><tr><th scope="col">\(words.when)</th><th scope="col">\(words.who)</th>
        <th scope="col">\(words.what)</th><th scope="col">\(words.why)</th></tr></thead>
        <tbody>\(report.corrections.reversed().map(correction))</tbody></table>
        """
    }

    private func correction(_ correction: CorrectionReport) -> HTML {
        let undone: HTML =
            correction.undoneAt == nil ? .nothing : " <em>(\(words.takenBack))</em>"
        return """
            <tr\(HTML.when(correction.undoneAt != nil, " class=\"undone\""))>
            <td data-name="\(words.when)">\(HTML.time(correction.madeAt))</td>
            <td data-name="\(words.who)"><bdi>\(correction.author)</bdi></td>
            <td data-name="\(words.what)">\(words.correction(correction.kind)) \(change(correction))\(undone)</td>
            <td data-name="\(words.why)"><bdi>\(correction.reason ?? "")</bdi></td>
            </tr>
            """
    }

    private func change(_ correction: CorrectionReport) -> HTML {
        let weight: HTML = .given(correction.weight) {
            " \(showing.weight($0.before)) → \(showing.weight($0.after))"
        }
        let owner: HTML = .given(correction.owner) {
            " \(HTML.owner($0.before)) → \(HTML.owner($0.after))"
        }
        return "\(weight)\(owner)"
    }
}
