internal import TagDrawing

extension LightImage {
    /// Puts a flat drawing into a scene as a camera sees it, with a shadow below it.
    ///
    /// - Parameters:
    ///   - drawing: What is put there.
    ///   - scale: Its pixels in a module.
    ///   - pose: How it lies; its places are in modules from the drawing's top left corner.
    ///   - shadow: How dark its shadow is, 0 to 1.
    ///   - blur: What becomes of its points alone, when it moves or is out of focus and the rest is not.
    mutating func place(
        _ drawing: LightImage,
        scale: Double,
        pose: TagPose,
        shadow: Double,
        blur: PointSpread? = nil
    ) {
        let projection = Projection(pose)
        guard let bounds = bounds(of: drawing, scale: scale, projection) else { return }
        let samples = max(2, Int((scale / pose.module / 1.1).rounded(.up)))
        var layer = LightImage(width: bounds.columns.count, height: bounds.rows.count)
        for row in bounds.rows {
            for column in bounds.columns {
                let light = Self.seen(
                    drawing,
                    scale: scale,
                    through: projection,
                    column: column,
                    row: row,
                    samples: samples
                )
                layer[column - bounds.columns.lowerBound, row - bounds.rows.lowerBound] = light
            }
        }
        if let blur { layer = layer.spread(by: blur) }
        cast(shadow, of: layer, bounds, reach: 0.8 * pose.module)
        for row in bounds.rows {
            for column in bounds.columns {
                let light = layer[
                    column - bounds.columns.lowerBound,
                    row - bounds.rows.lowerBound
                ]
                self[column, row] = light + self[column, row] * (1 - light.w)
            }
        }
    }

    /// The light of a pixel: the mean of samples evenly spread over it.
    private static func seen(
        _ drawing: LightImage,
        scale: Double,
        through projection: Projection,
        column: Int,
        row: Int,
        samples: Int
    ) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        let step = 1 / Double(samples)
        for vertical in 0..<samples {
            for horizontal in 0..<samples {
                let x = Double(column) + (Double(horizontal) + 0.5) * step
                let y = Double(row) + (Double(vertical) + 0.5) * step
                guard let seen = projection.tag(x: x, y: y) else { continue }
                let light = drawing.light(
                    x: Float(seen.place.x * scale - 0.5),
                    y: Float(seen.place.y * scale - 0.5)
                )
                let (share, shine) = (Float(seen.light), Float(seen.shine) * light.w)
                sum += light * SIMD4(share, share, share, 1) + SIMD4(shine, shine, shine, 0)
            }
        }
        return sum * Float(step * step)
    }

    private struct Bounds {
        let columns: Range<Int>
        let rows: Range<Int>
    }

    /// The part of the picture in which the drawing may be seen.
    private func bounds(
        of drawing: LightImage,
        scale: Double,
        _ projection: Projection
    ) -> Bounds? {
        let (right, bottom) = (Double(drawing.width) / scale, Double(drawing.height) / scale)
        let steps = 24
        let places = (0...steps).flatMap { horizontal in
            (0...steps).map { vertical in
                projection.picture(
                    Point(
                        right * Double(horizontal) / Double(steps),
                        bottom * Double(vertical) / Double(steps)
                    )
                )
            }
        }
        func range(_ values: [Double], limit: Int) -> Range<Int> {
            let first = min(max((values.min() ?? 0) - 12, 0), Double(limit))
            let last = min(max((values.max() ?? 0) + 12, 0), Double(limit))
            return Int(first)..<Int(last)
        }
        let columns = range(places.map(\.x), limit: width)
        let rows = range(places.map(\.y), limit: height)
        return columns.isEmpty || rows.isEmpty ? nil : Bounds(columns: columns, rows: rows)
    }

    private mutating func cast(
        _ depth: Double,
        of layer: LightImage,
        _ bounds: Bounds,
        reach: Double
    ) {
        guard depth > 0 else { return }
        let soft = layer.softened(deviation: min(max(reach, 1), 6))
        let shift = max(1, Int(reach))
        for row in bounds.rows.dropFirst(shift) {
            for column in bounds.columns.dropFirst(shift) {
                let cover = soft[
                    column - bounds.columns.lowerBound - shift,
                    row - bounds.rows.lowerBound - shift
                ].w
                let light = 1 - Float(depth) * cover
                self[column, row] *= SIMD4(light, light, light, 1)
            }
        }
    }
}
