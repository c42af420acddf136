/// A line with corners, some of them rounded.
package struct StrokePath {
    /// A corner of the line, or one of its ends.
    package struct Corner {
        var point: Point
        var isRound: Bool

        package static func sharp(_ point: Point) -> Corner {
            Corner(point: point, isRound: false)
        }

        package static func round(_ point: Point) -> Corner {
            Corner(point: point, isRound: true)
        }
    }

    /// A cubic curve in place of a corner.
    struct Bend {
        var start: Point
        var startPull: Point
        var endPull: Point
        var end: Point
    }

    var corners: [Corner]
    /// How far from its corner a bend starts where there is room.
    var radius: Double

    /// Makes a line of its corners.
    package init(corners: [Corner], radius: Double = 0) {
        self.corners = corners
        self.radius = radius
    }

    /// The curve that rounds an inner corner.
    func bend(at index: Int) -> Bend {
        let corner = corners[index].point
        let reach = min(radius, room(index, index - 1), room(index, index + 1))
        // The pull that makes a bezier curve nearly a quarter of a circle.
        let pull = reach * (1 - 0.5523)
        return Bend(
            start: point(reach, from: corner, towards: corners[index - 1].point),
            startPull: point(pull, from: corner, towards: corners[index - 1].point),
            endPull: point(pull, from: corner, towards: corners[index + 1].point),
            end: point(reach, from: corner, towards: corners[index + 1].point)
        )
    }

    /// How much of the line to a neighbour a bend may take: half of it if that bends as well.
    private func room(_ index: Int, _ neighbour: Int) -> Double {
        let length = distance(corners[index].point, corners[neighbour].point)
        return corners[neighbour].isRound ? length / 2 : length
    }

    private func distance(_ first: Point, _ second: Point) -> Double {
        let (x, y) = (second.x - first.x, second.y - first.y)
        return (x * x + y * y).squareRoot()
    }

    private func point(_ reach: Double, from start: Point, towards end: Point) -> Point {
        let length = distance(start, end)
        guard length > 0 else { return start }
        let share = reach / length
        return Point(start.x + share * (end.x - start.x), start.y + share * (end.y - start.y))
    }
}
