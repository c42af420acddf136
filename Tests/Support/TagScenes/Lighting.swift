internal import Foundation
internal import SeededRandom
internal import TagDrawing

/// How a scene is lit.
enum Lighting: Sendable {
    /// Light that falls off along a direction (radians): a share at one end and at the other.
    case gradient(angle: Double, from: Double, to: Double)
    /// A shadow on one side of a line through a place, with an edge some pixels wide.
    case shadow(through: Point, angle: Double, light: Double, edge: Double)
    /// A lamp that lights a circle; outside of it, only a share of the light is left.
    case spot(at: Point, radius: Double, light: Double)
    /// A reflection of a lamp that hides what is below it: how long, how wide, how bright.
    case glare(at: Point, angle: Double, length: Double, breadth: Double, strength: Double)
    /// A lamp that flickers while row after row is read: the rows of a period, how much darker the
    /// darkest of them are, and where the period begins.
    case flicker(rows: Double, depth: Double, phase: Double)
    /// Light scattered on the way to the sensor, the same everywhere.
    case veil(Double)
}

extension LightImage {
    /// Lights a scene.
    mutating func light(by lighting: Lighting) {
        let (width, height) = (Double(width), Double(height))
        switch lighting {
        case .gradient(let angle, let from, let to):
            let (x, y) = (cos(angle), sin(angle))
            let reach = abs(x) * width / 2 + abs(y) * height / 2
            lit { column, row in
                let way = (Double(column) - width / 2) * x + (Double(row) - height / 2) * y
                return Float(mix(from, to, 0.5 + 0.5 * way / reach))
            }
        case .shadow(let place, let angle, let light, let edge):
            let (x, y) = (cos(angle), sin(angle))
            lit { column, row in
                let way = (Double(column) - place.x) * x + (Double(row) - place.y) * y
                let share = min(max(0.5 + way / edge, 0), 1)
                return Float(mix(light, 1, share * share * (3 - 2 * share)))
            }
        case .spot(let place, let radius, let light):
            lit { column, row in
                let (x, y) = (Double(column) - place.x, Double(row) - place.y)
                let way = (x * x + y * y) / (radius * radius)
                return Float(mix(light, 1, 1 / (1 + way * way)))
            }
        case .glare(let place, let angle, let length, let breadth, let strength):
            let (cosine, sine) = (cos(angle), sin(angle))
            add { column, row in
                let (x, y) = (Double(column) - place.x, Double(row) - place.y)
                let along = (x * cosine + y * sine) / length
                let across = (y * cosine - x * sine) / breadth
                let way = along * along + across * across
                return Float(strength * exp(-way * way))
            }
        case .flicker(let rows, let depth, let phase):
            lit { _, row in
                Float(1 - depth * (0.5 - 0.5 * cos(2 * .pi * Double(row) / rows + phase)))
            }
        case .veil(let light):
            add { _, _ in Float(light) }
        }
    }

    private mutating func add(_ light: (_ column: Int, _ row: Int) -> Float) {
        for row in 0..<height {
            for column in 0..<width {
                let more = light(column, row)
                pixels[row * width + column] += SIMD4(more, more, more, 0)
            }
        }
    }
}
