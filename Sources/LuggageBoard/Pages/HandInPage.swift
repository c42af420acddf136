internal import FoundationEssentials
internal import LuggageTags

/// Handing in pictures, for example from a telephone.
struct HandInPage {
    let showing: Showing
    let seal: HTML
    let points: [Point]
    /// Where the bags were the last time; nobody is asked where they are by having to notice that it is wrong.
    var chosen: Point?
    var notice: Notice?

    private var words: Words { showing.words }

    var sections: [Page.Section] { [Page.Section(id: "hand-in", html: html, isLive: false)] }

    private var html: HTML {
        // The seal comes first: it is checked before any byte of a picture is kept. Telephones take one picture
        // at a time where a field opens the camera, so there are two fields.
        """
        <h1>\(words.handIn)</h1>\(HTML.given(notice) { $0.html })
        <p>\(words.handInHint)</p>
        <form method="post" action="/hand-in" enctype="multipart/form-data" class="fields hand-in">\(seal)
        <fieldset><legend>\(words.whereAreBags)</legend>\(points.map(choice))</fieldset>
        <label class="choose">\(words.takePicture)
        <input type="file" name="pictures" accept="image/*" capture="environment"></label>
        <label class="choose">\(words.choosePictures)
        <input type="file" name="pictures" accept="image/*" multiple></label>
        <p class="cut notice bad" role="alert" data-text="\(words.lineWasCut)" hidden></p>
        <p><button>\(words.sendPictures)</button> <progress max="100" value="0" aria-label="\(words.sendPictures)" hidden></progress></p>
        </form>
        """
    }

    private func choice(_ point: Point) -> HTML {
        """
        <label class="check"><input type="radio" name="point" value="\(point.rawValue)" required\
        \(chosen == point || points.count == 1 ? " checked" : "")> \(words.point(point))</label>
        """
    }
}

/// A picture that was handed in here.
struct HandedIn: Hashable, Sendable {
    /// The name that it came with.
    var name: String
    /// Its SHA-256, in hexadecimal.
    var digest: String
    /// Where its bags are.
    var point: Point
}

/// What came of pictures that were handed in.
struct HandedInPage {
    let showing: Showing
    /// The pictures, each with what the record says of it by now; empty while it says nothing.
    let pictures: [(picture: HandedIn, scans: [HistoryEntry])]
    let owners: [UUID: PassengerReport]
    /// Whether a service files what is dropped.
    let isFiled: Bool

    private var words: Words { showing.words }

    var sections: [Page.Section] { [Page.Section(id: "handed-in", html: html)] }

    private var html: HTML {
        let isWaiting = pictures.contains { $0.scans.isEmpty }
        let point: HTML = .given(pictures.first) { "?point=\($0.picture.point.rawValue)" }
        let trouble: HTML = .when(
            isWaiting && !isFiled,
            Notice(sentence: words.nobodyFiles, isGood: false).html
        )
        return """
            <h1>\(words.handedIn(pictures.count))</h1>\(trouble)
            <ul class="handed">\(pictures.map(row))</ul>
            <p><a class="button" href="/hand-in\(point)">\(words.handMore)</a></p>
            """
    }

    private func row(_ entry: (picture: HandedIn, scans: [HistoryEntry])) -> HTML {
        let results: [HTML] =
            entry.scans.isEmpty
            ? ["<p class=\"waiting\">\(words.waiting)</p>"] : entry.scans.map(result)
        return """
            <li><img class="thumb" src="/thumb/\(entry.picture.digest)?\(entry.scans.count)" alt="" width="96" \
            height="72"><div><p class="name">\(entry.picture.name)</p>\(results)</div></li>
            """
    }

    private func result(_ scan: HistoryEntry) -> HTML {
        let isFiled = scan.outcome.isFiled
        let bag: HTML = .given(scan.bag) { id in
            "\(HTML.bag(id)) \(HTML.given(owners[id]) { HTML.owner($0) })"
        }
        let reason: HTML = .given(scan.reason) { " (\($0))" }
        let help: HTML = .when(!isFiled, " <a href=\"/failed\">\(words.typeIn)</a>")
        return """
            <p class="\(scan.outcome.sign.rawValue)">\(HTML.sign(scan.outcome.sign))\
            \(words.outcome(scan.outcome))\(reason) \(bag)\(help)</p>
            """
    }
}
