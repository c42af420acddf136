internal import FoundationEssentials
internal import LuggageTags

/// Alarms that nobody has taken note of, each with the way to its page.
struct AlarmList {
    let showing: Showing
    let alarms: [Alarm]
    /// How many are listed.
    let most: Int

    private var words: Words { showing.words }

    /// How many there are besides those that are listed.
    var more: Int { max(0, alarms.count - most) }

    var html: HTML { "<ul class=\"alarms\">\(alarms.prefix(most).map(alarm))</ul>" }

    /// The whole page.
    var page: HTML {
        """
        <h1>\(words.alarms)</h1>
        \(alarms.isEmpty ? "<p class=\"rest\">\(HTML.sign(.good))\(words.noAlarms)</p>" : html)
        \(HTML.when(more > 0, "<p class=\"more\">\(words.more(more))</p>"))
        """
    }

    private func alarm(_ alarm: Alarm) -> HTML {
        """
        <li>\(HTML.sign(.late))<p><a href="/alarm/\(alarm.id.uuidString)">\(words.alarm(alarm))</a></p>
        <p class="when">\(HTML.time(alarm.since))</p></li>
        """
    }
}
