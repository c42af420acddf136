internal import Foundation

extension GreyImage {
    /// The picture out of focus; beyond an edge, its last pixels go on.
    ///
    /// - Parameter deviation: How far the light of a pixel spreads, in pixels (standard deviation).
    /// - Returns: The picture, of the same size.
    public func blurred(deviation: Double) -> GreyImage {
        guard deviation > 0 else { return self }
        let reach = Int((3 * deviation).rounded(.up))
        let bell = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let total = bell.reduce(0, +)
        let weights = bell.map { $0 / total }
        // A row is spread and laid down as a column; doing it twice spreads both ways.
        return spreadAndTransposed(weights).spreadAndTransposed(weights)
    }

    private func spreadAndTransposed(_ weights: [Double]) -> GreyImage {
        let reach = weights.count / 2
        var result = GreyImage(width: height, height: width, level: 0)
        for row in 0..<height {
            let line = samples[row * width..<(row + 1) * width].map { Double($0) }
            let before = [Double](repeating: line[0], count: reach)
            let after = [Double](repeating: line[width - 1], count: reach)
            let extended = before + line + after
            for column in 0..<width {
                var sum = 0.0
                for index in 0..<weights.count {
                    sum += weights[index] * extended[column + index]
                }
                result[row, column] = UInt8(min(sum.rounded(), 255))
            }
        }
        return result
    }
}
