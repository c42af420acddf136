internal import Foundation
internal import TagPrinting
internal import SeededRandom
internal import TagDrawing

extension SceneRecipe {
    /// A picture in light that is too weak, too strong, or in the wrong place.
    init(
        badlyLit severity: Double,
        _ category: SceneCategory,
        using generator: inout SeededGenerator
    ) throws {
        try self.init(Frame(module: generator.number(in: 3...6)), using: &generator)
        switch category {
        case .lowContrast: fade(severity, using: &generator)
        case .glare: addGlare(severity, using: &generator)
        default: addShadows(severity, using: &generator)
        }
    }

    private mutating func fade(_ severity: Double, using generator: inout SeededGenerator) {
        contrast = mix(0.3, 0.03, severity.squareRoot())
        middleLevel = generator.number(in: 50...205)
        noise = generator.number(in: 0.5...1)
        jpegQualities = []
    }

    private mutating func addShadows(_ severity: Double, using generator: inout SeededGenerator) {
        let pose = tags[0].pose
        let side = Double(tags[0].print.symbol?.side ?? 37) * pose.module
        let dark = mix(0.04, 0.0025, severity.squareRoot())
        func place(_ reach: Double, _ generator: inout SeededGenerator) -> Point {
            Point(
                pose.centre.x + reach * side * generator.number(in: -1...1),
                pose.centre.y + reach * side * generator.number(in: -1...1)
            )
        }
        let angle = generator.number(in: 0...360).radians
        switch generator.number(below: 3) {
        case 0:
            lights.append(
                .shadow(
                    through: place(0.3, &generator),
                    angle: angle,
                    light: dark,
                    edge: side * generator.number(in: 0.03...0.4)
                )
            )
        case 1:
            lights.append(
                .spot(
                    at: place(0.6, &generator),
                    radius: side * mix(0.7, 0.35, severity),
                    light: dark
                )
            )
        default:
            for turn in [0.0, generator.number(in: 60...120).radians] {
                lights.append(
                    .shadow(
                        through: place(0.35, &generator),
                        angle: angle + turn,
                        light: pow(dark, 0.7),
                        edge: side * generator.number(in: 0.05...0.9)
                    )
                )
            }
        }
        noise = generator.number(in: 1...2)
        jpegQualities = generator.unit() < 0.5 ? [92 + generator.number(below: 6)] : []
    }

    private mutating func addGlare(_ severity: Double, using generator: inout SeededGenerator) {
        let pose = tags[0].pose
        let side = Double(tags[0].print.symbol?.side ?? 37) * pose.module
        for _ in 0...generator.number(below: 2) {
            let isStripe = generator.unit() < 0.5
            let size = side * mix(0.05, 0.21, severity) * generator.number(in: 0.7...1.2)
            lights.append(
                .glare(
                    at: Point(
                        pose.centre.x + side * generator.number(in: -0.5...0.5),
                        pose.centre.y + side * generator.number(in: -0.5...0.5)
                    ),
                    angle: generator.number(in: 0...180).radians,
                    length: isStripe ? 3 * size : size,
                    breadth: isStripe ? 0.3 * size : 0.7 * size,
                    strength: generator.number(in: 0.25...1.5)
                )
            )
        }
        lights.append(.veil(generator.number(in: 0...0.12 * severity)))
    }

    /// A tag that has had a hard life.
    init(damaged severity: Double, using generator: inout SeededGenerator) throws {
        var frame = Frame(module: generator.number(in: 3.5...6))
        frame.corrections = [.medium, .medium, .quartile, .quartile, .high]
        try self.init(frame, using: &generator)
        let strength = mix(0.35, 1.5, severity)
        func usual() -> [Damage] {
            [
                .scratches(count: Int(6 * strength) + 1, weight: 0.012 * strength),
                .dirt(count: Int(4 * strength) + 1, size: 0.06 * strength),
                .crease(weight: 0.03 * strength),
                .sticker(size: 0.16 * strength),
                .torn(size: 0.2 * strength),
                .pen(weight: 0.02 * strength),
            ]
        }
        let kinds = usual()
        for _ in 0...generator.number(below: 2) {
            tags[0].damage.append(kinds[generator.number(below: kinds.count)])
        }
    }
}
