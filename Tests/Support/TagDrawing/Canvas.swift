internal import CPrinting

/// A picture that is being drawn with cairo; lengths are in units of its scale.
@safe
package struct Canvas: ~Copyable {
    private let surface: OpaquePointer
    private let context: OpaquePointer
    private let width: Int
    private let height: Int

    /// Makes a transparent canvas.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - scale: Pixels in one unit of length.
    /// - Throws: `TagDrawingError.drawing` when cairo has no memory for it.
    package init(width: Int, height: Int, scale: Double) throws {
        let surface = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_ARGB32,
            Int32(width),
            Int32(height)
        )
        let context = unsafe cairo_create(surface)
        // cairo returns objects in a state of error rather than nil.
        let status = unsafe cairo_status(context)
        guard let surface = unsafe surface, let context = unsafe context,
            status == CAIRO_STATUS_SUCCESS
        else {
            unsafe cairo_destroy(context)
            unsafe cairo_surface_destroy(surface)
            throw TagDrawingError.drawing(unsafe String(cString: cairo_status_to_string(status)))
        }
        unsafe self.surface = surface
        unsafe self.context = context
        self.width = width
        self.height = height
        unsafe cairo_scale(context, scale, scale)
        unsafe cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
        unsafe cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    }

    deinit {
        unsafe cairo_destroy(context)
        unsafe cairo_surface_destroy(surface)
    }

    /// Fills a rectangle, with round corners if `radius` is above 0.
    package func fill(_ rectangle: Rectangle, radius: Double = 0, colour: Colour) {
        outline(rectangle, radius: radius)
        use(colour)
        unsafe cairo_fill(context)
    }

    /// Draws only inside of a rectangle with round corners from now on.
    package func clip(to rectangle: Rectangle, radius: Double) {
        outline(rectangle, radius: radius)
        unsafe cairo_clip(context)
    }

    /// Draws the edge of a rectangle.
    package func stroke(_ rectangle: Rectangle, radius: Double = 0, weight: Double, colour: Colour)
    {
        outline(rectangle, radius: radius)
        use(colour)
        unsafe cairo_set_line_width(context, weight)
        unsafe cairo_stroke(context)
    }

    /// Draws a line of dashes.
    package func dashes(
        from start: Point,
        to end: Point,
        weight: Double,
        length: Double,
        colour: Colour
    ) {
        var pattern = [length, length]
        unsafe cairo_set_dash(context, &pattern, 2, 0)
        stroke([StrokePath(corners: [.sharp(start), .sharp(end)])], weight: weight, colour: colour)
        unsafe cairo_set_dash(context, &pattern, 0, 0)
    }

    /// Draws lines with round ends.
    package func stroke(_ paths: [StrokePath], weight: Double, colour: Colour) {
        use(colour)
        unsafe cairo_set_line_width(context, weight)
        for path in paths {
            trace(path)
        }
        unsafe cairo_stroke(context)
    }

    /// Draws something turned a quarter to the left around a point, which becomes the origin.
    package func turned(around origin: Point, _ draw: () -> Void) {
        unsafe cairo_save(context)
        unsafe cairo_translate(context, origin.x, origin.y)
        unsafe cairo_rotate(context, -Double.pi / 2)
        draw()
        unsafe cairo_restore(context)
    }

    /// What has been drawn; white below what is transparent.
    package func image() -> ColourImage {
        unsafe cairo_surface_flush(surface)
        var image = ColourImage(width: width, height: height, colour: .white)
        guard let data = unsafe cairo_image_surface_get_data(surface) else { return image }
        let stride = Int(unsafe cairo_image_surface_get_stride(surface))
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: stride * height)
        for row in 0..<height {
            for column in 0..<width {
                let pixel = unsafe bytes.load(
                    fromByteOffset: row * stride + 4 * column,
                    as: UInt32.self
                )
                let alpha = Int(pixel >> 24)
                image.alpha[column, row] = UInt8(alpha)
                guard alpha > 0 else { continue }
                // cairo keeps colours multiplied by their opacity.
                func level(_ shift: Int) -> UInt8 {
                    UInt8(min((Int(pixel >> shift & 0xFF) * 255 + alpha / 2) / alpha, 255))
                }
                image.red[column, row] = level(16)
                image.green[column, row] = level(8)
                image.blue[column, row] = level(0)
            }
        }
        return image
    }

    /// What has been drawn, row by row: alpha, red, green and blue from the high byte down, colours
    /// multiplied by their opacity.
    package func premultiplied() -> [UInt32] {
        unsafe cairo_surface_flush(surface)
        guard let data = unsafe cairo_image_surface_get_data(surface) else {
            return [UInt32](repeating: 0, count: width * height)
        }
        let stride = Int(unsafe cairo_image_surface_get_stride(surface))
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: stride * height)
        var pixels: [UInt32] = []
        pixels.reserveCapacity(width * height)
        for row in 0..<height {
            for column in 0..<width {
                let offset = row * stride + 4 * column
                unsafe pixels.append(bytes.load(fromByteOffset: offset, as: UInt32.self))
            }
        }
        return pixels
    }

    private func use(_ colour: Colour) {
        unsafe cairo_set_source_rgba(
            context,
            Double(colour.red) / 255,
            Double(colour.green) / 255,
            Double(colour.blue) / 255,
            Double(colour.alpha) / 255
        )
    }

    private func outline(_ rectangle: Rectangle, radius: Double) {
        unsafe cairo_new_path(context)
        let (left, top) = (rectangle.x + radius, rectangle.y + radius)
        let right = rectangle.x + rectangle.width - radius
        let bottom = rectangle.y + rectangle.height - radius
        let quarter = Double.pi / 2
        unsafe cairo_arc(context, left, top, radius, 2 * quarter, 3 * quarter)
        unsafe cairo_arc(context, right, top, radius, 3 * quarter, 4 * quarter)
        unsafe cairo_arc(context, right, bottom, radius, 0, quarter)
        unsafe cairo_arc(context, left, bottom, radius, quarter, 2 * quarter)
        unsafe cairo_close_path(context)
    }

    private func trace(_ path: StrokePath) {
        guard let first = path.corners.first, let last = path.corners.last else { return }
        unsafe cairo_move_to(context, first.point.x, first.point.y)
        for index in path.corners.indices.dropFirst().dropLast() {
            guard path.corners[index].isRound else {
                let corner = path.corners[index].point
                unsafe cairo_line_to(context, corner.x, corner.y)
                continue
            }
            let bend = path.bend(at: index)
            unsafe cairo_line_to(context, bend.start.x, bend.start.y)
            unsafe cairo_curve_to(
                context,
                bend.startPull.x,
                bend.startPull.y,
                bend.endPull.x,
                bend.endPull.y,
                bend.end.x,
                bend.end.y
            )
        }
        unsafe cairo_line_to(context, last.point.x, last.point.y)
    }
}

/// An upright rectangle.
package struct Rectangle {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }
}
