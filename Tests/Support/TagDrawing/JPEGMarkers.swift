/// Changes to a JPEG file (ITU-T T.81, annex B): for pictures that no honest program writes.
public enum JPEGMarkers {
    /// The marker that begins a file.
    private static let start: [UInt8] = [0xFF, 0xD8]
    /// The marker that ends one.
    private static let end: [UInt8] = [0xFF, 0xD9]

    /// A marker with its data.
    ///
    /// - Parameters:
    ///   - marker: The second byte of the marker.
    ///   - data: What it holds.
    /// - Returns: The bytes of the segment.
    public static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker] + bigEndian(data.count + 2) + data
    }

    /// Puts a segment behind the beginning of a file.
    ///
    /// - Parameters:
    ///   - marker: The second byte of its marker.
    ///   - data: What it holds.
    ///   - file: The bytes of a JPEG file.
    /// - Returns: The bytes of the file with the segment.
    public static func insert(_ marker: UInt8, _ data: [UInt8], into file: [UInt8]) -> [UInt8] {
        start + segment(marker, data) + file[start.count...]
    }

    /// Puts bytes between the data of a file and its end.
    ///
    /// - Parameters:
    ///   - bytes: What does not belong there.
    ///   - file: The bytes of a JPEG file.
    /// - Returns: The bytes of the file with them.
    public static func pad(_ bytes: [UInt8], into file: [UInt8]) -> [UInt8] {
        file.dropLast(end.count) + bytes + end
    }

    /// Has a file claim another size, depth or process than its data has.
    ///
    /// - Parameters:
    ///   - file: The bytes of a JPEG file.
    ///   - process: The second byte of the marker that says how the data is coded; nil to keep it.
    ///   - bits: The bits of a sample; nil to keep them.
    ///   - width: The width to claim; nil to keep it.
    ///   - height: The height to claim; nil to keep it.
    /// - Returns: The bytes of the file with the claims.
    public static func claim(
        _ file: [UInt8],
        process: UInt8? = nil,
        bits: UInt8? = nil,
        width: Int? = nil,
        height: Int? = nil
    ) -> [UInt8] {
        var place = start.count
        while place + 9 < file.count, !isFrame(file[place + 1]) {
            place += 2 + Int(file[place + 2]) << 8 + Int(file[place + 3])
        }
        precondition(place + 9 < file.count, "a frame is in the file")
        var file = file
        if let process { file[place + 1] = process }
        if let bits { file[place + 4] = bits }
        if let height { file.replaceSubrange(place + 5..<place + 7, with: bigEndian(height)) }
        if let width { file.replaceSubrange(place + 7..<place + 9, with: bigEndian(width)) }
        return file
    }

    /// A progressive grey picture of many scans, each of which changes nothing.
    ///
    /// - Parameters:
    ///   - count: How many scans, 882 at most.
    ///   - side: The width and height in pixels; at most 1,024, which a run of empty blocks covers.
    /// - Returns: The bytes of the file.
    public static func scans(_ count: Int, side: Int) -> [UInt8] {
        let blocks = ((side + 7) / 8) * ((side + 7) / 8)
        var file = start + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        file += segment(0xC2, [8] + bigEndian(side) + bigEndian(side) + [1, 1, 0x11, 0])
        // In each table, one code of a bit: no difference to the block before, and a run of 2¹⁴ blocks
        // or more that have nothing, of which the next 14 bits tell how many more.
        let lengths: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
        file += segment(0xC4, [0x00] + lengths + [0]) + segment(0xC4, [0x10] + lengths + [0xE0])
        file += segment(0xDA, [1, 1, 0, 0, 0, 0])
        file += [UInt8](repeating: 0, count: (blocks + 7) / 8)
        for number in 0..<count - 1 {
            // Each coefficient comes 14 times, from its highest bit down.
            let coefficient = UInt8(1 + number / 14)
            let low = UInt8(13 - number % 14)
            let high = low == 13 ? 0 : low + 1
            file += segment(0xDA, [1, 1, 0, coefficient, coefficient, high << 4 | low])
            file += [0, 0]
        }
        return file + end
    }

    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}
