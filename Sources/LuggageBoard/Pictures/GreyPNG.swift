internal import CDigests

/// Writes a picture in grey as a PNG file (RFC 2083), with nothing in it but its pixels.
enum GreyPNG {
    /// Writes a picture.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row, at least 1.
    ///   - height: Rows, at least 1.
    ///   - luminance: One byte per pixel, 0 for black, row after row.
    /// - Returns: The bytes of the file; nil if there is no memory for it.
    static func bytes(width: Int, height: Int, luminance: [UInt8]) -> [UInt8]? {
        // 8 bits a pixel, colour type 0, the standard compression and filter, no interlacing.
        let header = bigEndian(width) + bigEndian(height) + [8, 0, 0, 0, 0]
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
        guard let compressed = compressed(rows) else { return nil }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("IDAT", compressed) + chunk("IEND", [])
    }

    private static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var length = compressBound(UInt(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(length))
        let result = unsafe compress2(&output, &length, bytes, UInt(bytes.count), 6)
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
