internal import TagPrinting
internal import Foundation

extension LuggageTagDrawing {
    /// Draws the tag: a long strip of paper with a stub on the left and the symbol on the right.
    ///
    /// - Parameter scale: Pixels in a unit; the tag is 1,400 units long and 440 high.
    /// - Returns: The picture and the place of the symbol, whose edges lie between pixels.
    /// - Throws: `TagDrawingError` when the payload is too long, or too long for the scale.
    public func drawn(scale: Double = 1) throws -> DrawnTag {
        let symbol = try QRSymbol(payload, correction: correction)
        let modules = symbol.side + 2 * QRSymbol.quietZone
        let module = Int(TagLayout.symbol.width * scale) / modules
        guard module > 0 else {
            throw TagDrawingError.drawing("no pixel for a module at a scale of \(scale)")
        }
        let canvas = try Canvas(
            width: Int(TagLayout.paper.width * scale),
            height: Int(TagLayout.paper.height * scale),
            scale: scale
        )
        let layout = TagLayout(tag: self)
        layout.drawPaper(on: canvas)
        layout.drawStub(on: canvas)
        layout.drawPassenger(on: canvas)
        layout.drawRoute(on: canvas)
        var image = canvas.image()

        // Modules are whole pixels, put where they belong and never smoothed.
        let left = Int((TagLayout.symbol.x + TagLayout.symbol.width / 2) * scale)
        let top = Int((TagLayout.symbol.y + TagLayout.symbol.height / 2) * scale)
        let picture = symbol.image(module: module)
        image.paste(
            ColourImage(red: picture, green: picture, blue: picture),
            column: left - picture.width / 2,
            row: top - picture.height / 2
        )
        let border = Double(QRSymbol.quietZone * module)
        let corners = Quadrilateral(
            x: Double(left - picture.width / 2) + border,
            y: Double(top - picture.height / 2) + border,
            width: Double(symbol.side * module),
            height: Double(symbol.side * module)
        )
        return DrawnTag(image: image, symbolCorners: corners, module: module)
    }
}

/// Where everything on a tag goes, in units of which the tag is 440 high.
private struct TagLayout {
    static let paper = Rectangle(x: 0, y: 0, width: 1400, height: 440)
    static let symbol = Rectangle(x: 1000, y: 40, width: 360, height: 360)

    private static let radius = 24.0
    private static let textLeft = 230.0
    private static let textRight = 960.0
    private static let ink = Colour(grey: 0x18)
    private static let faint = Colour(grey: 0x70)
    private static let hairline = Colour(grey: 0xB8)
    /// Bags checked in within the European Union have green edges.
    private static let edge = Colour(red: 0x00, green: 0x84, blue: 0x4A)

    let tag: LuggageTagDrawing

    func drawPaper(on canvas: borrowing Canvas) {
        canvas.clip(to: Self.paper, radius: Self.radius)
        canvas.fill(Self.paper, colour: .white)
        for top in [0, 424.0] {
            canvas.fill(Rectangle(x: 0, y: top, width: 1400, height: 16), colour: Self.edge)
        }
        let outline = Rectangle(x: 1, y: 1, width: 1398, height: 438)
        canvas.stroke(outline, radius: Self.radius - 1, weight: 2, colour: Self.hairline)
    }

    /// The stub that stays with the passenger: bars and the number of the bag.
    func drawStub(on canvas: borrowing Canvas) {
        // Bars of the look of a one-dimensional code, one to four units thick by the identifier.
        var top = 48.0
        for (index, digit) in tag.identifier.compactMap(\.hexDigitValue).enumerated() {
            let bar = Double(2 + digit % 4 * 2)
            let gap = Double(3 + digit / 4)
            guard top + bar <= 392, index < 40 else { break }
            canvas.fill(Rectangle(x: 40, y: top, width: 82, height: bar), colour: Self.ink)
            top += bar + gap
        }
        let tail = String(tag.identifier.suffix(12))
        canvas.turned(around: Point(162, 220)) {
            text(tail, at: Point(0, 0), height: 17, aligned: .centre, on: canvas)
        }
        canvas.dashes(
            from: Point(196, 28),
            to: Point(196, 412),
            weight: 2,
            length: 7,
            colour: Self.hairline
        )
    }

    func drawPassenger(on canvas: borrowing Canvas) {
        caption("PASSENGER", at: Point(Self.textLeft, 58), on: canvas)
        let name = "\(tag.givenName) \(tag.familyName)".uppercased()
        text(name, at: Point(Self.textLeft + 4, 164), height: 72, weight: 0.17, on: canvas)

        caption("WEIGHT", at: Point(Self.textRight, 58), aligned: .right, on: canvas)
        let pounds = String(format: "%.1f LB", tag.pounds)
        let kilograms = String(format: "%.1f KG", tag.pounds * 0.453_592_37)
        let right = Self.textRight - 2
        text(pounds, at: Point(right, 124), height: 40, aligned: .right, on: canvas)
        text(kilograms, at: Point(right, 164), height: 19, aligned: .right, on: canvas)
        rule(at: 190, on: canvas)
    }

    func drawRoute(on canvas: borrowing Canvas) {
        caption("FROM", at: Point(Self.textLeft, 228), on: canvas)
        text(tag.origin, at: Point(Self.textLeft + 2, 344), height: 62, on: canvas)
        text("→", at: Point(Self.textLeft + 232, 341), height: 56, on: canvas)

        // The destination is what a handler looks for: white on black, as large as it goes.
        let box = Rectangle(x: Self.textRight - 352, y: 210, width: 352, height: 152)
        canvas.fill(box, radius: 10, colour: Self.ink)
        caption("TO", at: Point(box.x + 18, 238), colour: .white, on: canvas)
        text(
            tag.destination,
            at: Point(box.x + box.width / 2 + 14, 338),
            height: 98,
            weight: 0.17,
            aligned: .centre,
            colour: .white,
            on: canvas
        )
        rule(at: 380, on: canvas)
        text(tag.identifier, at: Point(Self.textLeft, 408), height: 14, on: canvas)
    }

    private enum Alignment {
        case left
        case centre
        case right
    }

    private func caption(
        _ content: String,
        at point: Point,
        aligned alignment: Alignment = .left,
        colour: Colour = faint,
        on canvas: borrowing Canvas
    ) {
        text(
            content,
            at: point,
            height: 13,
            weight: 0.15,
            aligned: alignment,
            colour: colour,
            on: canvas
        )
    }

    private func text(
        _ content: String,
        at point: Point,
        height: Double,
        weight: Double = 0.14,
        aligned alignment: Alignment = .left,
        colour: Colour = ink,
        on canvas: borrowing Canvas
    ) {
        let width = Lettering.width(of: content, height: height)
        let shift =
            switch alignment {
            case .left: 0.0
            case .centre: width / 2
            case .right: width
            }
        let strokes = Lettering.strokes(
            of: content,
            at: Point(point.x - shift, point.y),
            height: height
        )
        canvas.stroke(strokes, weight: weight * height, colour: colour)
    }

    private func rule(at y: Double, on canvas: borrowing Canvas) {
        let line = Rectangle(
            x: Self.textLeft,
            y: y,
            width: Self.textRight - Self.textLeft,
            height: 2
        )
        canvas.fill(line, colour: Self.hairline)
    }
}
