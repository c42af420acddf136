#if canImport(Glibc)
private import Glibc
#endif

/// Why there is no symbol of a payload.
public struct QRSymbolError: Error, Equatable, CustomStringConvertible {
    /// The size of the payload.
    public let bytes: Int
    /// The error correction that was wanted.
    public let correction: QRSymbol.Correction
    /// The number of the system's error.
    private let number: Int32

    /// Describes what the encoder has left.
    package init(bytes: Int, correction: QRSymbol.Correction, number: Int32) {
        self.bytes = bytes
        self.correction = correction
        self.number = number
    }

    /// Whether no symbol holds so much.
    public var isTooLong: Bool { number == ERANGE }

    /// What is wrong, and what to do about it.
    public var description: String {
        guard isTooLong else { return "no symbol can be made of \(bytes) bytes (error \(number))" }
        let most = correction.mostBytes
        return "\(bytes) bytes do not fit into a QR symbol with error correction "
            + "\(correction.rawValue), which holds \(most) at most; "
            + (bytes <= QRSymbol.Correction.low.mostBytes
                ? "choose a lower one" : "make the payload shorter")
    }
}

extension QRSymbol.Correction {
    /// The bytes in the largest symbol, by ISO/IEC 18004.
    public var mostBytes: Int {
        switch self {
        case .low: 2953
        case .medium: 2331
        case .quartile: 1663
        case .high: 1273
        }
    }
}
