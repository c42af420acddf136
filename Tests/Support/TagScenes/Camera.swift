internal import Foundation
internal import TagDrawing

/// A belt that goes on moving while a camera reads its rows one after the other.
struct MovingBelt: Sendable {
    /// What a point becomes while its row is exposed.
    var blur: SceneRecipe.Motion
    /// How far the belt moves from one row to the next, in pixels.
    var step: Point
    /// Pixels around the picture that come into it from outside.
    var margin: Int

    /// Makes a belt.
    ///
    /// - Parameters:
    ///   - angle: The direction in which it moves, in radians on the picture.
    ///   - exposed: How far it moves while a row is exposed, in pixels.
    ///   - step: How far it moves from one row to the next, in pixels.
    ///   - height: The rows of the picture.
    init(angle: Double, exposed: Double, step: Double, height: Int) {
        blur = SceneRecipe.Motion(length: exposed, angle: angle, bend: 0)
        self.step = Point(step * cos(angle), step * sin(angle))
        margin = Int((step * Double(height) / 2).rounded(.up)) + 2
    }

    /// Where a place of the belt is in the picture, which is `margin` smaller on each side.
    func picture(_ place: Point, height: Int) -> Point {
        let (edge, middle) = (Double(margin), Double(height) / 2 - Double(margin))
        let y = (place.y - edge - step.y * middle) / (1 - step.y)
        return Point(place.x - edge + step.x * (y - middle), y)
    }
}

extension LightImage {
    /// The picture of a belt, of which this is the whole at the time of the middle row.
    func taken(of belt: MovingBelt) -> LightImage {
        let blurred =
            belt.blur.length > 0.5
            ? spread(by: .motion(length: belt.blur.length, angle: belt.blur.angle, bend: 0)) : self
        var result = LightImage(width: width - 2 * belt.margin, height: height - 2 * belt.margin)
        let middle = Double(result.height) / 2
        for row in 0..<result.height {
            let rows = Double(row) + 0.5 - middle
            let y = Double(row + belt.margin) - belt.step.y * rows
            let shift = Double(belt.margin) - belt.step.x * rows
            for column in 0..<result.width {
                result[column, row] = blurred.inside(x: Double(column) + shift, y: y)
            }
        }
        return result
    }

    /// The picture of two fields, rows of the second having been taken a little later, when everything
    /// was somewhere else.
    ///
    /// - Parameter shift: How far everything moves from one field to the other, in pixels.
    /// - Returns: The rows of both fields in turn.
    func interlaced(shift: Point) -> LightImage {
        var result = self
        for row in 0..<height {
            let share = row % 2 == 0 ? 0.5 : -0.5
            for column in 0..<width {
                result[column, row] = inside(
                    x: Double(column) + share * shift.x,
                    y: Double(row) + share * shift.y
                )
            }
        }
        return result
    }

    /// The light around a place; beyond an edge, its last pixels go on.
    private func inside(x: Double, y: Double) -> SIMD4<Float> {
        light(
            x: Float(min(max(x, 0), Double(width - 1))),
            y: Float(min(max(y, 0), Double(height - 1)))
        )
    }
}

extension Exposure {
    /// Fills the rows of the second field with the mean of those around them.
    mutating func dropSecondField() {
        for plane in planes.indices {
            for row in stride(from: 1, to: height - 1, by: 2) {
                for column in 0..<width {
                    let index = row * width + column
                    planes[plane][index] =
                        (planes[plane][index - width] + planes[plane][index + width]) / 2
                }
            }
        }
    }

    /// Sharpens as cameras do: edges become steeper and get a halo.
    ///
    /// - Parameters:
    ///   - radius: How far the halo reaches, in pixels (standard deviation).
    ///   - gain: How much of the difference to the surroundings is added.
    mutating func sharpen(radius: Double, gain: Double) {
        var image = LightImage(width: width, height: height)
        for index in image.pixels.indices {
            for plane in planes.indices {
                // A camera has levels by now, and no light beyond the brightest of them.
                planes[plane][index] = min(max(planes[plane][index], 0), 255)
                image.pixels[index][plane] = planes[plane][index]
            }
        }
        let soft = image.softened(deviation: radius)
        for plane in planes.indices {
            for index in soft.pixels.indices {
                let level = planes[plane][index]
                planes[plane][index] += Float(gain) * (level - soft.pixels[index][plane])
            }
        }
    }
}
