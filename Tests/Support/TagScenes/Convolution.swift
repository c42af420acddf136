internal import Foundation

/// What becomes of a point of light: shares of it at places around it.
struct PointSpread: Sendable {
    struct Share: Sendable {
        let column: Int
        let row: Int
        let weight: Float
    }

    let shares: [Share]

    private init(_ weights: [[Double]]) {
        let reach = weights.count / 2
        let total = weights.joined().reduce(0, +)
        shares = weights.indices.flatMap { row in
            weights.indices.compactMap { column in
                let weight = weights[row][column] / total
                guard weight > 1e-5 else { return nil }
                return Share(column: column - reach, row: row - reach, weight: Float(weight))
            }
        }
    }

    /// The disc that a lens out of focus makes of a point, its radius in pixels.
    static func disc(radius: Double) -> PointSpread {
        let reach = Int(radius.rounded(.up))
        return PointSpread(
            (-reach...reach).map { row in
                (-reach...reach).map { column in
                    let distance = Double(column * column + row * row).squareRoot()
                    return min(max(radius + 0.5 - distance, 0), 1)
                }
            }
        )
    }

    /// The line that a moving hand makes of a point, with a slight bend.
    ///
    /// - Parameters:
    ///   - length: The length of the line in pixels.
    ///   - angle: Its direction in radians.
    ///   - bend: How far its middle leaves the straight line, as a share of the length.
    /// - Returns: The shares along the line.
    static func motion(length: Double, angle: Double, bend: Double) -> PointSpread {
        let reach = Int((length / 2 + abs(bend) * length).rounded(.up)) + 1
        var weights = [[Double]](
            repeating: [Double](repeating: 0, count: 2 * reach + 1),
            count: 2 * reach + 1
        )
        let steps = max(Int(length * 4), 1)
        for step in 0...steps {
            let way = Double(step) / Double(steps) - 0.5
            let along = way * length
            let across = bend * length * (0.25 - way * way) * 4 - bend * length / 2
            let x = along * cos(angle) - across * sin(angle) + Double(reach)
            let y = along * sin(angle) + across * cos(angle) + Double(reach)
            let (left, top) = (Int(x), Int(y))
            let (right, bottom) = (x - Double(left), y - Double(top))
            weights[top][left] += (1 - right) * (1 - bottom)
            weights[top][left + 1] += right * (1 - bottom)
            weights[top + 1][left] += (1 - right) * bottom
            weights[top + 1][left + 1] += right * bottom
        }
        return PointSpread(weights)
    }
}

extension LightImage {
    /// The picture with each point of light spread; beyond an edge, its last pixels go on.
    func spread(by spread: PointSpread) -> LightImage {
        var result = LightImage(width: width, height: height)
        for row in 0..<height {
            for share in spread.shares {
                let source = min(max(row + share.row, 0), height - 1) * width
                let target = row * width
                for column in 0..<width {
                    let from = source + min(max(column + share.column, 0), width - 1)
                    result.pixels[target + column] += pixels[from] * share.weight
                }
            }
        }
        return result
    }

    /// The picture with its light spread like a bell, with a standard deviation in pixels.
    func softened(deviation: Double) -> LightImage {
        guard deviation > 0 else { return self }
        let reach = Int((3 * deviation).rounded(.up))
        let bell = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let total = bell.reduce(0, +)
        let weights = bell.map { Float($0 / total) }
        return spreadAlongRows(weights).spreadAlongColumns(weights)
    }

    private func spreadAlongRows(_ weights: [Float]) -> LightImage {
        let reach = weights.count / 2
        var result = LightImage(width: width, height: height)
        for row in 0..<height {
            let start = row * width
            for column in 0..<width {
                var sum = SIMD4<Float>.zero
                for index in weights.indices {
                    let from = min(max(column + index - reach, 0), width - 1)
                    sum += pixels[start + from] * weights[index]
                }
                result.pixels[start + column] = sum
            }
        }
        return result
    }

    private func spreadAlongColumns(_ weights: [Float]) -> LightImage {
        let reach = weights.count / 2
        var result = LightImage(width: width, height: height)
        for row in 0..<height {
            for index in weights.indices {
                let source = min(max(row + index - reach, 0), height - 1) * width
                for column in 0..<width {
                    result.pixels[row * width + column] += pixels[source + column] * weights[index]
                }
            }
        }
        return result
    }
}
