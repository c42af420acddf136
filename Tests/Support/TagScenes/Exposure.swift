internal import SeededRandom
internal import TagDrawing

/// What a sensor makes of light: planes of levels from 0 to 255, not yet rounded; three colours or
/// one grey.
package struct Exposure: Sendable {
    /// Pixels in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// One plane of grey, or red, green and blue.
    package var planes: [[Float]]

    /// Takes a picture of light.
    ///
    /// - Parameters:
    ///   - image: The light.
    ///   - isGrey: Whether the camera sees no colours.
    init(_ image: LightImage, isGrey: Bool) {
        width = image.width
        height = image.height
        if isGrey {
            let weights = SIMD4<Float>(0.2126, 0.7152, 0.0722, 0)
            planes = [image.pixels.map { LevelCurve.level(of: ($0 * weights).sum()) }]
        } else {
            planes = (0..<3).map { plane in
                image.pixels.map { LevelCurve.level(of: $0[plane]) }
            }
        }
    }

    /// Brings all levels together: towards `level`, so that only a share of the contrast is left.
    mutating func fade(to level: Float, contrast: Float) {
        for plane in planes.indices {
            planes[plane] = planes[plane].map { level + ($0 - level) * contrast }
        }
    }

    /// Adds the noise of a sensor.
    ///
    /// - Parameters:
    ///   - deviation: The standard deviation in levels.
    ///   - grain: How far a speck reaches, in pixels (standard deviation); 0 for single pixels.
    ///   - generator: Where the noise comes from.
    mutating func addNoise(
        deviation: Double,
        grain: Double,
        using generator: inout SeededGenerator
    ) {
        let common = Self.noise(deviation, grain, width, height, &generator)
        for plane in planes.indices {
            for index in common.indices { planes[plane][index] += common[index] }
            guard planes.count > 1 else { return }
            let own = Self.noise(0.6 * deviation, grain, width, height, &generator)
            for index in own.indices { planes[plane][index] += own[index] }
        }
    }

    private static func noise(
        _ deviation: Double,
        _ grain: Double,
        _ width: Int,
        _ height: Int,
        _ generator: inout SeededGenerator
    ) -> [Float] {
        guard grain > 0 else {
            return (0..<width * height).map { _ in Float(deviation * generator.deviate()) }
        }
        var image = LightImage(width: width, height: height)
        for index in image.pixels.indices {
            image.pixels[index].x = Float(deviation * generator.deviate())
        }
        // Smoothing takes contrast away, which is given back.
        let gain = Float(max(2 * grain * Double.pi.squareRoot(), 1))
        return image.softened(deviation: grain).pixels.map { $0.x * gain }
    }

    /// The picture as a JPEG file with a colour for four pixels, as cameras store it.
    ///
    /// - Parameter quality: From 1 to 100.
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError.jpeg` when libjpeg refuses the picture.
    package func jpeg(quality: Int) throws -> [UInt8] {
        try JPEGFormat(planes.count == 1 ? .grey : .yCbCr, quality: quality)
            .file(of: samples, width: width, height: height)
    }

    /// The picture as a PNG file: rounded levels, 8 bits a sample.
    ///
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError.png` when libpng refuses the picture.
    package func png() throws -> [UInt8] {
        var rows = PNGRows(
            width: width,
            height: height,
            format: planes.count == 1 ? .grey8 : .rgb8,
            samples: samples
        )
        rows.isQuick = true
        return try rows.file()
    }

    /// Rounded levels, pixel by pixel.
    private var samples: [UInt8] {
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * planes.count)
        for index in 0..<width * height {
            for plane in planes {
                samples.append(UInt8(min(max(plane[index].rounded(), 0), 255)))
            }
        }
        return samples
    }
}
