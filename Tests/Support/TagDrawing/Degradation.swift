public import SeededRandom

/// One thing that makes a tag harder to read, applied to a picture with a seeded generator.
///
/// It changes light, not place: whatever moves pixels goes through `Quadrilateral`, so that
/// the corners of the symbols stay known.
public struct Degradation: Sendable {
    private let change: @Sendable (GreyImage, inout SeededGenerator) -> GreyImage

    /// Makes a degradation of a closure.
    public init(_ change: @escaping @Sendable (GreyImage, inout SeededGenerator) -> GreyImage) {
        self.change = change
    }

    /// The picture out of focus, with a standard deviation in pixels.
    public static func blur(deviation: Double) -> Degradation {
        Degradation { image, _ in image.blurred(deviation: deviation) }
    }

    /// The noise of a sensor, with a standard deviation in grey levels.
    public static func noise(deviation: Double) -> Degradation {
        Degradation { image, generator in
            GreyImage(width: image.width, height: image.height) { column, row in
                clamped(Double(image[column, row]) + deviation * generator.deviate())
            }
        }
    }

    /// Light that falls from one side: the share of it at the top left and at the bottom right,
    /// and evenly in between.
    public static func unevenLight(topLeft: Double, bottomRight: Double) -> Degradation {
        Degradation { image, _ in
            let diagonal = Double(image.width + image.height)
            return GreyImage(width: image.width, height: image.height) { column, row in
                let way = Double(column + row) / diagonal
                let light = topLeft + (bottomRight - topLeft) * way
                return clamped(Double(image[column, row]) * light)
            }
        }
    }

    /// A camera that tells only some levels of grey apart, 2 at least, evenly spread.
    public static func levels(_ count: Int) -> Degradation {
        Degradation { image, _ in
            let steps = Double(count - 1)
            let nearest = (0...255).map { level in
                clamped((Double(level) / 255 * steps).rounded() * 255 / steps)
            }
            let samples = image.samples.map { nearest[Int($0)] }
            return GreyImage(width: image.width, height: image.height, samples: samples)
        }
    }

    fileprivate func callAsFunction(
        _ image: GreyImage,
        using generator: inout SeededGenerator
    ) -> GreyImage {
        change(image, &generator)
    }

    private static func clamped(_ level: Double) -> UInt8 {
        UInt8(min(max(level.rounded(), 0), 255))
    }
}

extension GreyImage {
    /// The picture after everything that happened to it, in order.
    public func degraded(
        by degradations: [Degradation],
        using generator: inout SeededGenerator
    ) -> GreyImage {
        var image = self
        for degradation in degradations {
            image = degradation(image, using: &generator)
        }
        return image
    }
}

extension ColourImage {
    /// The picture after everything that happened to it, in order, the same in each colour.
    public func degraded(
        by degradations: [Degradation],
        using generator: inout SeededGenerator
    ) -> ColourImage {
        let start = generator
        return mapColours { plane in
            generator = start
            return plane.degraded(by: degradations, using: &generator)
        }
    }
}
