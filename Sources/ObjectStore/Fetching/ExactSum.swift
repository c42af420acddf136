/// The exact sum of floating-point numbers, rounded only at the end.
///
/// It does not depend on the order of the numbers; a sum that is rounded at each step does. Each
/// 64-bit number is an integer multiple of 2⁻¹⁰⁷⁴, so the sum is kept as one long integer.
package struct ExactSum: Sendable {
    /// Limbs of 32 bits, the lowest first; the highest one has the sign.
    ///
    /// Each has room for pending carries.
    private var limbs = [Int64](repeating: 0, count: limbCount)
    /// Additions since the last carry; a limb has room for far more than 2²⁰ of them.
    private var additions = 0
    private var positiveInfinities = 0
    private var negativeInfinities = 0
    /// The number of numbers.
    package private(set) var count = 0

    /// 2098 bits for any number, and 63 for carries.
    private static let limbCount = 70

    package init() {}

    /// Adds a number; after a NaN the sum is not a number.
    package mutating func add(_ number: Double) {
        count += 1
        guard number.isFinite else {
            if !(number > 0) { negativeInfinities += 1 }
            if !(number < 0) { positiveInfinities += 1 }
            return
        }
        let exponent = Int(number.exponentBitPattern)
        let significand = number.significandBitPattern | (exponent > 0 ? 1 << 52 : 0)
        let position = max(exponent, 1) - 1
        let shifted = UInt128(significand) << UInt128(position % 32)
        for offset in 0..<3 {
            let part = Int64(UInt32(truncatingIfNeeded: shifted >> UInt128(32 * offset)))
            limbs[position / 32 + offset] += number.sign == .minus ? -part : part
        }
        additions += 1
        if additions == 1 << 20 { carry() }
    }

    /// The sum, or infinity if it is too large for a number; nil if it is not a number.
    ///
    /// A NaN, or infinities of both signs, make it so.
    package var sum: Double? {
        if positiveInfinities > 0 { return negativeInfinities > 0 ? nil : .infinity }
        if negativeInfinities > 0 { return -.infinity }
        return rounded(exponent: 0)
    }

    /// The sum divided by the count; nil if it is not a number, or the count is 0.
    package var mean: Double? {
        guard count > 0, let sum else { return nil }
        if sum.isFinite || positiveInfinities + negativeInfinities > 0 {
            return sum / Double(count)
        }
        // The mean of large numbers is finite even if their sum is not.
        return rounded(exponent: -64) / Double(count) * 0x1p64
    }

    private mutating func carry() {
        additions = 0
        for index in 0..<Self.limbCount - 1 {
            limbs[index + 1] += limbs[index] >> 32
            limbs[index] &= 0xFFFF_FFFF
        }
    }

    /// The nearest number to the sum times two to an exponent, on a tie the even one.
    ///
    /// The exponent is 0 except for a very large sum.
    private func rounded(exponent: Int) -> Double {
        var magnitude = self
        magnitude.carry()
        let isNegative = magnitude.limbs[Self.limbCount - 1] < 0
        if isNegative {
            magnitude.limbs = magnitude.limbs.map { -$0 }
            magnitude.carry()
        }
        let value = magnitude.roundedMagnitude(exponent: exponent)
        return isNegative ? -value : value
    }

    private func roundedMagnitude(exponent: Int) -> Double {
        guard let top = limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        let highest = 32 * top + 63 - limbs[top].leadingZeroBitCount
        // Small sums are exact: their bits are those of the number.
        if highest <= 52 { return Double(bitPattern: UInt64(bits(from: 0) & (1 << 53 - 1))) }
        let lowest = highest - 52
        let significand = UInt64(bits(from: lowest) & (1 << 53 - 1))
        let half = bits(from: lowest - 1) & 1 == 1
        let isEven = significand & 1 == 0
        let roundsUp = half && (!isEven || hasBits(below: lowest - 1))
        let field = lowest + 1 + exponent
        if field > 2046 { return .infinity }
        // If rounding makes the significand too long, the carry adds one to the exponent beside it.
        return Double(
            bitPattern: UInt64(field) << 52 + (significand - 1 << 52) + (roundsUp ? 1 : 0)
        )
    }

    /// At least 64 bits from a position upwards.
    private func bits(from position: Int) -> UInt128 {
        var bits: UInt128 = 0
        for offset in 0..<3 where position / 32 + offset < Self.limbCount {
            bits |= UInt128(limbs[position / 32 + offset]) << UInt128(32 * offset)
        }
        return bits >> UInt128(position % 32)
    }

    private func hasBits(below position: Int) -> Bool {
        let (index, rest) = (position / 32, position % 32)
        return limbs[index] & (1 << rest - 1) != 0 || limbs[..<index].contains { $0 != 0 }
    }
}
