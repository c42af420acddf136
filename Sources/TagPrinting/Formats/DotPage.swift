internal import CPrinting

/// A page as printer dots.
struct DotPage: ~Copyable {
    let width: Int
    let height: Int
    private let surface: CairoSurface

    /// Begins with an empty page.
    init(size page: TagPage) throws {
        width = page.width
        height = page.height
        // The surface holds the amount of ink for each dot.
        surface = try unsafe CairoSurface(
            cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(page.width), Int32(page.height))
        )
    }

    func draw(_ page: TagPage, at resolution: Resolution) throws {
        let drawing = try unsafe PageDrawing(on: surface.pointer, scale: 1)
        try drawing.draw(page, at: resolution)
        unsafe cairo_surface_flush(surface.pointer)
    }

    /// The rows, one bit per dot from the high bit down, 1 for black; each row begins a new byte.
    func bits() -> [[UInt8]] {
        guard let data = unsafe cairo_image_surface_get_data(surface.pointer) else { return [] }
        let stride = Int(unsafe cairo_image_surface_get_stride(surface.pointer))
        return (0..<height).map { row in
            let ink = unsafe UnsafeBufferPointer(start: data + row * stride, count: width)
            var bytes = [UInt8](repeating: 0, count: (width + 7) / 8)
            var column = 0
            while column < width {
                let end = min(column + 8, width)
                var byte: UInt8 = 0
                for place in column..<end { unsafe byte = byte << 1 | ink[place] >> 7 }
                bytes[column / 8] = byte << UInt8(8 - (end - column))
                column = end
            }
            return bytes
        }
    }

    /// The page as a PNG file in greyscale, with its dots per metre.
    consuming func png(at resolution: Resolution) throws -> [UInt8] {
        guard let data = unsafe cairo_image_surface_get_data(surface.pointer) else {
            throw TagPrintingError(CAIRO_STATUS_NULL_POINTER)
        }
        let stride = Int(unsafe cairo_image_surface_get_stride(surface.pointer))
        // Ink is dark: invert it.
        let levels = unsafe UnsafeMutableBufferPointer(start: data, count: stride * height)
        for place in levels.indices { unsafe levels[place] = 255 - levels[place] }
        unsafe cairo_surface_mark_dirty(surface.pointer)
        let sink = ByteSink()
        let status = unsafe cairo_surface_write_to_png_stream(
            surface.pointer,
            ByteSink.append,
            sink.closure
        )
        if status != CAIRO_STATUS_SUCCESS { throw TagPrintingError(status) }
        return PNGScale.add(resolution, to: sink.bytes)
    }
}

/// Adds the size of the pixels to a PNG file (`pHYs`), which cairo leaves out.
enum PNGScale {
    /// The length of the parts that always come first: the signature and `IHDR`.
    private static let start = 8 + 12 + 13

    /// Adds the chunk after the header.
    static func add(_ resolution: Resolution, to png: [UInt8]) -> [UInt8] {
        let dotsPerMetre = UInt32((Double(resolution.dotsPerInch) / 0.0254).rounded())
        // The unit is the metre.
        let body = Array("pHYs".utf8) + bytes(dotsPerMetre) + bytes(dotsPerMetre) + [1]
        let chunk = bytes(9) + body + bytes(checksum(body))
        return png.prefix(start) + chunk + png.dropFirst(start)
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The CRC-32 of a chunk, computed bit by bit because there is only one of a few bytes.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1
            }
        }
    }
}
