/// A grey picture with marks in a few colours.
struct MarkedPicture {
    /// The colours of marks.
    enum Ink: UInt8, CaseIterable {
        // The numbers are indices in the palette, after the greys.
        case black = 240
        case white, green, orange, blue, pale, red

        /// Red, green and blue.
        var colour: [UInt8] {
            switch self {
            case .black: [0, 0, 0]
            case .white: [255, 255, 255]
            case .green: [0, 220, 60]
            case .orange: [255, 140, 0]
            case .blue: [60, 160, 255]
            case .pale: [170, 170, 170]
            case .red: [255, 70, 70]
            }
        }
    }

    let width: Int
    let height: Int
    /// Indices in the palette, row after row.
    private(set) var pixels: [UInt8]

    /// The colours: 240 greys, then the inks.
    static let palette: [UInt8] =
        (0..<240).flatMap { grey in [UInt8](repeating: UInt8(grey * 255 / 239), count: 3) }
        + Ink.allCases.flatMap(\.colour)

    /// Makes an empty picture.
    init(width: Int, height: Int, ground: Ink) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: ground.rawValue, count: width * height)
    }

    /// Copies luminance into the top left corner.
    ///
    /// - Parameters:
    ///   - luminance: One byte a pixel, row after row.
    ///   - columns: The number of pixels in a row.
    ///   - times: How many pixels, across and down, each of them takes.
    mutating func place(_ luminance: [UInt8], columns: Int, times: Int) {
        for (row, line) in luminance.chunks(of: columns).enumerated() {
            for y in row * times..<min((row + 1) * times, height) {
                for x in 0..<min(columns * times, width) {
                    let grey = Int(line[line.startIndex + x / times])
                    pixels[y * width + x] = UInt8(grey * 239 / 255)
                }
            }
        }
    }

    /// Fills the part of a rectangle that is in the picture.
    mutating func fill(x: Int, y: Int, width across: Int, height down: Int, _ ink: Ink) {
        for row in max(y, 0)..<max(min(y + down, height), max(y, 0)) {
            for column in max(x, 0)..<max(min(x + across, width), max(x, 0)) {
                pixels[row * width + column] = ink.rawValue
            }
        }
    }

    /// Draws the part of a line that is in the picture, with a dark edge.
    ///
    /// - Parameters:
    ///   - from: Its beginning, at any finite distance.
    ///   - to: Its end, likewise.
    ///   - thickness: Its thickness in pixels, without the edge.
    ///   - ink: Its colour.
    mutating func line(
        _ from: (x: Double, y: Double),
        _ to: (x: Double, y: Double),
        thickness: Int,
        _ ink: Ink
    ) {
        guard let (from, to) = clipped(from, to) else { return }
        let steps = Int(max(abs(to.x - from.x), abs(to.y - from.y)).rounded(.up)) + 1
        for (size, ink) in [(thickness + 2, Ink.black), (thickness, ink)] {
            for step in 0...steps {
                let part = Double(step) / Double(steps)
                let x = Int((from.x + (to.x - from.x) * part).rounded()) - size / 2
                let y = Int((from.y + (to.y - from.y) * part).rounded()) - size / 2
                fill(x: x, y: y, width: size, height: size, ink)
            }
        }
    }

    /// The part of a line that is in the picture or a little outside; nil if there is none.
    private func clipped(
        _ from: (x: Double, y: Double),
        _ to: (x: Double, y: Double)
    ) -> ((x: Double, y: Double), (x: Double, y: Double))? {
        let margin = 8.0
        var (begin, end) = (0.0, 1.0)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        for (start, change, most) in [(from.x, dx, Double(width)), (from.y, dy, Double(height))] {
            if change == 0 {
                if start < -margin || start > most + margin { return nil }
                continue
            }
            let (one, other) = ((-margin - start) / change, (most + margin - start) / change)
            begin = max(begin, min(one, other))
            end = min(end, max(one, other))
        }
        guard begin <= end else { return nil }
        return (
            (from.x + dx * begin, from.y + dy * begin), (from.x + dx * end, from.y + dy * end)
        )
    }

    /// Writes capital letters and digits on one line.
    ///
    /// - Parameters:
    ///   - text: The line; unknown letters become boxes.
    ///   - x: The left end.
    ///   - y: The top.
    ///   - size: The size of a letter's pixels.
    ///   - ink: The colour.
    mutating func write(_ text: String, x: Int, y: Int, size: Int, _ ink: Ink) {
        for (index, letter) in text.enumerated() {
            let left = x + index * Self.advance(size)
            for (row, bits) in LegendLetters.rows(of: letter).enumerated() {
                for column in 0..<LegendLetters.width
                where bits >> (LegendLetters.width - 1 - column) & 1 == 1 {
                    fill(
                        x: left + column * size,
                        y: y + row * size,
                        width: size,
                        height: size,
                        ink
                    )
                }
            }
        }
    }

    /// The distance from one letter to the next.
    static func advance(_ size: Int) -> Int { (LegendLetters.width + 1) * size }
}

extension [UInt8] {
    /// Splits it into parts of a number of elements; the last part may be shorter.
    fileprivate func chunks(of count: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: self.count, by: Swift.max(count, 1)).map { start in
            self[start..<Swift.min(start + count, self.count)]
        }
    }
}
