/// Writes a PNG file with a palette, as specified in RFC 2083.
///
/// The pixels are stored without compression: the file is viewed once, and this needs no library.
enum PalettePNG {
    /// Writes a picture.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row, at least 1.
    ///   - height: Rows, at least 1.
    ///   - palette: Red, green and blue of each colour, 256 at most.
    ///   - pixels: Indices in the palette, row after row.
    /// - Returns: The bytes of the file.
    static func bytes(width: Int, height: Int, palette: [UInt8], pixels: [UInt8]) -> [UInt8] {
        // 8 bits a pixel, colour type 3, the standard compression and filter, no interlacing.
        let header = bigEndian(width) + bigEndian(height) + [8, 3, 0, 0, 0]
        var rows: [UInt8] = []
        rows.reserveCapacity((width + 1) * height)
        for row in 0..<height {
            // Each row begins with its filter type: none.
            rows.append(0)
            rows += pixels[row * width..<(row + 1) * width]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", header) + chunk("PLTE", palette) + chunk("IDAT", stored(rows))
            + chunk("IEND", [])
    }

    /// Wraps bytes in the zlib format without compression (RFC 1950 and 1951).
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let most = 0xFFFF
        var stream: [UInt8] = [0x78, 0x01]
        stream.reserveCapacity(bytes.count + bytes.count / most * 5 + 16)
        var start = 0
        repeat {
            let end = min(start + most, bytes.count)
            let count = end - start
            stream.append(end == bytes.count ? 1 : 0)
            stream += [UInt8(count & 255), UInt8(count >> 8)]
            stream += [UInt8(~count & 255), UInt8(~count >> 8 & 255)]
            stream += bytes[start..<end]
            start = end
        } while start < bytes.count
        return stream + bigEndian(adler(bytes))
    }

    private static func chunk(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + bytes
        return bigEndian(bytes.count) + body + bigEndian(Int(checksum(body)))
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// The checksum of the zlib format, Adler-32.
    private static func adler(_ bytes: [UInt8]) -> Int {
        var (one, two) = (1, 0)
        for byte in bytes {
            one = (one + Int(byte)) % 65521
            two = (two + one) % 65521
        }
        return two << 16 | one
    }

    /// The checksum of a chunk, CRC-32.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(0xFFFF_FFFF) { sum, byte in
            remainders[Int((sum ^ UInt32(byte)) & 255)] ^ sum >> 8
        }
    }

    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in
            sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1
        }
    }
}
