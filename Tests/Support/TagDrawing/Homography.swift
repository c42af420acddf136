/// How a plane seen from one side maps to the same plane seen from another: the eight numbers
/// of a projective transformation.
public struct Homography: Sendable {
    // The matrix by rows; its ninth number is 1.
    private let xx, xy, x: Double
    private let yx, yy, y: Double
    private let depthX, depthY: Double

    /// Finds the transformation that takes four corners to four others.
    ///
    /// Fails when three of the corners lie on a line.
    public init?(from source: Quadrilateral, to target: Quadrilateral) {
        // Two equations for each corner; the ninth column is the right-hand side.
        var equations: [[Double]] = []
        for (from, to) in zip(source.corners, target.corners) {
            equations.append([
                from.x, from.y, 1, 0, 0, 0, -from.x * to.x, -from.y * to.x, to.x,
            ])
            equations.append([
                0, 0, 0, from.x, from.y, 1, -from.x * to.y, -from.y * to.y, to.y,
            ])
        }
        guard let solution = Self.solve(equations) else { return nil }
        (xx, xy, x) = (solution[0], solution[1], solution[2])
        (yx, yy, y) = (solution[3], solution[4], solution[5])
        (depthX, depthY) = (solution[6], solution[7])
    }

    /// Where a point goes.
    public func callAsFunction(_ point: Point) -> Point {
        let depth = depthX * point.x + depthY * point.y + 1
        return Point(
            (xx * point.x + xy * point.y + x) / depth,
            (yx * point.x + yy * point.y + y) / depth
        )
    }

    /// Solves linear equations by elimination with the largest pivot.
    private static func solve(_ equations: [[Double]]) -> [Double]? {
        var rows = equations
        for column in rows.indices {
            let pivot = rows[column...].indices.max {
                abs(rows[$0][column]) < abs(rows[$1][column])
            }
            guard let pivot, abs(rows[pivot][column]) > 1e-12 else { return nil }
            rows.swapAt(column, pivot)
            let scale = rows[column][column]
            rows[column] = rows[column].map { $0 / scale }
            for other in rows.indices where other != column {
                let factor = rows[other][column]
                rows[other] = zip(rows[other], rows[column]).map { $0 - factor * $1 }
            }
        }
        return rows.map { $0[rows.count] }
    }
}
