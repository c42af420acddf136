/// Writes PNGs of every kind: colour types, depths, interlacing, transparency.
///
/// Pixels are stored without compression, so that nothing but this file is needed.
struct PNGWriter {
    enum ColorType: UInt8, CaseIterable, Sendable {
        case gray = 0
        case rgb = 2
        case palette = 3
        case grayAlpha = 4
        case rgba = 6

        var depths: [Int] {
            switch self {
            case .gray: [1, 2, 4, 8, 16]
            case .palette: [1, 2, 4, 8]
            case .rgb, .grayAlpha, .rgba: [8, 16]
            }
        }

        var hasAlpha: Bool { self == .grayAlpha || self == .rgba }

        func samples(_ gray: Int, _ alpha: Int) -> [Int] {
            switch self {
            case .gray, .palette: [gray]
            case .rgb: [gray, gray, gray]
            case .grayAlpha: [gray, alpha]
            case .rgba: [gray, gray, gray, alpha]
            }
        }
    }

    var colorType: ColorType
    var depth: Int
    var isInterlaced = false

    /// Makes the light pixels transparent, by alpha or by `tRNS`.
    var lightIsTransparent = false

    /// Further chunks before the pixels.
    var extra: [(type: String, data: [UInt8])] = []

    /// A picture of dark and light pixels.
    func write(width: Int, height: Int, isDark: (_ x: Int, _ y: Int) -> Bool) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header =
            bigEndian(width) + bigEndian(height)
            + [UInt8(depth), colorType.rawValue, 0, 0, isInterlaced ? 1 : 0]
        file += chunk("IHDR", header)
        for (type, data) in extra { file += chunk(type, data) }
        if colorType == .palette { file += chunk("PLTE", [0, 0, 0, 255, 255, 255]) }
        if lightIsTransparent, let data = transparency { file += chunk("tRNS", data) }
        file += chunk("IDAT", stored(scanLines(width, height, isDark)))
        return file + chunk("IEND", [])
    }

    private var most: Int { (1 << depth) - 1 }

    private var transparency: [UInt8]? {
        let light = [UInt8(most >> 8), UInt8(most & 255)]
        return switch colorType {
        case .gray: light
        case .rgb: light + light + light
        case .palette: [255, 0]
        case .grayAlpha, .rgba: nil
        }
    }

    private func scanLines(_ width: Int, _ height: Int, _ isDark: (Int, Int) -> Bool) -> [UInt8] {
        // Adam7: first column, first row, and the steps between them.
        let adam7 = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
            (0, 1, 1, 2),
        ]
        var bytes: [UInt8] = []
        for (left, top, across, down) in isInterlaced ? adam7 : [(0, 0, 1, 1)] where left < width {
            for y in stride(from: top, to: height, by: down) {
                let samples = stride(from: left, to: width, by: across).flatMap { x in
                    sample(isDark: isDark(x, y))
                }
                bytes += [0] + pack(samples)
            }
        }
        return bytes
    }

    private func sample(isDark: Bool) -> [Int] {
        let light = colorType == .palette ? 1 : most
        return colorType.samples(isDark ? 0 : light, isDark || !lightIsTransparent ? most : 0)
    }

    private func pack(_ samples: [Int]) -> [UInt8] {
        if depth == 16 { return samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } }
        let perByte = 8 / depth
        return stride(from: 0, to: samples.count, by: perByte).map { start in
            (0..<perByte).reduce(0) { byte, index in
                let sample = start + index < samples.count ? samples[start + index] : 0
                return byte << UInt8(depth % 8) | UInt8(sample)
            }
        }
    }

    /// A zlib stream of uncompressed blocks.
    private func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: bytes.count, by: 65_535) {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let count = UInt16(block.count)
            stream.append(start + 65_535 >= bytes.count ? 1 : 0)
            for value in [count, ~count] { stream += [UInt8(value & 255), UInt8(value >> 8)] }
            stream += block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + bigEndian(Int(high << 16 | low))
    }

    private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return bigEndian(data.count) + body + bigEndian(Int(checksum(body)))
    }

    private func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = ~UInt32(0)
        for byte in bytes { sum = Self.remainders[Int((sum ^ UInt32(byte)) & 255)] ^ sum >> 8 }
        return ~sum
    }

    private static let remainders: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in
            sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1
        }
    }

    private func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
