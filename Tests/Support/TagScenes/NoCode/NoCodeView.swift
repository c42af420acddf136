internal import Foundation
internal import SeededRandom

/// How cells are seen: large or small, turned, slanted, blurred, in noise.
struct NoCodeView {
    private let width: Int
    private let height: Int
    /// Pixels of a cell.
    private let scale: Double
    private let angle: Double
    /// How much smaller things become to the right and down, for a pixel.
    private let slant: (x: Double, y: Double)
    /// The light border around the cells, in cells.
    private let border: Double
    private let paper: Float
    private let ink: Float
    private let ground: Float
    private let deviation: Double
    private let noise: Double
    private let gradient: (x: Float, y: Float)

    /// Decides how cells are seen.
    init(of cells: NoCodeCells, using generator: inout SeededGenerator) {
        let module = generator.number(in: 2...6)
        let longest = Double(max(cells.columns, cells.rows))
        // Small pictures are enough, and quickly read.
        scale = min(module / Double(cells.perModule), 230 / longest)
        border = generator.number(in: 0...5) * Double(cells.perModule)
        let isUpright = generator.unit() < 0.4
        angle =
            isUpright
            ? Double(generator.number(below: 4)) * .pi / 2 : generator.number(in: 0...2 * .pi)
        let reach = (longest / 2 + border) * scale
        let lean = generator.unit() < 0.4 ? 0.35 / reach : 0
        slant = (lean * generator.number(in: -1...1), lean * generator.number(in: -1...1))
        let room = isUpright ? 1.1 : 1.3
        width = max(Int(room * (Double(cells.columns) + 2 * border) * scale), 48)
        height = max(Int(room * (Double(cells.rows) + 2 * border) * scale), 48)
        let (dark, light) = (
            Float(generator.number(in: 0...90)), Float(generator.number(in: 130...255))
        )
        (ink, paper) = generator.unit() < 0.25 ? (light, dark) : (dark, light)
        ground = generator.unit() < 0.5 ? paper : Float(generator.number(in: 0...255))
        deviation = generator.unit() < 0.4 ? 0 : generator.number(in: 0.3...1.3)
        noise = generator.unit() < 0.3 ? 0 : generator.number(in: 1...22)
        gradient =
            generator.unit() < 0.6
            ? (0, 0)
            : (Float(generator.number(in: -0.4...0.4)), Float(generator.number(in: -0.4...0.4)))
    }

    /// What is seen of the cells.
    func seen(
        _ cells: NoCodeCells,
        using generator: inout SeededGenerator
    ) -> (width: Int, height: Int, levels: [UInt8]) {
        var light = [Float](repeating: ground, count: width * height)
        let (cosine, sine) = (cos(angle) / scale, sin(angle) / scale)
        let (middleX, middleY) = (Double(cells.columns) / 2, Double(cells.rows) / 2)
        for row in 0..<height {
            for column in 0..<width {
                var sum: Float = 0
                for sample in 0..<4 {
                    let x = Double(column - width / 2) + (sample & 1 == 0 ? 0.25 : 0.75)
                    let y = Double(row - height / 2) + (sample & 2 == 0 ? 0.25 : 0.75)
                    let depth = 1 + slant.x * x + slant.y * y
                    let right = (x * cosine + y * sine) / depth + middleX
                    let down = (y * cosine - x * sine) / depth + middleY
                    let isPaper =
                        right > -border && down > -border
                        && right < Double(cells.columns) + border
                        && down < Double(cells.rows) + border
                    let isDark = cells[Int(right.rounded(.down)), Int(down.rounded(.down))]
                    sum += isDark ? ink : isPaper ? paper : ground
                }
                light[row * width + column] = sum / 4
            }
        }
        if deviation > 0 { light = blurred(light) }
        let levels = light.indices.map { index in
            let (x, y) = (Float(index % width) / Float(width), Float(index / width) / Float(height))
            let lit = light[index] * (1 + gradient.x * (x - 0.5) + gradient.y * (y - 0.5))
            let level = lit + (noise > 0 ? Float(noise * generator.deviate()) : 0)
            return UInt8(min(max(level.rounded(), 0), 255))
        }
        return (width, height, levels)
    }

    private func blurred(_ light: [Float]) -> [Float] {
        let reach = Int((2.5 * deviation).rounded(.up))
        let bell = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let total = bell.reduce(0, +)
        let weights = bell.map { Float($0 / total) }
        var along = light
        var result = light
        for row in 0..<height {
            for column in 0..<width {
                var sum: Float = 0
                for index in weights.indices {
                    let from = min(max(column + index - reach, 0), width - 1)
                    sum += weights[index] * light[row * width + from]
                }
                along[row * width + column] = sum
            }
        }
        for row in 0..<height {
            for column in 0..<width {
                var sum: Float = 0
                for index in weights.indices {
                    let from = min(max(row + index - reach, 0), height - 1)
                    sum += weights[index] * along[from * width + column]
                }
                result[row * width + column] = sum
            }
        }
        return result
    }
}
