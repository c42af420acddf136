internal import Foundation
internal import SeededRandom
internal import TagDrawing

/// What lies behind and beside the tags.
enum Backdrop: CaseIterable {
    /// A conveyor belt.
    case rubber
    /// A table of planks.
    case wood
    /// A suitcase with ribs, straps and a zip.
    case suitcase
    /// A floor of tiles.
    case tiles
    /// A pile of boxes and papers with print on them.
    case clutter

    /// Draws the backdrop.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - generator: Where shapes and textures come from.
    /// - Returns: An opaque picture.
    /// - Throws: `TagDrawingError` when there is no memory for it.
    func drawn(
        width: Int,
        height: Int,
        using generator: inout SeededGenerator
    ) throws -> LightImage {
        let unit = Double(max(width, height)) / 1000
        let canvas = try Canvas(width: width, height: height, scale: unit)
        let size = (x: Double(width) / unit, y: Double(height) / unit)
        switch self {
        case .rubber: Self.rubber(canvas, size, &generator)
        case .wood: Self.wood(canvas, size, &generator)
        case .suitcase: Self.suitcase(canvas, size, &generator)
        case .tiles: Self.tiles(canvas, size, &generator)
        case .clutter: Self.clutter(canvas, size, &generator)
        }
        var image = LightImage(canvas, width: width, height: height)
        image.weather(grain: 40 * unit, depth: 0.25, using: &generator)
        image.weather(grain: max(4 * unit, 2), depth: 0.12, using: &generator)
        return image
    }

    private typealias Size = (x: Double, y: Double)

    private static func tone(
        _ range: ClosedRange<Double>,
        _ generator: inout SeededGenerator
    ) -> Colour {
        let level = generator.number(in: range)
        func part() -> UInt8 {
            UInt8(min(max(level + 0.12 * level * generator.number(in: -1...1), 0), 255))
        }
        return Colour(red: part(), green: part(), blue: part())
    }

    private static func rubber(
        _ canvas: borrowing Canvas,
        _ size: Size,
        _ generator: inout SeededGenerator
    ) {
        let base = tone(40...90, &generator)
        canvas.fill(Rectangle(x: 0, y: 0, width: size.x, height: size.y), colour: base)
        let rib = tone(20...50, &generator)
        let step = generator.number(in: 40...90)
        for x in stride(from: generator.number(in: 0...40), to: size.x, by: step) {
            let line = Rectangle(x: x, y: 0, width: step * 0.08, height: size.y)
            canvas.fill(line, colour: rib)
        }
    }

    private static func wood(
        _ canvas: borrowing Canvas,
        _ size: Size,
        _ generator: inout SeededGenerator
    ) {
        var y = 0.0
        while y < size.y {
            let plank = generator.number(in: 70...160)
            let level = UInt8(generator.number(in: 110...180))
            let colour = Colour(red: level, green: level / 4 * 3, blue: level / 2)
            canvas.fill(Rectangle(x: 0, y: y, width: size.x, height: plank - 2), colour: colour)
            for _ in 0..<8 {
                let height = y + generator.number(in: 4...plank)
                let bend = generator.number(in: -14...14)
                let vein = StrokePath(
                    corners: [
                        .sharp(Point(-20, height)),
                        .round(Point(size.x / 2, height + bend)),
                        .sharp(Point(size.x + 20, height - bend)),
                    ],
                    radius: 400
                )
                let dark = Colour(red: level - 26, green: level / 2, blue: level / 3)
                canvas.stroke([vein], weight: generator.number(in: 0.7...2.5), colour: dark)
            }
            y += plank
        }
    }

    private static func suitcase(
        _ canvas: borrowing Canvas,
        _ size: Size,
        _ generator: inout SeededGenerator
    ) {
        let floor = tone(90...190, &generator)
        canvas.fill(Rectangle(x: 0, y: 0, width: size.x, height: size.y), colour: floor)
        for _ in 0..<3 {
            let body = Rectangle(
                x: generator.number(in: -300...300),
                y: generator.number(in: -300...200),
                width: generator.number(in: 500...1000),
                height: generator.number(in: 400...900)
            )
            canvas.fill(body, radius: 50, colour: tone(30...150, &generator))
            let rib = tone(20...170, &generator)
            for index in 1..<7 {
                let x = body.x + body.width * Double(index) / 7
                let line = Rectangle(x: x, y: body.y + 30, width: 9, height: body.height - 60)
                canvas.fill(line, radius: 4, colour: rib)
            }
            canvas.dashes(
                from: Point(body.x, body.y + 22),
                to: Point(body.x + body.width, body.y + 22),
                weight: 7,
                length: 9,
                colour: tone(120...220, &generator)
            )
        }
    }

    private static func tiles(
        _ canvas: borrowing Canvas,
        _ size: Size,
        _ generator: inout SeededGenerator
    ) {
        let joint = tone(60...110, &generator)
        canvas.fill(Rectangle(x: 0, y: 0, width: size.x, height: size.y), colour: joint)
        let step = generator.number(in: 90...220)
        let base = generator.number(in: 120...210)
        for y in stride(from: -generator.number(in: 0...80), to: size.y, by: step) {
            for x in stride(from: -generator.number(in: 0...80), to: size.x, by: step) {
                let tile = Rectangle(x: x, y: y, width: step - 5, height: step - 5)
                canvas.fill(tile, radius: 3, colour: tone(base - 12...base + 12, &generator))
            }
        }
    }

    private static func clutter(
        _ canvas: borrowing Canvas,
        _ size: Size,
        _ generator: inout SeededGenerator
    ) {
        let floor = tone(60...160, &generator)
        canvas.fill(Rectangle(x: 0, y: 0, width: size.x, height: size.y), colour: floor)
        for _ in 0..<14 {
            let box = Rectangle(
                x: generator.number(in: -150...size.x),
                y: generator.number(in: -150...size.y),
                width: generator.number(in: 80...420),
                height: generator.number(in: 60...320)
            )
            canvas.fill(
                box,
                radius: generator.number(in: 0...20),
                colour: tone(40...235, &generator)
            )
            let print = tone(20...120, &generator)
            let height = generator.number(in: 8...30)
            for line in 0..<generator.number(below: 6) {
                let start = Point(box.x + 10, box.y + 14 + height + 1.7 * height * Double(line))
                let strokes = Lettering.strokes(
                    of: words(&generator),
                    at: start,
                    height: height
                )
                canvas.stroke(strokes, weight: 0.15 * height, colour: print)
            }
        }
    }

    static func words(_ generator: inout SeededGenerator) -> String {
        let all = ["FRAGILE", "GATE", "PRIORITY", "AIR", "CARGO", "HEAVY", "THIS SIDE UP", "2025"]
        return all[generator.number(below: all.count)] + " "
            + String(generator.number(below: 100_000))
    }
}

extension LightImage {
    /// Makes light uneven as dust and wear do: soft clouds of a size in pixels.
    fileprivate mutating func weather(
        grain: Double,
        depth: Double,
        using generator: inout SeededGenerator
    ) {
        let columns = Int(Double(width) / grain) + 3
        let rows = Int(Double(height) / grain) + 3
        let clouds = (0..<columns * rows).map { _ in
            Float(1 + depth * generator.number(in: -1...1))
        }
        let step = Float(1 / grain)
        lit { column, row in
            let (x, y) = (Float(column) * step, Float(row) * step)
            let (left, top) = (Int(x), Int(y))
            let (right, bottom) = (x - Float(left), y - Float(top))
            let index = top * columns + left
            let upper = clouds[index] * (1 - right) + clouds[index + 1] * right
            let lower = clouds[index + columns] * (1 - right) + clouds[index + columns + 1] * right
            return upper * (1 - bottom) + lower * bottom
        }
    }
}
