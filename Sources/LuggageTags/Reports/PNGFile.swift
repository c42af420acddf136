internal import CDigests

/// Writes PNG files (RFC 2083) of 8 bits a pixel, with nothing in them but their pixels.
package enum PNGFile {
    /// Writes a picture in grey.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row, at least 1.
    ///   - height: Rows, at least 1.
    ///   - luminance: One byte per pixel, 0 for black, row after row.
    /// - Returns: The bytes of the file; nil if there is no memory for it.
    package static func grey(width: Int, height: Int, luminance: [UInt8]) -> [UInt8]? {
        var rows: [UInt8] = []
        rows.reserveCapacity((width + 1) * height)
        for row in 0..<height {
            // Differences to the pixel before compress better than the pixels.
            rows.append(1)
            var before: UInt8 = 0
            for pixel in luminance[row * width..<(row + 1) * width] {
                rows.append(pixel &- before)
                before = pixel
            }
        }
        guard let data = compressed(rows, level: 6) else { return nil }
        return signature + header(width, height, colours: 0) + chunk("IDAT", data)
            + chunk("IEND", [])
    }

    /// Writes a picture with a palette, without compression: it is viewed once.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row, at least 1.
    ///   - height: Rows, at least 1.
    ///   - palette: Red, green and blue of each colour, 256 at most.
    ///   - pixels: Indices in the palette, row after row.
    /// - Returns: The bytes of the file; nil if there is no memory for it.
    package static func coloured(
        width: Int,
        height: Int,
        palette: [UInt8],
        pixels: [UInt8]
    ) -> [UInt8]? {
        var rows: [UInt8] = []
        rows.reserveCapacity((width + 1) * height)
        for row in 0..<height {
            // Each row begins with its filter type: none.
            rows.append(0)
            rows += pixels[row * width..<(row + 1) * width]
        }
        guard let data = compressed(rows, level: 0) else { return nil }
        return signature + header(width, height, colours: 3) + chunk("PLTE", palette)
            + chunk("IDAT", data) + chunk("IEND", [])
    }

    private static let signature = PNGCompleteness.signature

    /// Says 8 bits a pixel, the type of the colours, the standard compression and filter, no interlacing.
    private static func header(_ width: Int, _ height: Int, colours: UInt8) -> [UInt8] {
        chunk("IHDR", bigEndian(width) + bigEndian(height) + [8, colours, 0, 0, 0])
    }

    private static func compressed(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        var length = compressBound(UInt(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(length))
        let result = unsafe compress2(&output, &length, bytes, UInt(bytes.count), level)
        return result == Z_OK ? Array(output.prefix(Int(length))) : nil
    }

    private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + bytes
        let sum = unsafe crc32(0, body, UInt32(body.count))
        return bigEndian(bytes.count) + body + bigEndian(Int(sum))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
