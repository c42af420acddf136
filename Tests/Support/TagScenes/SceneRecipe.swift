internal import TagPrinting
internal import SeededRandom
internal import TagDrawing

/// Everything that happens on the way from a printed tag to a file.
struct SceneRecipe {
    /// A tag, how it lies, and what has happened to it.
    struct Tag {
        var print: TagPrint
        var pose: TagPose
        var damage: [Damage] = []
        /// Printed without faults if nil.
        var thermal: ThermalPrint?
        /// How far from a fold the print is gone, in modules.
        var flaked = 0.0
        /// What becomes of its points, beside what becomes of those of the whole picture.
        var blur: PointSpread?
    }

    /// Motion during the exposure: length in pixels, direction in radians, bend as a share.
    struct Motion: Sendable {
        var length: Double
        var angle: Double
        var bend: Double
    }

    var width: Int
    var height: Int
    var backdrop: Backdrop
    var tags: [Tag] = []
    /// Things that look like symbols.
    var lookAlikes: [LookAlike.Placed] = []
    var lights: [Lighting] = []
    /// The radius of the disc of a point out of focus, in pixels.
    var defocus = 0.0
    var motion: Motion?
    /// What moves while the picture is taken row by row.
    var belt: MovingBelt?
    /// How far everything moves from one field of an interlaced picture to the other, in pixels.
    var fieldShift: Point?
    var dropsSecondField = false
    /// What every lens and sensor does, in pixels.
    var softness = 0.6
    /// The share of the contrast that is left, around a level.
    var contrast = 1.0
    var middleLevel = 128.0
    /// The deviation of the noise in levels, and the size of its specks in pixels.
    var noise = 1.5
    var grain = 0.0
    /// The qualities of the JPEG files that it went through.
    var jpegQualities: [Int] = []
    var isGrey = false
    /// What the camera adds to make edges look sharp: how far, in pixels, and how much.
    var sharpening: (radius: Double, gain: Double)?
    /// The file that the camera makes.
    var format = ScenePicture.Format.png

    /// Takes the picture.
    ///
    /// - Parameter generator: Where everything that the recipe leaves open comes from.
    /// - Returns: The picture and what is on it.
    /// - Throws: `TagDrawingError` when there is no memory for it.
    func taken(
        using generator: inout SeededGenerator
    ) throws -> (exposure: Exposure, symbols: [SceneSymbol]) {
        var scene = try backdrop.drawn(width: width, height: height, using: &generator)
        for lookAlike in lookAlikes {
            try lookAlike.put(into: &scene, using: &generator)
        }
        var symbols: [SceneSymbol] = []
        for tag in tags {
            if let symbol = try Self.put(tag, into: &scene, using: &generator) {
                symbols.append(symbol)
            }
        }
        if let belt {
            let height = scene.height
            scene = scene.taken(of: belt)
            for index in symbols.indices {
                symbols[index].corners = symbols[index].corners.map {
                    belt.picture($0, height: height)
                }
            }
        }
        for light in lights { scene.light(by: light) }
        if defocus > 0.3 { scene = scene.spread(by: .disc(radius: defocus)) }
        if let motion, motion.length > 0.5 {
            scene = scene.spread(
                by: .motion(length: motion.length, angle: motion.angle, bend: motion.bend)
            )
        }
        scene = scene.softened(deviation: softness)
        if let fieldShift { scene = scene.interlaced(shift: fieldShift) }
        var exposure = Exposure(scene, isGrey: isGrey)
        if contrast < 1 { exposure.fade(to: Float(middleLevel), contrast: Float(contrast)) }
        exposure.addNoise(deviation: noise, grain: grain, using: &generator)
        if dropsSecondField { exposure.dropSecondField() }
        if let sharpening { exposure.sharpen(radius: sharpening.radius, gain: sharpening.gain) }
        for quality in jpegQualities {
            exposure = JPEGArtefacts(quality: quality).applied(to: exposure)
        }
        return (exposure, symbols)
    }

    private static func put(
        _ tag: Tag,
        into scene: inout LightImage,
        using generator: inout SeededGenerator
    ) throws -> SceneSymbol? {
        let scale = tag.thermal?.dots ?? min(max(Int(tag.pose.module.rounded(.up)), 3), 10)
        var artwork = try tag.print.printed(scale: scale, using: &generator) {
            canvas,
            box,
            generator in
            for damage in tag.damage {
                damage.draw(on: canvas, symbol: box, ink: tag.print.ink, using: &generator)
            }
            tag.pose.relief?.wear(
                on: canvas,
                middle: Point(box.x + box.width / 2, box.y + box.height / 2),
                breadth: tag.flaked,
                ink: tag.print.ink,
                using: &generator
            )
        }
        tag.thermal?.print(&artwork.image, ink: tag.print.ink, using: &generator)
        for damage in tag.damage { damage.tear(&artwork, using: &generator) }
        var pose = tag.pose
        pose.target = artwork.middle
        scene.place(
            artwork.image,
            scale: artwork.scale,
            pose: pose,
            shadow: 0.45,
            blur: tag.blur
        )
        guard let box = artwork.symbol, let symbol = tag.print.symbol else { return nil }
        let projection = Projection(pose)
        let corners = Quadrilateral(x: box.x, y: box.y, width: box.side, height: box.side)
        return SceneSymbol(
            payload: tag.print.payload.bytes,
            version: symbol.version,
            correction: tag.print.correction,
            modules: symbol.side,
            modulePixels: pose.module,
            corners: corners.map(projection.picture)
        )
    }
}
