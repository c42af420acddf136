internal import Foundation
internal import TagDrawing

/// How a tag lies before the camera; lengths on the tag are in modules.
struct TagPose: Sendable {
    /// A tag around something round.
    struct Curvature: Sendable {
        /// The radius in modules.
        var radius: Double
        /// The direction of the straight lines on it, in radians on the tag.
        var axis: Double
        /// Whether the camera looks into it, not onto it.
        var isHollow = false
    }

    /// The place on the tag that the camera looks at.
    var target = Point(0, 0)
    /// Where that place is in the picture.
    var centre = Point(0, 0)
    /// Pixels in a module at that place.
    var module = 4.0
    /// How the picture of the tag is turned, in radians clockwise.
    var turn = 0.0
    /// How far the tag leans away, in radians.
    var tilt = 0.0
    /// The direction in which it leans, in radians on the picture.
    var tiltDirection = 0.0
    /// How far away the camera is, in modules; the nearer, the stronger the perspective.
    var distance = 200.0
    /// Flat if nil.
    var curvature: Curvature?
    /// The shape of a tag that is not around anything; flat if nil.
    var relief: Relief?
}

/// A pose made ready to take many places from the tag to the picture and back.
struct Projection {
    private let pose: TagPose
    private let rows: [SIMD3<Double>]
    private let columns: [SIMD3<Double>]
    private let focal: Double

    init(_ pose: TagPose) {
        self.pose = pose
        focal = pose.module * pose.distance
        let (turn, lean) = (pose.turn, pose.tilt)
        let way = pose.tiltDirection
        let rotation = Self.product(
            Self.around(way),
            Self.product(Self.leaning(lean), Self.around(turn - way))
        )
        rows = rotation
        columns = (0..<3).map { SIMD3(rotation[0][$0], rotation[1][$0], rotation[2][$0]) }
    }

    /// Where a place on the tag is in the picture.
    func picture(_ place: Point) -> Point {
        let solid = solid(place)
        let depth = (rows[2] * solid).sum() + pose.distance
        return Point(
            pose.centre.x + focal * (rows[0] * solid).sum() / depth,
            pose.centre.y + focal * (rows[1] * solid).sum() / depth
        )
    }

    /// What is seen at a place in the picture: the place on the tag, how bright it is there for its
    /// slope, and what is mirrored in it, or nil where the tag is not.
    func tag(x: Double, y: Double) -> (place: Point, light: Double, shine: Double)? {
        let ray = SIMD3((x - pose.centre.x) / focal, (y - pose.centre.y) / focal, 1)
        // The camera and the ray as the tag sees them.
        let eye = columns.map { -$0.z * pose.distance }
        let direction = columns.map { ($0 * ray).sum() }
        if let relief = pose.relief {
            let met = relief.met(
                eye: SIMD3(eye[0], eye[1], eye[2]),
                direction: SIMD3(direction[0], direction[1], direction[2]),
                distance: pose.distance
            )
            return met.map { met in
                let place = Point(pose.target.x + met.place.x, pose.target.y + met.place.y)
                return (place, met.light, met.shine)
            }
        }
        guard let curvature = pose.curvature else {
            guard direction[2] > 1e-9 else { return nil }
            let way = -eye[2] / direction[2]
            return (
                Point(
                    pose.target.x + eye[0] + way * direction[0],
                    pose.target.y + eye[1] + way * direction[1]
                ), 1, 0
            )
        }
        return Self.bent(eye: eye, direction: direction, curvature, target: pose.target)
    }

    private static func bent(
        eye: [Double],
        direction: [Double],
        _ curvature: TagPose.Curvature,
        target: Point
    ) -> (place: Point, light: Double, shine: Double)? {
        let (radius, sign) = (curvature.radius, curvature.isHollow ? -1.0 : 1.0)
        let (cosine, sine) = (cos(curvature.axis), sin(curvature.axis))
        let across = eye[1] * cosine - eye[0] * sine
        let acrossStep = direction[1] * cosine - direction[0] * sine
        let depth = eye[2] - sign * radius
        // Where the ray meets the circle: the near side of what bulges, the far side of a hollow.
        let a = acrossStep * acrossStep + direction[2] * direction[2]
        let b = across * acrossStep + depth * direction[2]
        let c = across * across + depth * depth - radius * radius
        let root = b * b - a * c
        guard root > 0 else { return nil }
        let way = (-b - sign * root.squareRoot()) / a
        let bend = atan2(across + way * acrossStep, radius - sign * (eye[2] + way * direction[2]))
        guard abs(bend) < 1.5 else { return nil }
        let arc = bend * radius
        let along =
            (eye[0] + way * direction[0]) * cosine + (eye[1] + way * direction[1]) * sine
        let place = Point(
            target.x + along * cosine - arc * sine,
            target.y + along * sine + arc * cosine
        )
        return (place, 0.4 + 0.6 * max(cos(bend - 0.25), 0), 0)
    }

    private func solid(_ place: Point) -> SIMD3<Double> {
        let (x, y) = (place.x - pose.target.x, place.y - pose.target.y)
        guard let curvature = pose.curvature else {
            return pose.relief?.solid(SIMD2(x, y)) ?? SIMD3(x, y, 0)
        }
        let (cosine, sine) = (cos(curvature.axis), sin(curvature.axis))
        let (along, arc) = (x * cosine + y * sine, y * cosine - x * sine)
        let (radius, sign) = (curvature.radius, curvature.isHollow ? -1.0 : 1.0)
        let across = radius * sin(arc / radius)
        return SIMD3(
            along * cosine - across * sine,
            along * sine + across * cosine,
            sign * radius * (1 - cos(arc / radius))
        )
    }

    private static func around(_ angle: Double) -> [SIMD3<Double>] {
        [
            SIMD3(cos(angle), -sin(angle), 0),
            SIMD3(sin(angle), cos(angle), 0),
            SIMD3(0, 0, 1),
        ]
    }

    private static func leaning(_ angle: Double) -> [SIMD3<Double>] {
        [
            SIMD3(cos(angle), 0, -sin(angle)),
            SIMD3(0, 1, 0),
            SIMD3(sin(angle), 0, cos(angle)),
        ]
    }

    private static func product(
        _ first: [SIMD3<Double>],
        _ second: [SIMD3<Double>]
    ) -> [SIMD3<Double>] {
        first.map { row in second[0] * row.x + second[1] * row.y + second[2] * row.z }
    }
}
