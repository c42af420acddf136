internal import FoundationEssentials
internal import LuggageTags

/// One alarm: what is wrong since when and with which bags, who has taken note of it, and the form to do so.
struct AlarmPage {
    let showing: Showing
    let alarm: Alarm
    /// The bags that have not passed, if it is about a list, but no more than ``most``.
    var awaited: [LuggageReport] = []
    /// The seal of who may take note of it; nil for who may not.
    var seal: HTML?
    /// The reason that was typed before; nil for a new form.
    var typed: String?
    var notice: Notice?

    /// How many bags, or alarms, are listed.
    static let most = 200

    private var words: Words { showing.words }

    var page: Page {
        Page(
            title: words.alarmHeading,
            sections: [Page.Section(id: "alarm", html: html, isLive: false)]
        )
    }

    private var html: HTML {
        """
        <h1>\(HTML.sign(.late))\(words.alarmHeading)</h1>
        \(HTML.given(notice) { $0.html })
        <p>\(words.alarm(alarm))</p>
        <dl class="facts"><div><dt>\(words.since)</dt><dd>\(HTML.time(alarm.since))</dd></div>
        \(HTML.given(alarm.key.bag) { "<div><dt>\(words.bag)</dt><dd>\(HTML.bag($0))</dd></div>" })</dl>
        \(HTML.given(alarm.note, note))\(alarm.note == nil && seal != nil ? form : "<p>\(takingBack)\(back)</p>")
        \(HTML.when(!awaited.isEmpty, bags))
        """
    }

    private var back: HTML { "<a class=\"button plain\" href=\"/\">\(words.backToNow)</a>" }

    /// The way to take the note back, for who may.
    private var takingBack: HTML {
        let subject =
            alarm.key.bag.map { "/bag/\($0.uuidString)" } ?? "/alarm/\(alarm.id.uuidString)"
        return .when(
            alarm.note != nil && seal != nil,
            "<a class=\"button plain\" href=\"\(subject)/changes\">\(words.takeBack) …</a> "
        )
    }

    private var bags: HTML {
        let more = (alarm.count ?? 0) - awaited.count
        return """
            <h2>\(words.notPassed)</h2>\(BagTable(showing: showing, bags: awaited).html)
            \(HTML.when(more > 0, "<p class=\"more\">\(words.more(more))</p>"))
            """
    }

    private func note(_ note: Alarm.Note) -> HTML {
        """
        <p class="notice good" role="status">\(HTML.sign(.good))\(words.isNoted) <bdi>\(note.author)</bdi>, \
        \(HTML.time(note.madeAt))\(HTML.given(note.reason) { ": <bdi>\($0)</bdi>" })</p>
        """
    }

    private var form: HTML {
        .given(seal) {
            """
            <form method="post" action="/alarm/\(alarm.id.uuidString)" class="fields">\($0)
            <p class="hint">\(words.takeNoteHint)</p>
            \(HTML.field("reason", words.reason, typed, attributes: "required maxlength=\"400\""))
            <p><button>\(words.takeNote)</button> \(back)</p>
            </form>
            """
        }
    }
}
