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
