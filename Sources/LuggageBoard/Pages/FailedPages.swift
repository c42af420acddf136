internal import LuggageService

/// The pictures that could not be read.
struct FailedListPage {
    let showing: Showing
    let pictures: [FailedPicture]
    /// How many follow them.
    let more: Int
    var notice: Notice?

    /// How many are on one page.
    static let most = 48

    private var words: Words { showing.words }

    var sections: [Page.Section] { [Page.Section(id: "failed", html: html)] }

    private var html: HTML {
        let list: HTML =
            pictures.isEmpty
            ? "<p class=\"rest\">\(HTML.sign(.good))\(words.noFailed)</p>"
            : "<p>\(words.failedHint)</p><ul class=\"pictures\">\(pictures.map(picture))</ul>\(next)"
        return "<h1>\(words.failed)</h1>\(HTML.given(notice) { $0.html })\(list)"
    }

    private var next: HTML {
        guard more > 0, let last = pictures.last else { return .nothing }
        return """
            <p class="more"><a href="/failed?after=\(PictureKey(last).text)">\(words.more(more))</a></p>
            """
    }

    private func picture(_ picture: FailedPicture) -> HTML {
        let key = PictureKey(picture).text
        let place: HTML = .given(picture.note) {
            "\(words.point($0.point)), \($0.station) · \(HTML.time($0.failedAt))"
        }
        return """
            <li><a href="/failed/\(key)"><img class="thumb" src="/failed/\(key)/thumb" alt="" width="192" \
            height="144" loading="lazy"><strong>\(picture.displayName)</strong></a>
            <span>\(HTML.given(picture.note) { "\(words.sentence($0))" })</span><small>\(place)</small></li>
            """
    }
}

/// One of them, large enough to be read by eye, with the form to type what it says.
struct FailedPicturePage {
    let showing: Showing
    let seal: HTML
    let picture: FailedPicture
    /// Whether its viewer may file.
    let mayFile: Bool
    var typed: [String: String] = [:]
    var notice: Notice?

    private var words: Words { showing.words }

    var sections: [Page.Section] {
        var sections = [Page.Section(id: "picture", html: head, isLive: false)]
        if mayFile { sections.append(Page.Section(id: "type", html: form, isLive: false)) }
        return sections
    }

    private var head: HTML {
        let key = PictureKey(picture).text
        let note: HTML = .given(picture.note) { note in
            """
            <dl class="facts">
            <div><dt>\(words.noteSays)</dt><dd>\(words.sentence(note))</dd></div>
            <div><dt>\(words.place)</dt><dd>\(words.point(note.point)), \(note.station)</dd></div>
            <div><dt>\(words.when)</dt><dd>\(HTML.time(note.failedAt))\
            \(HTML.when(note.attempts > 0, ", \(words.tries(note.attempts))"))</dd></div>
            </dl>
            """
        }
        return """
            <h1>\(picture.displayName)</h1>\(HTML.given(notice) { $0.html })
            <img class="look" src="/failed/\(key)/picture" alt="\(words.picture) \(picture.displayName)">
            \(note)
            """
    }

    private var form: HTML {
        let key = PictureKey(picture).text
        return """
            <h2 id="type-in">\(words.typeIn)</h2>
            <form method="post" action="/failed/\(key)" class="fields" aria-labelledby="type-in">\(seal)
            \(HTML.field("identifier", words.identifier, typed["identifier"],
                attributes: "required autocapitalize=\"characters\" class=\"id\""))
            <p class="hint">\(words.wholeIdentifier)</p>
            \(HTML.field("owner", words.newOwner, typed["owner"], attributes: "autocapitalize=\"characters\""))
            \(HTML.field("weight", words.newWeight, typed["weight"]))
            \(HTML.field("reason", words.reason, typed["reason"] ?? picture.note.map { words.sentence($0).prefixText },
                attributes: "required maxlength=\"400\""))
            <p><button>\(words.typeIn)</button></p>
            </form>
            <h2 id="close-it">\(words.closeIt)</h2>
            <form method="post" action="/failed/\(key)/close" class="fields" aria-labelledby="close-it">\(seal)
            \(HTML.field("reason", words.reason, nil, attributes: "required maxlength=\"400\""))
            <p><button class="plain">\(words.nothingToFile)</button></p>
            </form>
            """
    }
}

extension String {
    /// As much of the text as a reason may have.
    fileprivate var prefixText: String { String(onlyLine.prefix(200)) }
    private var onlyLine: String { String(prefix { !$0.isNewline }) }
}

/// What stands in an address for a failed picture: its name, whatever bytes that has, in hexadecimal.
struct PictureKey: Hashable {
    let name: [UInt8]

    init(_ picture: FailedPicture) { name = picture.name }

    /// Reads a part of an address; nil if it names no picture.
    init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2), (2...510).contains(digits.count) else { return nil }
        var name: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
            guard let byte = UInt8(pair, radix: 16), byte != 0, byte != UInt8(ascii: "/") else {
                return nil
            }
            name.append(byte)
        }
        self.name = name
    }

    var text: String { name.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
