internal import Foundation
internal import TagScenes

/// A page that shows by picture what each reader has read and what not.
///
/// It is one file without a script, and whatever comes from pictures and readers is escaped.
struct ScorePage {
    private let report: ScoreReport
    private let pictures: [SceneTruth]
    private let set: PictureSet

    /// Pixels along the longer side of a small picture.
    private static let side = 168

    /// Prepares a page.
    ///
    /// - Parameters:
    ///   - report: What the readers did; the page is about the first of them.
    ///   - pictures: The pictures, in the order of the report.
    ///   - set: Where they are.
    init(_ report: ScoreReport, of pictures: [SceneTruth], in set: PictureSet) {
        self.report = report
        self.pictures = pictures
        self.set = set
    }

    /// What one may want to see of the pictures.
    private enum Choice: String, CaseIterable {
        case all, unread, beaten, alone, wrong

        func title(_ reader: String) -> String {
            switch self {
            case .all: "all"
            case .unread: "unread by \(reader)"
            case .beaten: "read by another and not by \(reader)"
            case .alone: "read by \(reader) alone"
            case .wrong: "wrong answers"
            }
        }
    }

    /// The page.
    ///
    /// - Parameter url: Where it will be, from where it links to the pictures.
    /// - Returns: HTML.
    func html(at url: URL) -> String {
        let first = report.readers.first?.reader ?? ""
        let cards = pictures.indices.map { (picture: pictures[$0], scores: scores(of: $0)) }
        let choices = Choice.allCases.map { choice in
            let count = cards.count { Self.choices(of: $0.scores).contains(choice) }
            let isChecked = choice == .all ? " checked" : ""
            return """
                <input type="radio" name="show" id="\(choice.rawValue)"\(isChecked)>\
                <label for="\(choice.rawValue)">\(choice.title(first).escaped) (\(count))</label>
                """
        }
        let sections = report.order.map { category in
            let own = cards.filter { $0.picture.category == category }
                .sorted { ($0.picture.severity ?? 0) < ($1.picture.severity ?? 0) }
                .map { card($0.picture, $0.scores, from: url) }
            return """
                <section><h2>\(category.escaped)</h2>
                <div class="cards">
                \(own.joined(separator: "\n"))
                </div></section>
                """
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width">
            <title>What \(first.escaped) reads</title>
            <style>\(Self.style)</style></head><body>
            <h1>What <bdi>\(first.escaped)</bdi> reads</h1>
            \(table)
            <p>Show:</p>
            \(choices.joined(separator: "\n"))
            <main>
            \(sections.joined(separator: "\n"))
            </main></body></html>

            """
    }

    private func scores(of index: Int) -> [PictureScore] {
        report.readers.map { $0.pictures[index] }
    }

    private static func choices(of scores: [PictureScore]) -> [Choice] {
        guard let first = scores.first else { return [] }
        let others = scores.dropFirst()
        return Choice.allCases.filter { choice in
            switch choice {
            case .all: true
            case .unread: !first.isRead
            case .beaten: !first.isRead && others.contains { $0.isRead || $0.found > first.found }
            case .alone: first.isRead && !others.contains(where: \.isRead)
            case .wrong: scores.contains { !$0.wrong.isEmpty }
            }
        }
    }

    /// A picture, and what each reader made of it.
    private func card(_ picture: SceneTruth, _ scores: [PictureScore], from page: URL) -> String {
        let classes = Self.choices(of: scores).map(\.rawValue).joined(separator: " ")
        let path = set.path(of: picture)
        let image =
            Thumbnail(of: path, side: Self.side).map { small in
                let data = Data(small.bytes).base64EncodedString()
                return """
                    <img loading="lazy" alt="" width="\(small.width)" height="\(small.height)" \
                    src="data:image/jpeg;base64,\(data)">
                    """
            } ?? "<span class=\"none\">no small picture</span>"
        let marks = zip(report.readers, scores).map { reader, score in
            let mark = Mark(score)
            return
                "<li class=\"\(mark.kind)\">\(mark.text) <bdi>\(reader.reader.escaped)</bdi></li>"
        }
        let wrong = zip(report.readers, scores).flatMap { reader, score in
            score.wrong.map { base64 in
                "<p><bdi>\(reader.reader.escaped)</bdi> read <bdi>\(Self.words(base64))</bdi></p>"
            }
        }
        let severity = picture.severity.map { String(format: " · %.2f", $0) } ?? ""
        return """
            <figure class="\(classes)"><a href="\(Self.link(to: path, from: page))">\(image)</a>
            <figcaption><bdi>\(picture.file.escaped)</bdi>\(severity)
            <ul>\(marks.joined())</ul>\(wrong.joined())</figcaption></figure>
            """
    }

    /// What became of a picture, in a sign and words.
    private struct Mark {
        let kind: String
        let text: String

        init(_ score: PictureScore) {
            if !score.wrong.isEmpty {
                (kind, text) = ("bad", "✗ \(score.wrong.count) wrong,")
            } else if score.isRead {
                (kind, text) = ("good", "✓")
            } else if let signal = score.signal {
                (kind, text) = ("bad", "✗ signal \(signal),")
            } else if score.found > 0 {
                (kind, text) = ("part", "\(score.found) of \(score.expected)")
            } else {
                (kind, text) = ("none", "–")
            }
        }
    }

    /// The beginning of a payload, what is not text in it as escapes.
    private static func words(_ base64: String) -> String {
        let bytes = Data(base64Encoded: base64) ?? Data()
        let text = String(decoding: bytes.prefix(120), as: UTF8.self)
        let shown = text.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control
                ? scalar.escaped(asASCII: true) : "\(scalar)"
        }
        return shown.joined().escaped + (bytes.count > 120 ? "…" : "")
    }

    /// The way from the page to a picture.
    ///
    /// It begins with a dot, so that no name is taken for a scheme.
    static func link(to path: String, from page: URL) -> String {
        let target = URL(filePath: path).standardizedFileURL.pathComponents
        let start = page.standardizedFileURL.deletingLastPathComponent().pathComponents
        let common = zip(target, start).prefix { $0 == $1 }.count
        let steps =
            start.dropFirst(common).map { _ in ".." } + target.dropFirst(common)
        // RFC 3986 leaves only these as they are.
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        )
        let parts = steps.map { $0.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
        return (["."] + parts).joined(separator: "/")
    }

    /// What the readers did by category.
    private var table: String {
        func cell(_ tally: Tally?) -> String {
            guard let tally, tally.pictures > 0 else { return "<td></td>" }
            let share = String(format: "%.1f", 100 * Double(tally.read) / Double(tally.pictures))
            let wrong = tally.wrong > 0 ? " <b>\(tally.wrong) wrong</b>" : ""
            return "<td>\(share)\(wrong)</td>"
        }
        func row(_ title: String, _ tallies: [Tally?]) -> String {
            let count = tallies.first.flatMap { $0?.pictures } ?? 0
            return "<tr><th>\(title.escaped)</th><td>\(count)</td>"
                + tallies.map(cell).joined() + "</tr>"
        }
        let heads = report.readers.map { "<th><bdi>\($0.reader.escaped)</bdi></th>" }
        let rows = report.order.map { category in
            row(category, report.readers.map { $0.categories[category] })
        }
        return """
            <table><caption>Pictures read, in per cent</caption>
            <tr><th></th><th>pictures</th>\(heads.joined())</tr>
            \(rows.joined(separator: "\n"))
            \(row("all with a symbol", report.readers.map(\.overall)))
            </table>
            """
    }

    private static let style = """
        body{font:14px system-ui,sans-serif;margin:1rem}table{border-collapse:collapse;margin:1rem 0}
        td,th{padding:.1rem .6rem;text-align:right;border-bottom:1px solid #ddd}
        th:first-child{text-align:left}b{color:#b00020}label{margin-right:1rem}
        .cards{display:flex;flex-wrap:wrap;gap:.6rem}section{content-visibility:auto}
        figure{margin:0;width:\(side)px;overflow-wrap:anywhere;font-size:12px}
        ul{list-style:none;padding:0;margin:.2rem 0}.none{color:#666}
        .good{color:#0a6b2d}.part{color:#8a5a00}.bad{color:#b00020;font-weight:bold}
        """
        + Choice.allCases.dropFirst().map { choice in
            let id = choice.rawValue
            return """

                #\(id):checked~main figure:not(.\(id)),\
                #\(id):checked~main section:not(:has(.\(id))){display:none}
                """
        }.joined()
}

extension String {
    /// The text in HTML, between tags and in attributes.
    ///
    /// By scalars: a sign with an accent on it is another character, and ends a tag all the same.
    var escaped: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
