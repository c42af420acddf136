internal import SeededRandom
internal import TagDrawing

/// Everything that is printed on a tag around its symbol.
struct TagLettering {
    let print: TagPrint
    let plan: TagPlan

    private static let airports = [
        "MUC", "LHR", "CDG", "JFK", "HKG", "PEK", "ZRH", "EDI", "FRA", "LOS", "SIN", "GRU", "KEF",
    ]

    func draw(on canvas: borrowing Canvas, using generator: inout SeededGenerator) {
        let from = Self.airports[generator.number(below: Self.airports.count)]
        let to = Self.airports[generator.number(below: Self.airports.count)]
        let name = "\(print.payload.givenName) \(print.payload.familyName)"
        let weight = "\(print.payload.pounds) LB"
        let unit = plan.block
        switch print.layout {
        case .strip:
            edges(on: canvas)
            let stub = box(0.1, 0.15, 0.34, 0.8)
            bars(in: stub, areLevel: true, on: canvas, using: &generator)
            text(name, x: 0.6 * unit, y: 0.42, height: 0.2, on: canvas)
            text(weight, x: 0.6 * unit, y: 0.6, height: 0.09, on: canvas)
            text(from, x: 0.6 * unit, y: 0.95, height: 0.16, on: canvas)
            let left = (plan.symbolX - 0.06 * unit - 0.72 * unit) / unit
            destination(to, in: box(left, 0.66, 0.7, 0.36), on: canvas)
            text(print.payload.identifier, x: 0.6 * unit, y: 1.07, height: 0.035, on: canvas)
        case .hanging:
            let left = plan.symbolX / unit
            logo(x: plan.symbolX + 0.14 * unit, radius: 0.12, on: canvas)
            text(name, x: plan.symbolX + 0.36 * unit, y: 0.25, height: 0.15, on: canvas)
            destination(to, in: box(left, 0.38, 1, 0.44), on: canvas)
            text(weight, x: plan.symbolX, y: 2.06, height: 0.11, on: canvas)
            bars(in: box(left, 2.15, 1, 0.4), areLevel: false, on: canvas, using: &generator)
        case .label:
            logo(x: 0.16 * unit, radius: 0.11, on: canvas)
            text("\(from)→\(to)", x: 0.4 * unit, y: 0.24, height: 0.15, on: canvas)
            let left = plan.symbolX + 1.08 * unit
            text(name, x: left, y: 0.55, height: 0.17, on: canvas)
            text(weight, x: left, y: 0.75, height: 0.1, on: canvas)
            for line in 0..<4 {
                let y = 0.86 + 0.09 * Double(line)
                text(words(&generator), x: left, y: y, height: 0.045, on: canvas)
            }
            let foot = box(left / unit, 1.2, 0.95, 0.22)
            bars(in: foot, areLevel: false, on: canvas, using: &generator)
        case .sticker:
            let left = plan.symbolX + 0.05 * unit
            text(name, x: left, y: 0.19, height: 0.11, on: canvas)
            text(weight, x: left, y: 1.36, height: 0.1, on: canvas)
            text(to, x: plan.symbolX + 0.65 * unit, y: 1.36, height: 0.12, on: canvas)
        }
    }

    /// A box given in shares of the symbol with its border.
    private func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rectangle {
        let unit = plan.block
        return Rectangle(x: x * unit, y: y * unit, width: width * unit, height: height * unit)
    }

    private func words(_ generator: inout SeededGenerator) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPRSTUVWXYZ0123456789  ")
        return String((0..<18).map { _ in letters[generator.number(below: letters.count)] })
    }

    private func edges(on canvas: borrowing Canvas) {
        let depth = 0.045 * plan.block
        for top in [0, plan.height - depth] {
            let edge = Rectangle(x: 0, y: top, width: plan.width, height: depth)
            canvas.fill(edge, colour: print.ink.accent)
        }
    }

    private func logo(x: Double, radius share: Double, on canvas: borrowing Canvas) {
        let (y, radius) = (0.17 * plan.block, share * plan.block)
        let circle = Rectangle(
            x: x - radius,
            y: y - radius,
            width: 2 * radius,
            height: 2 * radius
        )
        canvas.fill(circle, radius: radius, colour: print.ink.accent)
        let wing = StrokePath(
            corners: [
                .sharp(Point(x - 0.6 * radius, y + 0.3 * radius)),
                .sharp(Point(x, y - 0.4 * radius)),
                .sharp(Point(x + 0.6 * radius, y + 0.3 * radius)),
            ]
        )
        canvas.stroke([wing], weight: 0.25 * radius, colour: print.ink.paper)
    }

    private func destination(
        _ airport: String,
        in box: Rectangle,
        on canvas: borrowing Canvas
    ) {
        canvas.fill(box, radius: 0.03 * plan.block, colour: print.ink.dark)
        let letters = 0.62 * box.height
        let length = Lettering.width(of: airport, height: letters)
        let start = Point(
            box.x + (box.width - length) / 2,
            box.y + (box.height + letters) / 2
        )
        let strokes = Lettering.strokes(of: airport, at: start, height: letters)
        canvas.stroke(strokes, weight: 0.16 * letters, colour: print.ink.paper)
    }

    /// Letters that stand on a line; the line's height and theirs in shares of the symbol.
    private func text(
        _ content: String,
        x: Double,
        y: Double,
        height: Double,
        on canvas: borrowing Canvas
    ) {
        let letters = height * plan.block
        let strokes = Lettering.strokes(
            of: content,
            at: Point(x, y * plan.block),
            height: letters
        )
        canvas.stroke(strokes, weight: 0.15 * letters, colour: print.ink.dark)
    }

    /// Bars of the look of a one-dimensional code.
    private func bars(
        in box: Rectangle,
        areLevel: Bool,
        on canvas: borrowing Canvas,
        using generator: inout SeededGenerator
    ) {
        let unit = plan.block / 110
        let length = areLevel ? box.height : box.width
        var place = 0.0
        while place < length - 4 * unit {
            let thickness = Double(1 + generator.number(below: 4)) * unit
            var bar = box
            if areLevel {
                (bar.y, bar.height) = (box.y + place, thickness)
            } else {
                (bar.x, bar.width) = (box.x + place, thickness)
            }
            canvas.fill(bar, colour: print.ink.dark)
            place += thickness + Double(1 + generator.number(below: 4)) * unit
        }
    }
}
