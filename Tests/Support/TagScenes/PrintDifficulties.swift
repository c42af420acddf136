internal import Foundation
internal import SeededRandom
internal import TagDrawing
internal import TagPrinting

extension SceneRecipe {
    /// A tag from a worn printer, or one whose print has faded.
    init(thermal severity: Double, using generator: inout SeededGenerator) throws {
        try self.init(
            Frame(module: generator.number(in: 3...7), turn: 20, tilt: 15),
            using: &generator
        )
        // Mostly one fault stands out.
        let worst = generator.number(below: 4)
        func fault(_ number: Int) -> Double {
            severity * (number == worst ? 1 : generator.number(in: 0...0.3))
        }
        var thermal = ThermalPrint()
        thermal.dots = 4 + generator.number(below: 3)
        // Long tags are printed from end to end, the others either way.
        switch tags[0].print.layout {
        case .strip: thermal.feedsAlongRows = true
        case .hanging: thermal.feedsAlongRows = false
        default: thermal.feedsAlongRows = generator.unit() < 0.5
        }
        thermal.dead = mix(0, 0.2, fault(0))
        thermal.weak = mix(0, 0.3, fault(0))
        thermal.speckle = mix(0.03, 0.5, fault(1))
        thermal.density = mix(1, 0.15, fault(2))
        thermal.bands = Int(mix(0, 3, fault(3)) + 0.5 * generator.unit())
        thermal.trail = mix(0, 0.4, fault(3))
        tags[0].thermal = thermal
    }

    /// A tag that was folded, or one in a film that mirrors lamps, or both.
    init(creased severity: Double, using generator: inout SeededGenerator) throws {
        try self.init(
            Frame(module: generator.number(in: 3.5...6.5), turn: 20, tilt: 12),
            using: &generator
        )
        let side = Double(tags[0].print.symbol?.side ?? 37)
        var relief = Relief()
        // Light from one side tells the parts between folds apart.
        let (way, height) = (
            generator.number(in: 0...360).radians, generator.number(in: 25...65).radians
        )
        relief.lamp = SIMD3(cos(way) * cos(height), sin(way) * cos(height), sin(height))
        relief.ambient = mix(0.7, 0.3, severity)
        let kind = generator.number(below: 4)
        if kind != 3 {
            let angle = generator.number(in: 0...180).radians
            let count = kind == 0 ? 1 : 2 + generator.number(below: 3)
            let lean = mix(1, 20, severity).radians
            relief.pleats = [
                Self.pleat(count, angle: angle, lean: lean, side: side, using: &generator)
            ]
            if kind == 2 {
                let turn = generator.number(in: 55...125).radians
                relief.pleats.append(
                    Self.pleat(
                        1,
                        angle: angle + turn,
                        lean: 0.6 * lean,
                        side: side,
                        using: &generator
                    )
                )
            }
            tags[0].flaked = mix(0, 1.7, severity)
        }
        if kind == 3 || generator.unit() < 0.4 {
            relief.film = Self.film(kind == 3 ? severity : 0.6 * severity, using: &generator)
        }
        tags[0].pose.relief = relief
    }

    private static func pleat(
        _ count: Int,
        angle: Double,
        lean: Double,
        side: Double,
        using generator: inout SeededGenerator
    ) -> Relief.Pleat {
        // Evenly over the symbol, and as unevenly as paper is folded by hand.
        let places = (0..<count).map { number in
            side * ((Double(number) + generator.number(in: 0.2...0.8)) / Double(count) - 0.5)
        }
        let first = generator.unit() < 0.5 ? 1.0 : -1
        let leans = (0...count).map { part in
            (part % 2 == 0 ? first : -first) * lean * generator.number(in: 0.4...1)
        }
        return Relief.Pleat(angle: angle, places: places, leans: leans)
    }

    private static func film(
        _ severity: Double,
        using generator: inout SeededGenerator
    ) -> Relief.Film {
        let angle = generator.number(in: 0...180).radians
        let spacing = generator.number(in: 0.12...0.3)
        let lamps = (0...generator.number(below: 3)).map { number in
            Relief.Film.Lamp(
                angle: angle,
                place: 0.06 * generator.number(in: -1...1) + spacing * (Double(number) - 0.5),
                breadth: mix(0.003, 0.028, severity) * generator.number(in: 0.6...1.2),
                strength: mix(0.15, 2.6, severity) * generator.number(in: 0.5...1)
            )
        }
        let waves = (0..<4).map { number in
            // Long waves of the paper, short ones where the film has come off.
            let length = generator.number(in: 12...60) / (number < 2 ? 1 : 3)
            return Relief.Film.Wave(
                angle: generator.number(in: 0...360).radians,
                length: length,
                phase: generator.number(in: 0...360).radians,
                slope: mix(0.004, 0.02, severity) * generator.number(in: 0.3...1)
            )
        }
        return Relief.Film(lamps: lamps, waves: waves, haze: mix(0.005, 0.05, severity))
    }
}
