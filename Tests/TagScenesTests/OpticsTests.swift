internal import Foundation
internal import SeededRandom
internal import TagDrawing
@testable internal import TagScenes
internal import Testing

@Suite("The way of light")
struct OpticsTests {
    @Test("levels become light and come back")
    func levelsComeBack() {
        for level in 0...255 {
            #expect(abs(LevelCurve.level(of: LevelCurve.light[level]) - Float(level)) < 0.02)
        }
        #expect(LevelCurve.level(of: -1) == 0)
        #expect(LevelCurve.level(of: 7) == 255)
    }

    @Test(
        "spreading a point loses no light and moves no middle",
        arguments: [
            PointSpread.disc(radius: 0.4), .disc(radius: 3.7),
            .motion(length: 0, angle: 1, bend: 0), .motion(length: 9, angle: 0.7, bend: 0),
        ]
    )
    func spreading(spread: PointSpread) {
        var image = LightImage(width: 31, height: 29)
        image[15, 14] = SIMD4(repeating: 1)
        let result = image.spread(by: spread)
        var total: Float = 0
        var middle = SIMD2<Float>.zero
        for row in 0..<29 {
            for column in 0..<31 {
                total += result[column, row].x
                middle += result[column, row].x * SIMD2(Float(column), Float(row))
            }
        }
        #expect(abs(total - 1) < 1e-3)
        #expect(abs(middle.x - 15) < 0.05)
        #expect(abs(middle.y - 14) < 0.05)
    }

    @Test("softening widens an edge and leaves what is even alone")
    func softening() {
        var image = LightImage(width: 24, height: 5, light: SIMD4(repeating: 1))
        #expect(image.softened(deviation: 2).pixels.allSatisfy { abs($0.x - 1) < 1e-5 })
        for row in 0..<5 { for column in 0..<12 { image[column, row] = .zero } }
        let soft = image.softened(deviation: 2)
        #expect(abs(soft[11, 2].x + soft[12, 2].x - 1) < 1e-5)
        #expect(soft[10, 2].x > 0.1)
        #expect(soft[2, 2].x < 1e-3)
    }

    @Test(
        "a place on the tag is found again through the picture",
        arguments: [0, 0.6, -2.5],
        [
            nil, TagPose.Curvature(radius: 30, axis: 0.4),
            TagPose.Curvature(radius: 26, axis: 2, isHollow: true),
        ]
    )
    func projecting(turn: Double, curvature: TagPose.Curvature?) throws {
        var pose = TagPose()
        pose.target = Point(40, 25)
        pose.centre = Point(320, 240)
        pose.module = 5
        pose.turn = turn
        pose.tilt = curvature == nil ? 0.9 : 0.2
        pose.tiltDirection = 1.1
        pose.curvature = curvature
        let projection = Projection(pose)
        for place in [Point(40, 25), Point(25, 12), Point(58, 30), Point(44, 41)] {
            let seen = projection.picture(place)
            let found = try #require(projection.tag(x: seen.x, y: seen.y))
            #expect(abs(found.place.x - place.x) < 1e-6)
            #expect(abs(found.place.y - place.y) < 1e-6)
        }
        let middle = projection.picture(pose.target)
        #expect(abs(middle.x - 320) < 1e-9 && abs(middle.y - 240) < 1e-9)
    }

    @Test(
        "a place on a folded tag is found again through the picture",
        arguments: [[-9, 1, 8.5], [5], []],
        [nil, 1.2]
    )
    func folding(places: [Double], second: Double?) throws {
        var pose = TagPose()
        pose.target = Point(40, 25)
        pose.centre = Point(320, 240)
        pose.tilt = 0.3
        let leans = (0...places.count).map { $0 % 2 == 0 ? 0.35 : -0.3 }
        var relief = Relief()
        relief.pleats = [Relief.Pleat(angle: 0.4, places: places, leans: leans)]
        if let second {
            relief.pleats.append(Relief.Pleat(angle: second, places: [0], leans: [0.2, -0.1]))
        }
        pose.relief = relief
        let projection = Projection(pose)
        for place in [Point(40, 25), Point(25, 12), Point(58, 30), Point(44, 41)] {
            let seen = projection.picture(place)
            let found = try #require(projection.tag(x: seen.x, y: seen.y))
            #expect(abs(found.place.x - place.x) < 1e-6)
            #expect(abs(found.place.y - place.y) < 1e-6)
        }
        let middle = projection.picture(pose.target)
        #expect(abs(middle.x - 320) < 1e-9 && abs(middle.y - 240) < 1e-9)
    }

    @Test("folded paper is as long as flat paper")
    func foldedLength() {
        let relief = Relief(
            pleats: [Relief.Pleat(angle: 0, places: [-4, 3], leans: [0.5, -0.4, 0.6])]
        )
        for (from, to) in [(-9.0, -5.0), (-3, 2), (4, 11)] {
            let way = relief.solid(SIMD2(to, 7)) - relief.solid(SIMD2(from, 7))
            #expect(abs((way * way).sum().squareRoot() - (to - from)) < 1e-9)
        }
    }

    @Test("a belt that stands still is seen as it is, a moving one leans by its step")
    func belt() {
        var scene = LightImage(width: 60, height: 50)
        for row in 0..<50 { scene[30, row] = SIMD4(repeating: 1) }
        let still = MovingBelt(angle: 0, exposed: 0, step: 0, height: 46)
        let same = scene.taken(of: still)
        #expect(same.width == 56 && same.height == 46)
        #expect((0..<46).allSatisfy { same[28, $0].x == 1 })
        let moving = MovingBelt(angle: 0, exposed: 0, step: 0.25, height: 30)
        let seen = scene.taken(of: moving)
        for row in [4, 12, 20] {
            let place = moving.picture(
                Point(30.5, Double(row + moving.margin) + 0.5),
                height: scene.height
            )
            let column = Int(place.x)
            #expect(abs(place.y - Double(row) - 0.5) < 1e-9)
            #expect(seen[column - 1, row].x + seen[column, row].x + seen[column + 1, row].x > 0.99)
        }
    }

    @Test("what lies before a flat tag hides what is behind it, and no more")
    func placing() {
        var scene = LightImage(width: 60, height: 50, light: SIMD4(0.2, 0.2, 0.2, 1))
        let paper = LightImage(width: 40, height: 30, light: SIMD4(repeating: 1))
        var pose = TagPose()
        pose.target = Point(10, 7.5)
        pose.centre = Point(30, 25)
        pose.module = 2
        scene.place(paper, scale: 2, pose: pose, shadow: 0)
        #expect(abs(scene[30, 25].x - 1) < 1e-4)
        #expect(abs(scene[12, 12].x - 1) < 1e-4)
        #expect(abs(scene[7, 25].x - 0.2) < 1e-4)
        #expect(abs(scene[30, 42].x - 0.2) < 1e-4)
    }
}
