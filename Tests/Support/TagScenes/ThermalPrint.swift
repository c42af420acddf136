internal import SeededRandom
internal import TagDrawing

/// What a worn printer makes of a tag, whose print head is a row of elements that heat the paper below
/// them while it is fed along: each pixel of the artwork is a dot.
struct ThermalPrint: Sendable {
    /// Dots in a module.
    var dots = 5
    /// Whether the paper is fed along the rows of the artwork, not along its columns.
    var feedsAlongRows = true
    /// The share of the elements that are dead, each of which leaves a line of paper.
    var dead = 0.0
    /// The share of the elements that heat too little.
    var weak = 0.0
    /// Bands in which dirt keeps the head from the paper.
    var bands = 0
    /// How unevenly the paper takes the heat, as a deviation from dot to dot.
    var speckle = 0.0
    /// The share of its heat that an element still has at the next dot.
    var trail = 0.0
    /// How dark a good dot is: 1 when it is fresh, 0 when it has faded away.
    var density = 1.0

    /// Prints a drawing.
    ///
    /// - Parameters:
    ///   - drawing: What is to be printed; colours have been on the paper before, and stay.
    ///   - ink: The paper, and the darkest dot.
    ///   - generator: Where elements fail, and where the paper is uneven.
    func print(
        _ drawing: inout LightImage,
        ink: TagInk,
        using generator: inout SeededGenerator
    ) {
        let lines = feedsAlongRows ? drawing.height : drawing.width
        let length = feedsAlongRows ? drawing.width : drawing.height
        let elements = elements(lines, using: &generator)
        // The paper's surface: patches of some dots that take the heat better or worse.
        let patch = 7
        let columns = length / patch + 2
        let patches = (0..<columns * (lines / patch + 2)).map { _ in generator.number(in: -1...1) }
        let (paper, dark) = (Self.light(of: ink.paper), Self.light(of: ink.dark))
        let range = paper.y - dark.y
        for line in 0..<lines {
            var heat = 0.0
            for place in 0..<length {
                let index =
                    feedsAlongRows ? line * drawing.width + place : place * drawing.width + line
                let light = drawing.pixels[index]
                let isPrinted =
                    max(light.x, light.y, light.z) - min(light.x, light.y, light.z) < 0.12
                let wanted = Double(min(max((light.w * paper.y - light.y) / range, 0), 1))
                heat = min(wanted + trail * heat, 1.2)
                let patched = patches[line / patch * columns + place / patch]
                let uneven = 1 + speckle * (generator.deviate() + 0.8 * patched)
                guard isPrinted, light.w > 0 else { continue }
                // Paper turns dark within a narrow range of heat.
                let turned = min(max((heat * elements[line] * uneven - 0.35) / 0.3, 0), 1)
                let cover = Float(turned * turned * (3 - 2 * turned) * density)
                let printed = (paper + (dark - paper) * cover) * light.w
                drawing.pixels[index] = SIMD4(printed.x, printed.y, printed.z, light.w)
            }
        }
    }

    /// How much each element heats, 1 being right.
    private func elements(_ count: Int, using generator: inout SeededGenerator) -> [Double] {
        var heats = (0..<count).map { _ in generator.number(in: 0.93...1.07) }
        var next = 0
        while next < count {
            // What breaks one element mostly breaks its neighbours as well.
            let run = 1 + generator.number(below: 3)
            let fate = generator.unit()
            if fate < dead / 2 {
                for place in next..<min(next + run, count) { heats[place] = 0 }
                next += run
            } else if fate < (dead + weak) / 2 {
                let heat = generator.number(in: 0.4...0.8)
                for place in next..<min(next + run, count) { heats[place] *= heat }
                next += run
            } else {
                next += 1
            }
        }
        for _ in 0..<bands {
            let middle = generator.number(in: 0.1...0.9) * Double(count)
            let breadth = generator.number(in: 0.8...2.5) * Double(dots)
            let depth = generator.number(in: 0.3...0.75)
            for place in 0..<count {
                let way = (Double(place) - middle) / breadth
                heats[place] *= 1 - depth / (1 + way * way * way * way)
            }
        }
        return heats
    }

    private static func light(of colour: Colour) -> SIMD4<Float> {
        let light = LevelCurve.light
        return SIMD4(light[Int(colour.red)], light[Int(colour.green)], light[Int(colour.blue)], 1)
    }
}
