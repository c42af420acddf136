internal import Foundation
internal import SeededRandom
internal import TagDrawing

extension SceneRecipe {
    /// Several tags side by side, each lying as it fell.
    init(several severity: Double, using generator: inout SeededGenerator) throws {
        let module = mix(4, 1.8, severity)
        let columns = 2 + generator.number(below: 2)
        let rows = 1 + generator.number(below: 2)
        let cell = 84 * module
        self.init(
            width: Int(Double(columns) * cell),
            height: Int(Double(rows) * cell),
            backdrop: Backdrop.allCases[generator.number(below: Backdrop.allCases.count)]
        )
        addUsual(using: &generator)
        for row in 0..<rows {
            for column in 0..<columns {
                let frame = Frame(module: module, turn: 180, tilt: mix(8, 34, severity))
                var tag = try Tag(frame, using: &generator)
                // Longer tags would hide the symbols of their neighbours.
                tag.print.layout = .sticker
                tag.pose.centre = Point(
                    (Double(column) + 0.5 + generator.number(in: -0.04...0.04)) * cell,
                    (Double(row) + 0.5 + generator.number(in: -0.04...0.04)) * cell
                )
                tags.append(tag)
            }
        }
    }

    /// A photograph of twelve megapixels, the tag somewhere on it.
    init(large severity: Double, using generator: inout SeededGenerator) throws {
        let isUpright = generator.unit() < 0.3
        let size = isUpright ? (x: 3000.0, y: 4000.0) : (x: 4000.0, y: 3000.0)
        self.init(
            width: Int(size.x),
            height: Int(size.y),
            backdrop: Backdrop.allCases[generator.number(below: Backdrop.allCases.count)]
        )
        addUsual(using: &generator)
        let module = mix(12, 2.4, severity.squareRoot())
        let frame = Frame(module: module, turn: 40, tilt: mix(15, 45, severity))
        var tag = try Tag(frame, using: &generator)
        let room = 0.8 * 53 * module
        tag.pose.centre = Point(
            generator.number(in: room...size.x - room),
            generator.number(in: room...size.y - room)
        )
        tags = [tag]
        softness = generator.number(in: 0.8...1.3)
        noise = generator.number(in: 1.5...4)
        defocus = module * generator.number(in: 0...0.9) * severity
        lights.append(
            .gradient(
                angle: generator.number(in: 0...360).radians,
                from: mix(1, 0.3, severity),
                to: 1
            )
        )
        jpegQualities = [70 + generator.number(below: 25)]
    }

    /// Any scene without a symbol: tags that have none, or no tag at all.
    init(withoutCode severity: Double, using generator: inout SeededGenerator) throws {
        let categories: [SceneCategory] = [
            .rotation, .perspective, .motionBlur, .lowContrast, .unevenLight, .glare, .noise, .jpeg,
            .inverted, .curved, .damage, .severalTags,
        ]
        let category = categories[generator.number(below: categories.count)]
        try self.init(category, severity: 0.7 * severity, using: &generator)
        for index in tags.indices { tags[index].print.symbol = nil }
        if generator.unit() < 0.3 { tags = [] }
    }
}
