internal import CPrinting
private import Glibc
public import TagPrinting

extension QRSymbol {
    /// Encodes bytes over several symbols that belong together (structured append).
    ///
    /// - Parameters:
    ///   - payload: The bytes, more than one symbol of that version holds.
    ///   - correction: The level of error correction.
    ///   - version: The version of every part.
    /// - Returns: The parts in order, 16 at most.
    /// - Throws: `QRSymbolError` when 16 parts cannot hold the payload.
    public static func parts(
        of payload: [UInt8],
        correction: Correction = .medium,
        version: Int
    ) throws -> [QRSymbol] {
        let list = unsafe QRcode_encodeDataStructured(
            Int32(payload.count),
            payload,
            Int32(version),
            correction.level
        )
        let failure = errno
        guard let list = unsafe list else {
            throw QRSymbolError(bytes: payload.count, correction: correction, number: failure)
        }
        defer { unsafe QRcode_List_free(list) }
        var parts: [QRSymbol] = []
        var entry = unsafe Optional(list)
        while let part = unsafe entry {
            unsafe parts.append(QRSymbol(part.pointee.code.pointee))
            unsafe entry = part.pointee.next
        }
        return parts
    }

    /// The symbol in black on white.
    ///
    /// - Parameters:
    ///   - module: Pixels along one side of a module.
    ///   - quietZone: The light border on each side, in modules.
    /// - Returns: A picture with its quiet zone.
    public func image(module: Int, quietZone: Int = quietZone) -> GreyImage {
        let modules = 0..<side
        return GreyImage(width: side + 2 * quietZone, height: side + 2 * quietZone) { x, y in
            let (column, row) = (x - quietZone, y - quietZone)
            guard modules.contains(column), modules.contains(row) else { return 255 }
            return isDark(column: column, row: row) ? 0 : 255
        }.enlarged(by: module)
    }

    /// The same with everything covered in white but for the edges with finder and timing patterns: it
    /// looks like a symbol, and nobody can read it.
    ///
    /// - Parameter module: Pixels along one side of a module.
    /// - Returns: A picture with its quiet zone.
    public func coveredImage(module: Int) -> GreyImage {
        // Seven modules of a finder pattern, one beside it, and one of the format.
        let edge = 9
        var image = image(module: module)
        let inside = (side - edge) * module
        let start = (Self.quietZone + edge) * module
        image.paste(
            GreyImage(width: inside, height: inside, level: 255),
            column: start,
            row: start
        )
        return image
    }
}
