/// Random numbers that are the same on every machine for the same seed (SplitMix64).
///
/// Its numbers are made here, and not by `Double.random(in:using:)`, because the standard library
/// may change how that draws on a generator.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Starts the sequence that belongs to a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A whole number from 0 up to, but not including, a bound.
    public mutating func number(below bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// A number from 0 up to, but not including, 1.
    public mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A number of the range, all equally likely.
    public mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * unit()
    }

    /// A nearly normal number of mean 0 and deviation 1, never beyond 3.5.
    ///
    /// It is the sum of four even ones: cheap, and free of the mathematics library, whose last bit
    /// differs between machines.
    public mutating func deviate() -> Double {
        let bits = next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + bits >> 48
        return (Double(sum) / 65535 - 2) * 3.0.squareRoot()
    }
}
