internal import CPrinting
internal import CTagDrawing
internal import Foundation
internal import TagDrawing

/// A picture made small, to be put into a page.
struct Thumbnail {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// A JPEG file.
    let bytes: [UInt8]

    /// Makes a PNG or JPEG file small; nil where there is no such picture.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - side: The longer side in pixels.
    init?(of path: String, side: Int) {
        guard let picture = Surface(path, side: side) else { return nil }
        let scale = min(Double(side) / Double(max(picture.width, picture.height)), 1)
        width = max(Int(Double(picture.width) * scale), 1)
        height = max(Int(Double(picture.height) * scale), 1)
        let samples = picture.samples(width: width, height: height)
        let format = JPEGFormat(.yCbCr, quality: 72)
        guard let bytes = try? format.file(of: samples, width: width, height: height) else {
            return nil
        }
        self.bytes = bytes
    }
}

/// A picture as cairo keeps it.
@safe
private struct Surface: ~Copyable {
    private let surface: OpaquePointer
    /// Pixels that are not cairo's own.
    private let pixels: UnsafeMutablePointer<UInt8>?

    init?(_ path: String, side: Int) {
        let file = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
        let isJPEG = file.starts(with: [0xFF, 0xD8])
        let small = unsafe file.withUnsafeBytes { bytes in
            isJPEG
                ? unsafe tag_jpeg_read_small(
                    bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
                    bytes.count,
                    UInt32(side)
                ) : unsafe tag_small_picture()
        }
        unsafe pixels = small.pixels
        let opened =
            isJPEG
            ? unsafe cairo_image_surface_create_for_data(
                small.pixels,
                CAIRO_FORMAT_RGB24,
                Int32(small.width),
                Int32(small.height),
                Int32(4 * small.width)
            ) : unsafe cairo_image_surface_create_from_png(path)
        let isOpen = unsafe cairo_surface_status(opened) == CAIRO_STATUS_SUCCESS
        let hasPixels = unsafe small.pixels != nil
        guard let opened = unsafe opened, isOpen, hasPixels || !isJPEG else {
            unsafe cairo_surface_destroy(opened)
            unsafe free(pixels)
            return nil
        }
        unsafe surface = opened
    }

    deinit {
        unsafe cairo_surface_destroy(surface)
        unsafe free(pixels)
    }

    var width: Int { Int(unsafe cairo_image_surface_get_width(surface)) }
    var height: Int { Int(unsafe cairo_image_surface_get_height(surface)) }

    /// Red, green and blue of each pixel at another size, white below what is transparent.
    func samples(width: Int, height: Int) -> [UInt8] {
        let small = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_RGB24,
            Int32(width),
            Int32(height)
        )
        let context = unsafe cairo_create(small)
        defer {
            unsafe cairo_destroy(context)
            unsafe cairo_surface_destroy(small)
        }
        unsafe cairo_set_source_rgb(context, 1, 1, 1)
        unsafe cairo_paint(context)
        unsafe cairo_scale(
            context,
            Double(width) / Double(self.width),
            Double(height) / Double(self.height)
        )
        unsafe cairo_set_source_surface(context, surface, 0, 0)
        unsafe cairo_paint(context)
        unsafe cairo_surface_flush(small)
        var samples: [UInt8] = []
        samples.reserveCapacity(3 * width * height)
        guard let data = unsafe cairo_image_surface_get_data(small) else { return samples }
        let stride = Int(unsafe cairo_image_surface_get_stride(small))
        for row in 0..<height {
            for column in 0..<width {
                let place = row * stride + 4 * column
                for channel in [2, 1, 0] { unsafe samples.append(data[place + channel]) }
            }
        }
        return samples
    }
}
