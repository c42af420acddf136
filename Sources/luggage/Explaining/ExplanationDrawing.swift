internal import LuggageTags
internal import TagReading

/// Draws on a picture what the reader looked at, with a legend below.
struct ExplanationDrawing {
    private let reading: Reading
    private let explanation: ReadingExplanation
    private let places: [ExplainedPlace]
    /// How many pixels of the drawing, across and down, each pixel of the shown picture takes.
    private let times: Int

    // The most places with a number: more numbers would overlap. Further places that were read are only
    // outlined, the others only counted.
    private static let mostPlaces = 12
    private static let letterSize = 2
    private static let margin = 12
    private static let lineHeight = (LegendLetters.height + 4) * letterSize
    /// The least width, for the legend; small pictures are enlarged to about this width.
    private static let leastWidth = 800

    init(_ reading: Reading, _ explanation: ReadingExplanation) {
        self.reading = reading
        self.explanation = explanation
        places = ExplainedPlace.all(explanation, reading)
        let side = max(explanation.picture.width, explanation.picture.height, 1)
        times = max(1, Self.leastWidth / side)
    }

    /// The drawing as a PNG file; nil if there is no memory for it.
    func png() -> [UInt8]? {
        let shown = explanation.picture
        let width = max(shown.width * times, Self.leastWidth)
        let columns = (width - 2 * Self.margin) / MarkedPicture.advance(Self.letterSize)
        let legend = legend().flatMap { entry in
            Self.wrapped(entry.text.uppercased(), columns).map { (text: $0, ink: entry.ink) }
        }
        let top = shown.height * times
        var picture = MarkedPicture(
            width: width,
            height: top + legend.count * Self.lineHeight + 2 * Self.margin,
            ground: .black
        )
        picture.place(shown.luminance, columns: shown.width, times: times)
        for finder in explanation.finders { mark(finder, in: &picture) }
        for place in places.dropFirst(Self.mostPlaces) where place.kind == .read {
            outline(place, in: &picture)
        }
        // The most informative places come last, on top of the others.
        for (index, place) in places.prefix(Self.mostPlaces).enumerated().reversed() {
            mark(place, number: index + 1, in: &picture)
        }
        // Clears what reaches below the picture, for the legend.
        picture.fill(x: 0, y: top, width: width, height: picture.height - top, .black)
        for (index, line) in legend.enumerated() {
            let y = top + Self.margin + index * Self.lineHeight
            picture.write(line.text, x: Self.margin, y: y, size: Self.letterSize, line.ink)
        }
        return PNGFile.coloured(
            width: picture.width,
            height: picture.height,
            palette: MarkedPicture.palette,
            pixels: picture.pixels
        )
    }

    /// The position in the drawing of a point of the whole picture.
    private func position(_ point: PixelPoint) -> (x: Double, y: Double) {
        let scale = Double(times) / Double(explanation.picture.step)
        return (Double(point.x) * scale, Double(point.y) * scale)
    }

    private func mark(_ finder: ReadingExplanation.Finder, in picture: inout MarkedPicture) {
        let centre = position(finder.centre)
        let scale = Double(times) / Double(explanation.picture.step)
        let reach = min(max(finder.module * 2 * scale, 4), 40)
        for (dx, dy) in [(reach, 0), (0, reach)] {
            picture.line(
                (centre.x - dx, centre.y - dy),
                (centre.x + dx, centre.y + dy),
                thickness: 2,
                .blue
            )
        }
    }

    private func outline(_ place: ExplainedPlace, in picture: inout MarkedPicture) {
        let corners = place.outline.map(position)
        for (index, corner) in corners.enumerated() {
            let next = corners[(index + 1) % corners.count]
            picture.line(corner, next, thickness: 3, place.ink)
        }
    }

    private func mark(_ place: ExplainedPlace, number: Int, in picture: inout MarkedPicture) {
        outline(place, in: &picture)
        let corners = place.outline.map(position)
        // The number goes in the middle, or as near to it as the picture allows.
        let text = String(number)
        let size = 3
        let (width, height) = (
            text.count * MarkedPicture.advance(size) + size, (LegendLetters.height + 2) * size
        )
        let count = Double(max(corners.count, 1))
        let middle = (
            x: corners.reduce(0) { $0 + $1.x } / count, y: corners.reduce(0) { $0 + $1.y } / count
        )
        let x = Int(min(max(middle.x, 0), Double(picture.width - width))) - width / 2
        let y = Int(min(max(middle.y, 0), Double(picture.height))) - height / 2
        picture.fill(x: max(x, 0), y: max(y, 0), width: width, height: height, .black)
        picture.write(
            text,
            x: max(x, 0) + size,
            y: max(y, 0) + size,
            size: size,
            place.ink
        )
    }
}

extension ExplanationDrawing {
    /// The legend below the picture.
    func legend() -> [(text: String, ink: MarkedPicture.Ink)] {
        let count = reading.symbols.count
        var entries: [(text: String, ink: MarkedPicture.Ink)] = [
            (
                "\(reading.width) x \(reading.height) pixels: "
                    + (count == 0 ? "no code read." : "\(count.counted("code")) read."),
                .white
            )
        ]
        entries.append((finderWords, .blue))
        for (index, place) in places.prefix(Self.mostPlaces).enumerated() {
            entries.append(("\(index + 1): \(place.words)", place.ink))
        }
        let rest = places.dropFirst(Self.mostPlaces)
        let read = rest.count { $0.kind == .read }
        if read > 0 {
            entries.append(("and \(read.counted("more code")) read, outlined alike.", .green))
        }
        if rest.count > read {
            let others = (rest.count - read).counted("more place")
            entries.append(("and \(others) that gave nothing.", .pale))
        }
        if places.contains(where: { $0.kind != .read }) {
            entries.append(
                ("known modules are the same in every code; half are right by chance.", .pale)
            )
        }
        if count == 0 && explanation.plainScans > 0 {
            entries.append(("the picture as it is gave nothing either.", .pale))
        }
        return entries
    }

    /// What the finder patterns alone show.
    private var finderWords: String {
        let count = explanation.finders.count
        if count == 0 && reading.symbols.isEmpty {
            return
                "nothing looks like the squares in the corners of codes: there is no code, or it is "
                + "too blurred, too small or too faint."
        }
        let seen = "crosses: \(count.counted("square")) seen like those in the corners of codes"
        if !places.isEmpty { return seen + "." }
        let nearer = explanation.isSmall ? " they are too small: go nearer." : ""
        return explanation.candidates.isEmpty
            ? seen + ", but none that belong together." + nearer
            : seen + ", but nothing between them looks like a code; it may be too blurred." + nearer
    }

    /// Breaks a text at spaces.
    private static func wrapped(_ text: String, _ columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty && line.count + 1 + word.count > columns {
                lines.append(line)
                // Indents further lines of an entry.
                line = "  "
            }
            line += line.isEmpty || line == "  " ? String(word) : " " + word
        }
        return lines + [line]
    }
}

extension ExplainedPlace {
    fileprivate var ink: MarkedPicture.Ink {
        switch kind {
        case .read: .green
        case .unread: .red
        case .other: .orange
        }
    }
}
