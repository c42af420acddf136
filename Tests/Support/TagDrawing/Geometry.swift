/// A place in a picture, in pixels from the top left corner; pixel (0, 0) has its middle
/// at (0.5, 0.5).
public struct Point: Equatable, Sendable {
    /// Pixels to the right.
    public var x: Double
    /// Pixels down.
    public var y: Double

    /// Makes a place.
    public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// Four corners, named as they lie in the upright original, so that a turned symbol still tells
/// which of its corners is the top left one.
public struct Quadrilateral: Equatable, Sendable {
    /// The corner that is top left in the original.
    public var topLeft: Point
    /// The corner that is top right in the original.
    public var topRight: Point
    /// The corner that is bottom right in the original.
    public var bottomRight: Point
    /// The corner that is bottom left in the original.
    public var bottomLeft: Point

    /// Makes a shape of its corners, in clockwise order.
    public init(topLeft: Point, topRight: Point, bottomRight: Point, bottomLeft: Point) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// Makes an upright rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.init(
            topLeft: Point(x, y),
            topRight: Point(x + width, y),
            bottomRight: Point(x + width, y + height),
            bottomLeft: Point(x, y + height)
        )
    }

    /// The corners, clockwise from the top left one.
    public var corners: [Point] { [topLeft, topRight, bottomRight, bottomLeft] }

    /// The shape with each corner moved.
    public func map(_ move: (Point) -> Point) -> Quadrilateral {
        Quadrilateral(
            topLeft: move(topLeft),
            topRight: move(topRight),
            bottomRight: move(bottomRight),
            bottomLeft: move(bottomLeft)
        )
    }
}
