internal import TagPrinting
internal import SeededRandom
internal import TagDrawing

/// A pattern that a reader may take for a symbol.
enum LookAlike: CaseIterable {
    /// Squares within squares, like finder patterns, all over.
    case rings
    /// Black and white fields.
    case checkerboard
    /// Finder patterns in the right places, and random modules.
    case randomModules
    /// A symbol with every module of its inside exchanged, finder patterns left alone.
    case exchangedInside
    /// Squares around one middle, and dots around those.
    case bullseye
    /// An edge of dashes and two lines, with random modules.
    case dataMatrix
    case bars
    case smallPrint

    /// A pattern, and how it lies.
    struct Placed {
        let pattern: LookAlike
        let pose: TagPose
        let ink: TagInk

        func put(into scene: inout LightImage, using generator: inout SeededGenerator) throws {
            let side = LookAlike.side + 2 * LookAlike.margin
            let scale = min(max(Int(pose.module.rounded(.up)), 3), 10)
            let canvas = try Canvas(
                width: side * scale,
                height: side * scale,
                scale: Double(scale)
            )
            let paper = Rectangle(x: 0, y: 0, width: Double(side), height: Double(side))
            canvas.fill(paper, colour: ink.paper)
            pattern.draw(on: canvas, ink: ink, using: &generator)
            var pose = pose
            pose.target = Point(Double(side) / 2, Double(side) / 2)
            let image = LightImage(canvas, width: side * scale, height: side * scale)
            scene.place(image, scale: Double(scale), pose: pose, shadow: 0.4)
        }
    }

    fileprivate static let side = 33
    fileprivate static let margin = 5

    private func draw(
        on canvas: borrowing Canvas,
        ink: TagInk,
        using generator: inout SeededGenerator
    ) {
        let pen = LookAlikePen(ink: ink, margin: Double(Self.margin))
        let side = Self.side
        switch self {
        case .rings:
            for row in 0..<4 {
                for column in 0..<4 where generator.unit() < 0.8 {
                    pen.finder(column * 8, row * 8, on: canvas)
                }
            }
        case .checkerboard:
            let field = 1 + generator.number(below: 4)
            for row in 0..<side {
                for column in 0..<side where (row / field + column / field) % 2 == 0 {
                    pen.module(column, row, on: canvas)
                }
            }
        case .randomModules:
            pen.noise(side, on: canvas, using: &generator)
            pen.finders(side, on: canvas)
        case .exchangedInside:
            pen.exchanged(on: canvas, using: &generator)
        case .bullseye:
            pen.noise(side, on: canvas, using: &generator)
            pen.box(9, 9, 15, ink.paper, on: canvas)
            for ring in 0..<4 {
                let colour = ring % 2 == 0 ? ink.dark : ink.paper
                pen.box(10 + 2 * ring, 10 + 2 * ring, 13 - 4 * ring, colour, on: canvas)
            }
        case .dataMatrix:
            pen.noise(side - 1, on: canvas, using: &generator)
            for place in 0..<side {
                pen.module(0, place, on: canvas)
                pen.module(place, side - 1, on: canvas)
                if place % 2 == 0 { pen.module(place, 0, on: canvas) }
                if place % 2 == 0 { pen.module(side - 1, place, on: canvas) }
            }
        case .bars:
            for column in 0..<side where generator.unit() < 0.5 {
                for row in 0..<side { pen.module(column, row, on: canvas) }
            }
        case .smallPrint:
            for line in 0..<14 {
                let text = Backdrop.words(&generator) + " " + Backdrop.words(&generator)
                let place = Point(6, 8 + 2.3 * Double(line))
                let strokes = Lettering.strokes(of: text, at: place, height: 1.4)
                canvas.stroke(strokes, weight: 0.22, colour: ink.dark)
            }
        }
    }
}

/// Draws modules.
private struct LookAlikePen {
    let ink: TagInk
    let margin: Double

    func box(
        _ column: Int,
        _ row: Int,
        _ side: Int,
        _ colour: Colour,
        on canvas: borrowing Canvas
    ) {
        let box = Rectangle(
            x: Double(column) + margin,
            y: Double(row) + margin,
            width: Double(side),
            height: Double(side)
        )
        canvas.fill(box, colour: colour)
    }

    func module(_ column: Int, _ row: Int, on canvas: borrowing Canvas) {
        box(column, row, 1, ink.dark, on: canvas)
    }

    func finder(_ column: Int, _ row: Int, on canvas: borrowing Canvas) {
        box(column, row, 7, ink.dark, on: canvas)
        box(column + 1, row + 1, 5, ink.paper, on: canvas)
        box(column + 2, row + 2, 3, ink.dark, on: canvas)
    }

    func finders(_ side: Int, on canvas: borrowing Canvas) {
        for (column, row) in [(0, 0), (side - 7, 0), (0, side - 7)] {
            box(column - min(column, 1), row - min(row, 1), 8, ink.paper, on: canvas)
            finder(column, row, on: canvas)
        }
    }

    func noise(_ side: Int, on canvas: borrowing Canvas, using generator: inout SeededGenerator) {
        for row in 0..<side {
            for column in 0..<side where generator.unit() < 0.5 {
                module(column, row, on: canvas)
            }
        }
    }

    /// A true symbol whose data modules are all the other way round: its frame and format are right,
    /// its codewords are wrong.
    func exchanged(on canvas: borrowing Canvas, using generator: inout SeededGenerator) {
        let payload = TagPayload(using: &generator)
        guard let symbol = try? QRSymbol(payload.bytes, correction: .low, version: 4) else {
            return
        }
        for row in 0..<symbol.side {
            for column in 0..<symbol.side {
                let isInside = min(row, column) > 8 && max(row, column) < symbol.side - 9
                if symbol.isDark(column: column, row: row) != isInside {
                    module(column, row, on: canvas)
                }
            }
        }
    }
}

extension SceneRecipe {
    /// A scene with patterns that are no symbols.
    init(lookAlike severity: Double, using generator: inout SeededGenerator) throws {
        let module = mix(6, 2.5, severity)
        let columns = 1 + generator.number(below: 3)
        let cell = 60 * module
        self.init(
            width: Int(Double(columns) * cell),
            height: Int(1.1 * cell),
            backdrop: Backdrop.allCases[generator.number(below: Backdrop.allCases.count)]
        )
        addUsual(using: &generator)
        for column in 0..<columns {
            let patterns = LookAlike.allCases
            var pose = try Tag(Frame(module: module, turn: 45, tilt: 30), using: &generator).pose
            pose.centre = Point((Double(column) + 0.5) * cell, 0.55 * cell)
            let ink = TagInk.random(using: &generator)
            lookAlikes.append(
                LookAlike.Placed(
                    pattern: patterns[generator.number(below: patterns.count)],
                    pose: pose,
                    ink: generator.unit() < 0.2 ? ink.inverted : ink
                )
            )
        }
    }
}
