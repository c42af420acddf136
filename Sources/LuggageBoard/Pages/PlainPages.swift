internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore

/// A page that says one thing, such as why something was refused.
struct PlainPage {
    var heading: String
    var sentence: String
    var words: Words
    /// Whether there is a way back.
    var leadsBack = true

    var page: Page {
        let back: HTML = .when(
            leadsBack,
            "<p><a class=\"button\" href=\"/\">\(words.backToNow)</a></p>"
        )
        let html: HTML = "<h1>\(heading)</h1><p>\(sentence)</p>\(back)"
        return Page(
            title: heading,
            sections: [Page.Section(id: "plain", html: html, isLive: false)]
        )
    }
}

/// What changes are about: a bag, or an alarm that is about none.
struct Subject {
    enum Kind: String { case bag, alarm }

    let kind: Kind
    let id: UUID

    /// The path of its page.
    var path: String { "/\(kind.rawValue)/\(id.uuidString)" }
}

/// The changes of a bag, or the note of an alarm, that can be taken back, those made last first.
struct ChangesPage {
    let showing: Showing
    let seal: HTML
    let subject: Subject
    let changes: [RecordChange]
    var notice: Notice?

    private var words: Words { showing.words }

    var sections: [Page.Section] { [Page.Section(id: "changes", html: html, isLive: false)] }

    private var html: HTML {
        let list: HTML =
            changes.isEmpty
            ? "<p class=\"rest\">\(words.noMatch)</p>"
            : "<ul class=\"changes\">\(changes.map(change))</ul>"
        return """
            <h1>\(words.takeBack): <span class="bag">\(subject.id.bagName)</span></h1>
            \(HTML.given(notice) { $0.html })\(list)
            <p><a class="button plain" href="\(subject.path)">\(words.subject(subject.kind)) \
            \(subject.id.bagName)</a></p>
            """
    }

    private func change(_ change: RecordChange) -> HTML {
        let place: HTML = .given(change.point) { "\(words.point($0)), \(change.station ?? "")" }
        let what: HTML =
            switch change.kind {
            case .edit: "\(words.correction(.edit))"
            case .file: "\(words.correction(.file))"
            case .note: "\(words.correction(.note)): \(change.alarm.map(words.alarm) ?? "")"
            default: "\(words.scanned): \(place)"
            }
        return """
            <li><p id="change-\(Int(change.number))">\(HTML.time(change.date)) · <bdi>\(change.author)</bdi> · \(what)\
            \(change.details.map(detail)) <bdi>\(change.reason ?? "")</bdi></p>
            <form method="post" action="\(subject.path)/changes" class="inline" \
            aria-labelledby="change-\(Int(change.number))">\(seal)
            <input type="hidden" name="change" value="\(Int(change.number))">
            \(HTML.field("reason", words.reason, nil, attributes: "required maxlength=\"400\""))
            <button class="plain">\(words.takeBack)</button></form></li>
            """
    }

    private func detail(_ detail: RecordChange.Detail) -> HTML {
        " \(value(detail.before)) → \(value(detail.after))"
    }

    private func value(_ value: RecordChange.Value?) -> HTML {
        switch value {
        case .weight(let pounds): showing.weight(pounds)
        case .time(let date): HTML.time(date)
        case .owner(let name): "<bdi>\(name)</bdi>"
        case nil: .none
        }
    }
}
