internal import Foundation

/// What the lossy part of JPEG (ITU-T T.81) does to a picture: colours apart from brightness and
/// halved, blocks of 8 by 8 pixels to frequencies, frequencies rounded, and all the way back.
struct JPEGArtefacts {
    /// 8 rows of 8 numbers.
    private typealias Block = InlineArray<8, SIMD8<Float>>

    /// The quality from 1 to 100 as the Independent JPEG Group's library scales its tables.
    let quality: Int

    /// The picture after it was stored as a JPEG file.
    func applied(to exposure: Exposure) -> Exposure {
        let (width, height) = (exposure.width, exposure.height)
        var result = exposure
        guard exposure.planes.count == 3 else {
            let table = scaled(Self.brightness)
            result.planes = exposure.planes.map { rounded($0, width, height, table) }
            return result
        }
        var (bright, blue, red) = Self.apart(exposure)
        bright = rounded(bright, width, height, scaled(Self.brightness))
        let colours = scaled(Self.colour)
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        for (index, plane) in [blue, red].enumerated() {
            let small = rounded(Self.halved(plane, width, height), halfWidth, halfHeight, colours)
            let full = Self.doubled(small, halfWidth, width, height)
            if index == 0 { blue = full } else { red = full }
        }
        for index in bright.indices {
            let (y, cb, cr) = (bright[index], blue[index] - 128, red[index] - 128)
            result.planes[0][index] = y + 1.402 * cr
            result.planes[1][index] = y - 0.344_136 * cb - 0.714_136 * cr
            result.planes[2][index] = y + 1.772 * cb
        }
        return result
    }

    /// Brightness and the two differences of colour (ITU-T T.871), all around 128.
    private static func apart(_ exposure: Exposure) -> ([Float], [Float], [Float]) {
        var bright = exposure.planes[0]
        var blue = bright
        var red = bright
        for index in bright.indices {
            func level(_ plane: Int) -> Float {
                min(max(exposure.planes[plane][index].rounded(), 0), 255)
            }
            let (r, g, b) = (level(0), level(1), level(2))
            bright[index] = 0.299 * r + 0.587 * g + 0.114 * b
            blue[index] = 128 - 0.168_736 * r - 0.331_264 * g + 0.5 * b
            red[index] = 128 + 0.5 * r - 0.418_688 * g - 0.081_312 * b
        }
        return (bright, blue, red)
    }

    private static func halved(_ plane: [Float], _ width: Int, _ height: Int) -> [Float] {
        let (halfWidth, halfHeight) = ((width + 1) / 2, (height + 1) / 2)
        var result = [Float](repeating: 0, count: halfWidth * halfHeight)
        for row in 0..<halfHeight {
            let (top, bottom) = (2 * row * width, min(2 * row + 1, height - 1) * width)
            for column in 0..<halfWidth {
                let (left, right) = (2 * column, min(2 * column + 1, width - 1))
                let sum =
                    plane[top + left] + plane[top + right] + plane[bottom + left]
                    + plane[bottom + right]
                result[row * halfWidth + column] = sum / 4
            }
        }
        return result
    }

    private static func doubled(
        _ plane: [Float],
        _ halfWidth: Int,
        _ width: Int,
        _ height: Int
    ) -> [Float] {
        var result = [Float](repeating: 0, count: width * height)
        for row in 0..<height {
            let source = row / 2 * halfWidth
            for column in 0..<width {
                result[row * width + column] = plane[source + column / 2]
            }
        }
        return result
    }

    /// A plane whose blocks went to frequencies, were rounded, and came back.
    private func rounded(
        _ plane: [Float],
        _ width: Int,
        _ height: Int,
        _ table: Block
    ) -> [Float] {
        var result = plane
        for top in stride(from: 0, to: height, by: 8) {
            for left in stride(from: 0, to: width, by: 8) {
                var block = Block(repeating: .zero)
                for row in 0..<8 {
                    let source = min(top + row, height - 1) * width
                    for column in 0..<8 {
                        let level = plane[source + min(left + column, width - 1)]
                        block[row][column] = min(max(level.rounded(), 0), 255) - 128
                    }
                }
                Self.transform(&block, Self.forward)
                for row in 0..<8 {
                    block[row] =
                        (block[row] / table[row]).rounded(.toNearestOrAwayFromZero)
                        * table[row]
                }
                Self.transform(&block, Self.backward)
                for row in 0..<min(8, height - top) {
                    for column in 0..<min(8, width - left) {
                        let level = min(max(block[row][column] + 128, 0), 255)
                        result[(top + row) * width + left + column] = level
                    }
                }
            }
        }
        return result
    }

    /// Multiplies a block by a matrix from the left, and by its transposed from the right.
    private static func transform(_ block: inout Block, _ matrix: Block) {
        for _ in 0..<2 {
            var turned = Block(repeating: .zero)
            for row in 0..<8 {
                var sum = SIMD8<Float>.zero
                for index in 0..<8 { sum += block[index] * matrix[row][index] }
                for column in 0..<8 { turned[column][row] = sum[column] }
            }
            block = turned
        }
    }

    /// The cosines of the forward transformation, a frequency a row.
    private static let forward = Block { frequency in
        var row = SIMD8<Float>.zero
        for place in 0..<8 {
            let angle = Double(2 * place + 1) * Double(frequency) * .pi / 16
            row[place] = Float(cos(angle) * (frequency == 0 ? 0.125.squareRoot() : 0.5))
        }
        return row
    }

    private static let backward = Block { place in
        var row = SIMD8<Float>.zero
        for frequency in 0..<8 { row[frequency] = forward[frequency][place] }
        return row
    }

    private func scaled(_ table: [Int]) -> Block {
        let percent = quality < 50 ? 5000 / max(quality, 1) : 200 - 2 * quality
        return Block { row in
            var steps = SIMD8<Float>.zero
            for column in 0..<8 {
                let step = (table[8 * row + column] * percent + 50) / 100
                steps[column] = Float(min(max(step, 1), 255))
            }
            return steps
        }
    }

    /// How coarsely brightness is rounded at quality 50 (ITU-T T.81, table K.1).
    private static let brightness = [
        16, 11, 10, 16, 24, 40, 51, 61,
        12, 12, 14, 19, 26, 58, 60, 55,
        14, 13, 16, 24, 40, 57, 69, 56,
        14, 17, 22, 29, 51, 87, 80, 62,
        18, 22, 37, 56, 68, 109, 103, 77,
        24, 35, 55, 64, 81, 104, 113, 92,
        49, 64, 78, 87, 103, 121, 120, 101,
        72, 92, 95, 98, 112, 100, 103, 99,
    ]

    /// How coarsely colour is rounded at quality 50 (ITU-T T.81, table K.2).
    private static let colour = [
        17, 18, 24, 47, 99, 99, 99, 99,
        18, 21, 26, 66, 99, 99, 99, 99,
        24, 26, 56, 99, 99, 99, 99, 99,
        47, 66, 99, 99, 99, 99, 99, 99,
        99, 99, 99, 99, 99, 99, 99, 99,
        99, 99, 99, 99, 99, 99, 99, 99,
        99, 99, 99, 99, 99, 99, 99, 99,
        99, 99, 99, 99, 99, 99, 99, 99,
    ]
}
