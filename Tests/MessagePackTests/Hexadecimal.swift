import Foundation

/// The bytes that hexadecimal digits stand for; spaces and all else are for the reader.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue).map { UInt8($0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

extension Sequence<UInt8> {
    var hexadecimal: String {
        map { String(format: "%02x", $0) }.joined()
    }
}
