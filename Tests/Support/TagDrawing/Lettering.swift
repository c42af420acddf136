internal import Foundation

/// Letters drawn as lines, so that a tag looks the same on every machine, with fonts or without.
///
/// A letter is a text of strokes, separated by `|`; a stroke is a list of points of two
/// hexadecimal digits, column and row, on a grid whose row 0 is the top of a capital letter and
/// row 10 the line it stands on. A `~` rounds the corner at that point.
package enum Lettering {
    /// Rows between the top of a capital letter and the line it stands on.
    private static let capitalRows = 10.0
    /// Columns between two letters.
    private static let gap = 3.4
    private static let cornerRadius = 3.0

    /// The strokes of a text that starts at a point.
    ///
    /// - Parameters:
    ///   - text: Capital letters and digits; a box stands for what cannot be drawn.
    ///   - origin: The left end of the line that the letters stand on.
    ///   - height: The height of a capital letter.
    /// - Returns: Lines to be drawn with a weight of the caller's choice.
    package static func strokes(of text: String, at origin: Point, height: Double) -> [StrokePath] {
        let unit = height / capitalRows
        var left = 0.0
        var paths: [StrokePath] = []
        for character in text {
            let glyph = glyph(for: character)
            for stroke in glyph.strokes {
                let corners = stroke.map { corner in
                    StrokePath.Corner(
                        point: Point(
                            origin.x + (left + corner.point.x) * unit,
                            origin.y + (corner.point.y - capitalRows) * unit
                        ),
                        isRound: corner.isRound
                    )
                }
                paths.append(StrokePath(corners: corners, radius: cornerRadius * unit))
            }
            left += glyph.width + gap
        }
        return paths
    }

    /// The width of a text between the middles of its outermost strokes.
    package static func width(of text: String, height: Double) -> Double {
        let columns = text.reduce(-gap) { $0 + glyph(for: $1).width + gap }
        return max(columns, 0) * height / capitalRows
    }

    private struct Glyph {
        var strokes: [[StrokePath.Corner]]
        var width: Double
    }

    private static func glyph(for character: Character) -> Glyph {
        if character == " " {
            return Glyph(strokes: [], width: 2)
        }
        if let drawing = GlyphTable.letters[character] {
            return parse(drawing)
        }
        // A letter with an accent: the letter, and the accent above it.
        let scalars = String(character).decomposedStringWithCanonicalMapping.unicodeScalars
        guard let base = scalars.first, let drawing = GlyphTable.letters[Character(base)] else {
            return parse(GlyphTable.unknown)
        }
        var glyph = parse(drawing)
        for mark in scalars.dropFirst() {
            let accent = parse(GlyphTable.accents[mark] ?? "")
            glyph.strokes += accent.strokes.map { stroke in
                stroke.map { corner in
                    var raised = corner
                    raised.point.y -= GlyphTable.accentRise
                    return raised
                }
            }
        }
        return glyph
    }

    private static func parse(_ drawing: String) -> Glyph {
        let strokes = drawing.split(separator: "|").map { stroke in
            stroke.split(separator: " ").compactMap(corner)
        }
        let width = strokes.joined().map(\.point.x).max() ?? 0
        return Glyph(strokes: strokes, width: width)
    }

    private static func corner(_ text: Substring) -> StrokePath.Corner? {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == 2 else { return nil }
        return StrokePath.Corner(
            point: Point(Double(digits[0]), Double(digits[1])),
            isRound: text.hasSuffix("~")
        )
    }
}
