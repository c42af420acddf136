internal import TagPrinting
internal import SeededRandom
internal import TagDrawing

extension SceneRecipe {
    /// How a picture with one tag begins, before anything is made hard.
    struct Frame {
        /// Pixels in a module.
        var module: Double
        /// The share of the height that the symbol takes.
        var share = 0.36...0.62
        /// How far the tag is turned, either way, in degrees.
        var turn = 12.0
        /// How far the tag leans at most, in degrees.
        var tilt = 12.0
        var corrections: [QRSymbol.Correction] = [.low, .medium, .medium, .quartile]
        /// Turns the tag by quarters as well.
        var hasQuarters = true
    }

    /// A picture of one tag as a careful person takes it.
    ///
    /// - Parameters:
    ///   - frame: What to begin with.
    ///   - generator: Where the rest comes from.
    /// - Throws: `QRSymbolError` when the payload fits into no symbol.
    init(_ frame: Frame, using generator: inout SeededGenerator) throws {
        var tag = try Tag(frame, using: &generator)
        let side = Double((tag.print.symbol?.side ?? 37) + 8) * frame.module
        let tall = max(side / generator.number(in: frame.share), 200)
        let ratios = [4.0 / 3, 3.0 / 2, 16.0 / 9, 1, 3.0 / 4]
        let ratio = ratios[generator.number(below: ratios.count)]
        let size = ratio < 1 ? (x: tall, y: tall / ratio) : (x: tall * ratio, y: tall)
        let room = Point(size.x / 2 - 0.72 * side, size.y / 2 - 0.72 * side)
        tag.pose.centre = Point(
            size.x / 2 + max(room.x, 0) * generator.number(in: -0.8...0.8),
            size.y / 2 + max(room.y, 0) * generator.number(in: -0.8...0.8)
        )
        let backdrops = Backdrop.allCases
        self.init(
            width: Int(size.x),
            height: Int(size.y),
            backdrop: backdrops[generator.number(below: backdrops.count)],
            tags: [tag]
        )
        addUsual(using: &generator)
    }

    /// What every picture has a little of.
    mutating func addUsual(using generator: inout SeededGenerator) {
        lights = [
            .gradient(
                angle: generator.number(in: 0...360).radians,
                from: generator.number(in: 0.55...1),
                to: generator.number(in: 0.75...1)
            )
        ]
        softness = generator.number(in: 0.45...0.7)
        noise = generator.number(in: 0.8...2.5)
        isGrey = generator.unit() < 0.3
        if generator.unit() < 0.6 {
            jpegQualities = [80 + generator.number(below: 18)]
        }
    }
}

extension SceneRecipe.Tag {
    /// A tag as it lies before the camera.
    init(_ frame: SceneRecipe.Frame, using generator: inout SeededGenerator) throws {
        let payload = TagPayload(using: &generator)
        let correction = frame.corrections[generator.number(below: frame.corrections.count)]
        let layouts = TagPrint.Layout.allCases
        print = TagPrint(
            payload: payload,
            symbol: try QRSymbol(payload.bytes, correction: correction),
            correction: correction,
            layout: layouts[generator.number(below: layouts.count)],
            ink: TagInk.random(using: &generator),
            quietZone: [2, 3, 4, 4, 4, 5][generator.number(below: 6)]
        )
        pose = TagPose()
        pose.module = frame.module
        let quarters = frame.hasQuarters ? [0, 0, 0, 90, 180, 270.0] : [0]
        let quarter = quarters[generator.number(below: quarters.count)]
        pose.turn = (quarter + frame.turn * generator.number(in: -1...1)).radians
        pose.tilt = (frame.tilt * generator.unit()).radians
        pose.tiltDirection = generator.number(in: 0...360).radians
        pose.distance = generator.number(in: 120...260)
    }
}
