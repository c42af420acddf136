private import Glibc

/// The error of a payload for which no symbol can be made.
public struct QRSymbolError: Error, Equatable, CustomStringConvertible {
    /// The size of the payload.
    public let bytes: Int
    /// The requested error correction.
    public let correction: QRSymbol.Correction
    /// The system's error number.
    private let number: Int32

    /// Makes an error from the encoder's result.
    package init(bytes: Int, correction: QRSymbol.Correction, number: Int32) {
        self.bytes = bytes
        self.correction = correction
        self.number = number
    }

    /// Whether the payload is too long for any symbol.
    public var isTooLong: Bool { number == ERANGE }

    /// The error and its remedy.
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
    /// The capacity of the largest symbol in bytes, by ISO/IEC 18004.
    public var mostBytes: Int {
        switch self {
        case .low: 2953
        case .medium: 2331
        case .quartile: 1663
        case .high: 1273
        }
    }
}
