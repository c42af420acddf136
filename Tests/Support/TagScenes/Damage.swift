internal import Foundation
internal import SeededRandom
internal import TagDrawing

/// What happened to a tag since it was printed; lengths are shares of the symbol's side.
enum Damage {
    /// Thin lines that took the ink, or the white, off.
    case scratches(count: Int, weight: Double)
    /// Specks and smears of dirt.
    case dirt(count: Int, size: Double)
    /// A fold across the symbol that broke the print.
    case crease(weight: Double)
    /// A sticker or a stamp over a part of the symbol.
    case sticker(size: Double)
    /// A corner of the symbol that is missing.
    case torn(size: Double)
    /// A stroke of a pen.
    case pen(weight: Double)

    /// Draws what can be drawn on the tag.
    func draw(
        on canvas: borrowing Canvas,
        symbol box: Rectangle,
        ink: TagInk,
        using generator: inout SeededGenerator
    ) {
        let side = box.width
        switch self {
        case .scratches(let count, let weight):
            for _ in 0..<count {
                let start = Self.place(box, &generator)
                let end = Self.place(box, &generator)
                let isLight = generator.unit() < 0.75
                canvas.stroke(
                    [StrokePath(corners: [.sharp(start), .sharp(end)])],
                    weight: weight * side * generator.number(in: 0.5...1.3),
                    colour: isLight ? ink.paper : Colour(grey: 0x50)
                )
            }
        case .dirt(let count, let size):
            for _ in 0..<count { Self.blot(canvas, box, size * side, &generator) }
        case .crease(let weight):
            let (start, end) = Self.acrossLine(box, &generator)
            let path = StrokePath(corners: [.sharp(start), .sharp(end)])
            canvas.stroke([path], weight: weight * side, colour: Colour(grey: 0xD8))
            canvas.stroke([path], weight: 0.3 * weight * side, colour: Colour(grey: 0x70))
        case .sticker(let size):
            let place = Self.coveredCorner(box, size * side, &generator)
            let colours = [
                Colour(red: 0xE0, green: 0xC0, blue: 0x30), Colour(grey: 0xF0),
                Colour(red: 0x30, green: 0x60, blue: 0xB0), Colour(grey: 0x20),
            ]
            let colour = colours[generator.number(below: colours.count)]
            let patch = Rectangle(
                x: place.x,
                y: place.y,
                width: size * side,
                height: size * side * generator.number(in: 0.6...1)
            )
            canvas.fill(patch, radius: 0.02 * side, colour: colour)
        case .pen(let weight):
            let corners = (0..<5).map { _ in
                StrokePath.Corner.round(Self.place(box, &generator))
            }
            let path = StrokePath(corners: corners, radius: 0.2 * side)
            let blue = Colour(red: 0x20, green: 0x28, blue: 0x80)
            canvas.stroke([path], weight: weight * side, colour: blue)
        case .torn:
            break
        }
    }

    /// Takes off what is torn off.
    func tear(_ artwork: inout TagArtwork, using generator: inout SeededGenerator) {
        guard case .torn(let size) = self, let symbol = artwork.symbol else { return }
        // Only the corner without a finder pattern can be missing from a readable symbol.
        let reach = size * symbol.side
        var jag = 0.0
        let far = symbol.x + symbol.y + 2 * symbol.side - reach
        for row in 0..<artwork.image.height {
            jag = min(max(jag + generator.number(in: -0.3...0.3), -1), 1)
            for column in 0..<artwork.image.width {
                let way = Double(column + row) / artwork.scale + jag - far
                if way > 0 {
                    artwork.image[column, row] = .zero
                } else if way > -0.7 {
                    artwork.image[column, row] = SIMD4(0.8, 0.8, 0.78, 1)
                }
            }
        }
    }

    private static func blot(
        _ canvas: borrowing Canvas,
        _ box: Rectangle,
        _ size: Double,
        _ generator: inout SeededGenerator
    ) {
        let tones: [UInt8] = [0x30, 0x58, 0x80, 0xB0]
        let tone = tones[generator.number(below: tones.count)]
        let colour = Colour(
            red: tone,
            green: tone - tone / 8,
            blue: tone - tone / 4,
            alpha: UInt8(150 + generator.number(below: 106))
        )
        var place = Self.place(box, &generator)
        let parts = 1 + generator.number(below: 4)
        for _ in 0..<parts {
            let weight = size * generator.number(in: 0.4...1)
            let next = Point(
                place.x + size * generator.number(in: -0.7...0.7),
                place.y + size * generator.number(in: -0.7...0.7)
            )
            let path = StrokePath(corners: [.sharp(place), .sharp(next)])
            canvas.stroke([path], weight: weight, colour: colour)
            place = next
        }
    }

    private static func place(_ box: Rectangle, _ generator: inout SeededGenerator) -> Point {
        Point(
            box.x + box.width * generator.number(in: -0.05...1.05),
            box.y + box.height * generator.number(in: -0.05...1.05)
        )
    }

    private static func acrossLine(
        _ box: Rectangle,
        _ generator: inout SeededGenerator
    ) -> (Point, Point) {
        let (first, second) = (generator.number(in: 0.2...0.9), generator.number(in: 0.2...0.9))
        let isUpright = generator.unit() < 0.5
        func place(_ along: Double, _ across: Double) -> Point {
            isUpright
                ? Point(box.x + across * box.width, box.y + along * box.height)
                : Point(box.x + along * box.width, box.y + across * box.height)
        }
        return (place(-0.3, first), place(1.3, second))
    }

    /// A place for a patch that hides no finder pattern whole.
    private static func coveredCorner(
        _ box: Rectangle,
        _ size: Double,
        _ generator: inout SeededGenerator
    ) -> Point {
        let low = 0.28 * box.width
        let high = max(box.width * 1.05 - size, low)
        return Point(
            box.x + generator.number(in: low...high),
            box.y + generator.number(in: low...high)
        )
    }
}
