internal import Foundation
internal import TagDrawing

/// A picture in linear light: red, green, blue and opacity from 0 to 1, the colours multiplied by
/// their opacity.
///
/// Light adds up: what a lens, a moving hand or a lamp does to a picture is only right in these
/// numbers, not in the levels that a file stores.
struct LightImage: Sendable {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// `width * height` pixels, row by row.
    var pixels: [SIMD4<Float>]

    /// Makes a picture of one pixel's light.
    init(width: Int, height: Int, light: SIMD4<Float> = .zero) {
        precondition(width > 0 && height > 0, "a picture has at least one pixel")
        self.width = width
        self.height = height
        pixels = [SIMD4<Float>](repeating: light, count: width * height)
    }

    /// Takes what was drawn on a canvas.
    init(_ canvas: borrowing Canvas, width: Int, height: Int) {
        self.width = width
        self.height = height
        let light = LevelCurve.light
        pixels = canvas.premultiplied().map { pixel in
            SIMD4(
                light[Int(pixel >> 16 & 0xFF)],
                light[Int(pixel >> 8 & 0xFF)],
                light[Int(pixel & 0xFF)],
                Float(pixel >> 24) / 255
            )
        }
    }

    /// One pixel.
    subscript(column: Int, row: Int) -> SIMD4<Float> {
        get { pixels[row * width + column] }
        set { pixels[row * width + column] = newValue }
    }

    /// The light around a place between pixels (bilinear); nothing beyond the edges.
    func light(x: Float, y: Float) -> SIMD4<Float> {
        guard x > -1, y > -1, x < Float(width), y < Float(height) else { return .zero }
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (right, bottom) = (x - Float(left), y - Float(top))
        if left >= 0, top >= 0, left + 1 < width, top + 1 < height {
            let index = top * width + left
            let upper = pixels[index] * (1 - right) + pixels[index + 1] * right
            let lower = pixels[index + width] * (1 - right) + pixels[index + width + 1] * right
            return upper * (1 - bottom) + lower * bottom
        }
        func pixel(_ column: Int, _ row: Int) -> SIMD4<Float> {
            guard column >= 0, row >= 0, column < width, row < height else { return .zero }
            return pixels[row * width + column]
        }
        let upper = pixel(left, top) * (1 - right) + pixel(left + 1, top) * right
        let lower = pixel(left, top + 1) * (1 - right) + pixel(left + 1, top + 1) * right
        return upper * (1 - bottom) + lower * bottom
    }

    /// Multiplies the light of each pixel, opacity left alone.
    mutating func lit(_ share: (_ column: Int, _ row: Int) -> Float) {
        for row in 0..<height {
            for column in 0..<width {
                let light = share(column, row)
                pixels[row * width + column] *= SIMD4(light, light, light, 1)
            }
        }
    }
}

/// How levels of 8 bits and light belong together (the curve of sRGB, IEC 61966-2-1).
enum LevelCurve {
    /// The light of each level.
    static let light: [Float] = (0...255).map { level in
        let share = Double(level) / 255
        return Float(share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4))
    }

    private static let steps = 4096
    private static let levels: [Float] = (0...steps).map { step in
        // Even steps of the root of light: dark tones need the finer ones.
        let root = Double(step) / Double(steps)
        let light = root * root
        return Float(
            255 * (light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
        )
    }

    /// The level of some light, between 0 and 255 but not rounded.
    static func level(of light: Float) -> Float {
        let place = min(max(light, 0), 1).squareRoot() * Float(steps)
        let step = min(Int(place), steps - 1)
        let share = place - Float(step)
        return levels[step] * (1 - share) + levels[step + 1] * share
    }
}
