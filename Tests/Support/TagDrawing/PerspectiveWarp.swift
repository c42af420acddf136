extension GreyImage {
    /// The picture as it looks with its four corners in other places, drawn on a ground.
    ///
    /// - Parameters:
    ///   - corners: Where the corners of this picture go.
    ///   - width: Pixels in a row of the result.
    ///   - height: Rows of the result.
    ///   - ground: What is seen beside the picture.
    /// - Returns: The picture seen from there; only ground when the corners make no shape.
    public func warped(
        to corners: Quadrilateral,
        width: Int,
        height: Int,
        ground: UInt8
    ) -> GreyImage {
        var result = GreyImage(width: width, height: height, level: ground)
        let upright = Quadrilateral(
            x: 0,
            y: 0,
            width: Double(self.width),
            height: Double(self.height)
        )
        guard let original = Homography(from: corners, to: upright) else { return result }
        let columns = Self.reach(of: corners.corners.map(\.x), limit: width)
        for row in Self.reach(of: corners.corners.map(\.y), limit: height) {
            for column in columns {
                let point = original(Point(Double(column) + 0.5, Double(row) + 0.5))
                result[column, row] = interpolated(x: point.x - 0.5, y: point.y - 0.5, ground)
            }
        }
        return result
    }

    /// The rows or columns that a shape touches.
    private static func reach(of places: [Double], limit: Int) -> Range<Int> {
        let first = Int((places.min() ?? 0).rounded(.down)) - 1
        let last = Int((places.max() ?? 0).rounded(.up)) + 1
        let start = min(max(first, 0), limit)
        return start..<max(start, min(last, limit))
    }

    /// The level between the four pixels around a place (bilinear).
    private func interpolated(x: Double, y: Double, _ ground: UInt8) -> UInt8 {
        guard x > -1, y > -1, x < Double(width), y < Double(height) else { return ground }
        let left = Int(x.rounded(.down))
        let top = Int(y.rounded(.down))
        let right = x - Double(left)
        let bottom = y - Double(top)
        func level(_ column: Int, _ row: Int) -> Double {
            guard column >= 0, row >= 0, column < width, row < height else { return Double(ground) }
            return Double(self[column, row])
        }
        let upper = level(left, top) * (1 - right) + level(left + 1, top) * right
        let lower = level(left, top + 1) * (1 - right) + level(left + 1, top + 1) * right
        return UInt8((upper * (1 - bottom) + lower * bottom).rounded())
    }
}

extension ColourImage {
    /// The picture as it looks with its four corners in other places, transparent beside them.
    public func warped(to corners: Quadrilateral, width: Int, height: Int) -> ColourImage {
        func moved(_ plane: GreyImage, ground: UInt8) -> GreyImage {
            plane.warped(to: corners, width: width, height: height, ground: ground)
        }
        return ColourImage(
            red: moved(red, ground: 255),
            green: moved(green, ground: 255),
            blue: moved(blue, ground: 255),
            alpha: moved(alpha, ground: 0)
        )
    }
}
