/// A text in the largest letters that fit into its box, up to those it asks for.
struct FittedText {
    /// A part of a line; an arrow if it has no text.
    struct Part {
        let text: SetText?
        let extent: SetText.Extent
    }

    /// A line, and where it stands.
    struct Line {
        let parts: [Part]
        let size: Double
        let letter: Double
        let x: Double
        let base: Double
    }

    let lines: [Line]

    /// The length of an arrow, and the space beside it, as shares of the height of a capital letter.
    static let arrow = (length: 1.1, space: 0.45)

    /// The smallest legible height of a capital letter, in millimetres.
    private static let leastLetter = 1.0
    /// The space from a line to the next, as a share of the height of a capital letter.
    private static let leading = 0.45

    /// Fits a text.
    ///
    /// - Throws: ``TagPrintingError`` if its letters would be too small, or no font has them.
    init(_ block: TagPage.TextBlock, _ typesetter: Typesetter, at resolution: Resolution) throws {
        let letter = try typesetter.letterHeight(block.weight)
        let ways = try block.ways.map { way in
            try Setting(way.map { try $0.map { try Part($0, letter, typesetter, block.weight) } })
        }
        let fits = ways.map { (way: $0, size: $0.size(in: block, letter)) }
        guard let best = fits.max(by: { $0.size < $1.size }),
            best.size * letter >= resolution.dots(Self.leastLetter)
        else {
            throw TagPrintingError(
                .paper,
                "the letters would be too small to read on this paper",
                remedy: .largerPaper
            )
        }
        lines = best.way.placed(in: block, size: best.size, letter)
    }

    /// Parts in lines, at a size of 1.
    private struct Setting {
        let lines: [[Part]]

        init(_ lines: [[Part]]) throws { self.lines = lines }

        private func left(_ line: [Part]) -> Double { line.first?.extent.left ?? 0 }

        /// From the leftmost ink to the rightmost.
        private func width(_ line: [Part]) -> Double {
            guard let last = line.last else { return 0 }
            let before = line.dropLast().reduce(0) { $0 + $1.extent.advance }
            return before + last.extent.right - left(line)
        }

        private func rise(_ letter: Double) -> Double {
            lines[0].reduce(letter) { max($0, $1.extent.rise) }
        }

        private var fall: Double { lines[lines.count - 1].reduce(0) { max($0, $1.extent.fall) } }

        /// From a baseline to the next.
        private func step(_ letter: Double) -> Double {
            zip(lines, lines.dropFirst()).reduce((1 + FittedText.leading) * letter) { step, pair in
                let fall = pair.0.reduce(0) { max($0, $1.extent.fall) }
                let rise = pair.1.reduce(0) { max($0, $1.extent.rise) }
                return max(step, 1.05 * (fall + rise))
            }
        }

        /// The largest size that fits.
        func size(in block: TagPage.TextBlock, _ letter: Double) -> Double {
            let height = rise(letter) + Double(lines.count - 1) * step(letter) + fall
            let width = lines.reduce(0) { max($0, self.width($1)) }
            return min(block.letter / letter, block.box.width / width, block.box.height / height)
        }

        func placed(
            in block: TagPage.TextBlock,
            size: Double,
            _ letter: Double
        ) -> [Line] {
            let box = block.box
            let step = step(letter)
            let height = rise(letter) + Double(lines.count - 1) * step
            // Descenders hang below, unless there is no room for them.
            let free = box.height - size * height
            let below = max(free / 2, min(size * fall, free))
            var base = box.y + box.height - below - size * Double(lines.count - 1) * step
            return lines.map { line in
                defer { base += size * step }
                let free = box.width - size * width(line)
                let share =
                    switch block.alignment {
                    case .left: 0.0
                    case .centre: 0.5
                    case .right: 1.0
                    }
                return Line(
                    parts: line,
                    size: size,
                    letter: size * letter,
                    x: box.x + share * free - size * left(line),
                    base: base
                )
            }
        }
    }
}

extension FittedText.Part {
    fileprivate init(
        _ part: TagPage.TextBlock.Part,
        _ letter: Double,
        _ typesetter: Typesetter,
        _ weight: Typesetter.Weight
    ) throws {
        switch part {
        case .text(let text):
            let set = try typesetter.set(text, weight)
            self.init(text: set, extent: set.extent)
        case .arrow:
            let (length, space) = FittedText.arrow
            let extent = SetText.Extent(
                advance: (length + 2 * space) * letter,
                left: space * letter,
                right: (length + space) * letter,
                rise: letter,
                fall: 0
            )
            self.init(text: nil, extent: extent)
        }
    }
}

extension TagPage.TextBlock {
    /// The ways to put it into lines: a text is broken at its spaces, a route before its arrow.
    fileprivate var ways: [[[Part]]] {
        var ways = [[parts]]
        guard mostLines > 1 else { return ways }
        if let arrow = parts.firstIndex(of: .arrow), arrow > 0 {
            ways.append([Array(parts[..<arrow]), Array(parts[arrow...])])
        } else if parts.count == 1, case .text(let text) = parts[0] {
            let words = text.split(separator: " ")
            for count in 2...mostLines where count <= words.count {
                ways.append(Self.lines(of: words, count).map { [.text($0)] })
            }
        }
        return ways
    }

    /// Words in lines of about the same length.
    private static func lines(of words: [Substring], _ count: Int) -> [String] {
        var rest = words[...]
        return (0..<count).map { line in
            let lines = count - line
            let share = rest.reduce(-1) { $0 + $1.count + 1 } / lines
            var taken = 0
            var length = -1
            // Each of the lines that follow gets a word at least.
            while taken < rest.count - (lines - 1) {
                let next = length + 1 + rest[rest.startIndex + taken].count
                if taken > 0 && lines > 1 && next - share > share - length { break }
                length = next
                taken += 1
            }
            defer { rest = rest.dropFirst(taken) }
            return rest.prefix(taken).joined(separator: " ")
        }
    }
}
