package import CPrinting
private import Glibc

/// The modules of a QR symbol.
public struct QRSymbol: Equatable, Sendable {
    /// The share of a symbol that may be damaged without losing its payload.
    public enum Correction: String, CaseIterable, Sendable {
        /// About 7%.
        case low = "L"
        /// About 15%.
        case medium = "M"
        /// About 25%.
        case quartile = "Q"
        /// About 30%.
        case high = "H"
    }

    /// The smallest light border that a symbol needs on each side, in modules.
    public static let quietZone = 4

    /// The version, which sets the size: 1 to 40.
    public let version: Int
    /// The modules along one side, without the quiet zone.
    public let side: Int
    /// Whether each module is dark, row by row.
    private let dark: [Bool]

    /// Encodes bytes unchanged, in one 8-bit segment without an ECI.
    ///
    /// - Parameters:
    ///   - payload: The bytes.
    ///   - correction: The level of error correction.
    ///   - version: The smallest version to use; the smallest that fits if nil.
    /// - Throws: ``QRSymbolError`` if no symbol can hold the payload.
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
            throw QRSymbolError(bytes: payload.count, correction: correction, number: failure)
        }
        defer { unsafe QRcode_free(code) }
        unsafe self.init(code.pointee)
    }

    /// Copies the encoder's result; it keeps no reference to it.
    package init(_ code: QRcode) {
        unsafe version = Int(code.version)
        unsafe side = Int(code.width)
        // The lowest bit of each byte is the module; the others tell its function.
        unsafe dark = UnsafeBufferPointer(start: code.data, count: side * side).map { $0 & 1 == 1 }
    }

    /// Whether a module is dark.
    public func isDark(column: Int, row: Int) -> Bool {
        dark[row * side + column]
    }
}

extension QRSymbol.Correction {
    /// The level as the encoder's constant.
    package var level: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }
}
