/// Changes to a PNG file that leave its checksums right: for pictures that no honest program writes.
public enum PNGChunks {
    /// The signature and the header chunk, which begin every file.
    private static let headerEnd = 33

    /// A chunk with its length and checksum.
    ///
    /// - Parameters:
    ///   - type: The four letters of its name.
    ///   - data: What it holds.
    /// - Returns: The bytes of the chunk.
    public static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(checksum(of: body))
    }

    /// Puts a chunk behind the header of a file.
    ///
    /// - Parameters:
    ///   - type: The four letters of its name.
    ///   - data: What it holds.
    ///   - file: The bytes of a PNG file.
    /// - Returns: The bytes of the file with the chunk.
    public static func insert(_ type: String, _ data: [UInt8], into file: [UInt8]) -> [UInt8] {
        file[..<headerEnd] + chunk(type, data) + file[headerEnd...]
    }

    /// Has a file claim another size than its pixels have.
    ///
    /// - Parameters:
    ///   - file: The bytes of a PNG file.
    ///   - width: The width to claim.
    ///   - height: The height to claim.
    /// - Returns: The bytes of the file with the claim.
    public static func claim(_ file: [UInt8], width: UInt32, height: UInt32) -> [UInt8] {
        // The size follows the signature, the chunk's length and its name; then come five bytes more.
        let header = bigEndian(width) + bigEndian(height) + file[24..<29]
        return file[..<8] + chunk("IHDR", header) + file[headerEnd...]
    }

    /// Makes the checksum of every chunk right, as far as chunks can be told apart.
    ///
    /// - Parameter file: Bytes that begin like a PNG file.
    /// - Returns: The bytes with their checksums mended.
    public static func mended(_ file: [UInt8]) -> [UInt8] {
        var file = file
        var start = 8
        while start + 12 <= file.count {
            let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let end = start + 8 + length
            guard end + 4 <= file.count else { break }
            let sum = checksum(of: Array(file[start + 4..<end]))
            file.replaceSubrange(end..<end + 4, with: bigEndian(sum))
            start = end + 4
        }
        return file
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// CRC-32 as in Annex D of the PNG specification.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
