internal import CTagDrawing
private import Glibc

/// The modules of a QR symbol.
public struct QRSymbol: Equatable, Sendable {
    /// How much of a symbol may be damaged before its payload is lost.
    public enum Correction: CaseIterable, Sendable {
        /// About 7%.
        case low
        /// About 15%.
        case medium
        /// About 25%.
        case quartile
        /// About 30%.
        case high
    }

    /// The smallest light border that a symbol needs on each side, in modules.
    public static let quietZone = 4

    /// The size, 1 to 40.
    public let version: Int
    /// Modules along one side, without the quiet zone.
    public let side: Int
    /// Whether each module is dark, row by row.
    private let dark: [Bool]

    /// Encodes bytes as they are, in one 8-bit segment without an ECI.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - correction: The level of error correction.
    ///   - version: The smallest version to use; the smallest that fits if nil.
    /// - Throws: `TagDrawingError` when no symbol can hold the payload.
    public init(
        _ payload: [UInt8],
        correction: Correction = .medium,
        version: Int? = nil
    ) throws {
        let code = unsafe QRcode_encodeData(
            Int32(payload.count),
            payload,
            Int32(version ?? 0),
            correction.level
        )
        let failure = errno
        guard let code = unsafe code else {
            throw TagDrawingError.symbol(bytes: payload.count, errno: failure)
        }
        defer { unsafe QRcode_free(code) }
        unsafe self.init(code.pointee)
    }

    /// Encodes bytes over several symbols that belong together (structured append).
    ///
    /// - Parameters:
    ///   - payload: The bytes, more than one symbol of that version holds.
    ///   - correction: The level of error correction.
    ///   - version: The version of every part.
    /// - Returns: The parts in order, 16 at most.
    /// - Throws: `TagDrawingError` when 16 parts cannot hold the payload.
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
            throw TagDrawingError.symbol(bytes: payload.count, errno: failure)
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

    private init(_ code: QRcode) {
        unsafe version = Int(code.version)
        unsafe side = Int(code.width)
        // The lowest bit of each byte is the module; the others tell what it is for.
        unsafe dark = UnsafeBufferPointer(start: code.data, count: side * side).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark.
    public func isDark(column: Int, row: Int) -> Bool {
        dark[row * side + column]
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
}

extension QRSymbol.Correction {
    fileprivate var level: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }
}
