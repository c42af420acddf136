internal import Foundation
internal import SeededRandom
internal import TagDrawing
internal import TagPrinting

extension SceneRecipe {
    /// A tag far away from a camera for surveillance, which stores it in few bytes.
    init(surveillance severity: Double, using generator: inout SeededGenerator) throws {
        var frame = Frame(module: mix(4.2, 1.55, severity), turn: 30, tilt: 20)
        frame.share = 0.2...0.34
        try self.init(frame, using: &generator)
        let module = tags[0].pose.module
        defocus = module * generator.number(in: 0...0.55) * severity
        softness = generator.number(in: 0.5...0.8)
        noise = mix(2, 9, severity) * generator.number(in: 0.5...1)
        grain = generator.unit() < 0.5 ? generator.number(in: 0.4...0.7) : 0
        sharpening = (generator.number(in: 0.8...1.6), generator.number(in: 0.6...1.8))
        jpegQualities = [Int(mix(70, 14, severity) * generator.number(in: 0.8...1.1))]
        isGrey = generator.unit() < 0.4
        if isGrey {
            // By night, in the light of the camera's own lamp.
            let (x, y) = (Double(width) / 2, Double(height) / 2)
            lights.append(.spot(at: Point(x, y), radius: 0.9 * max(x, y), light: 0.15))
        }
        switch generator.number(below: 4) {
        case 0:
            // Moving between two fields, and while each of them is exposed.
            let shift = module * mix(0.1, 0.9, severity)
            let angle = generator.number(in: -20...20).radians
            fieldShift = Point(shift * cos(angle), shift * sin(angle))
            motion = Motion(length: 0.4 * shift, angle: angle, bend: 0)
        case 1: dropsSecondField = module > 2.6
        default: break
        }
    }

    /// A tag on a belt below a camera whose rows are read one after the other.
    init(conveyor severity: Double, using generator: inout SeededGenerator) throws {
        let module = generator.number(in: 3...6)
        var frame = Frame(module: module, turn: 25, tilt: 8)
        frame.share = 0.32...0.46
        try self.init(frame, using: &generator)
        backdrop = generator.unit() < 0.7 ? .rubber : .suitcase
        let along = Double(generator.number(below: 4)) * 90 + generator.number(in: -15...15)
        let belt = MovingBelt(
            angle: along.radians,
            exposed: module * mix(0.3, 2, severity) * generator.number(in: 0.85...1.05),
            step: mix(0.03, 0.32, severity) * generator.number(in: 0.5...1),
            height: height
        )
        // Near the middle, so that no part of it has left the picture.
        let reach = 0.05 * Double(height)
        tags[0].pose.centre = Point(
            Double(width / 2 + belt.margin) + reach * generator.number(in: -1...1),
            Double(height / 2 + belt.margin) + reach * generator.number(in: -1...1)
        )
        width += 2 * belt.margin
        height += 2 * belt.margin
        self.belt = belt
        if generator.unit() < 0.4 {
            lights.append(
                .flicker(
                    rows: generator.number(in: 90...400),
                    depth: mix(0.1, 0.7, severity) * generator.number(in: 0.4...1),
                    phase: generator.number(in: 0...360).radians
                )
            )
        }
        // A short exposure takes gain.
        noise = mix(2, 9, severity) * generator.number(in: 0.5...1)
    }

    /// Several tags: one sharp, the others nearer or farther than the lens is set for, or moving; each
    /// can be read alone.
    init(mixedSharpness severity: Double, using generator: inout SeededGenerator) throws {
        let usual = mix(5, 3.4, severity)
        let columns = 2 + generator.number(below: 2)
        let rows = columns == 2 && generator.unit() < 0.5 ? 2 : 1
        let cell = 84 * usual
        self.init(
            width: Int(Double(columns) * cell),
            height: Int(Double(rows) * cell),
            backdrop: Backdrop.allCases[generator.number(below: Backdrop.allCases.count)]
        )
        addUsual(using: &generator)
        let count = columns * rows
        let sharp = generator.number(below: count)
        let isFirstMoving = generator.unit() < 0.5
        for place in 0..<count {
            // Nearer or farther: larger or smaller.
            let module = usual * generator.number(in: 0.85...1.15)
            let frame = Frame(module: module, turn: 180, tilt: mix(6, 22, severity))
            var tag = try Tag(frame, using: &generator)
            tag.print.layout = .sticker
            tag.pose.centre = Point(
                (Double(place % columns) + 0.5 + generator.number(in: -0.03...0.03)) * cell,
                (Double(place / columns) + 0.5 + generator.number(in: -0.03...0.03)) * cell
            )
            let strength = severity * generator.number(in: 0.75...1)
            if place == sharp {
                tag.blur = nil
            } else if (place % 2 == 0) == isFirstMoving {
                tag.blur = .motion(
                    length: module * mix(0.5, 1.6, strength),
                    angle: generator.number(in: 0...180).radians,
                    bend: generator.number(in: -0.08...0.08)
                )
            } else {
                tag.blur = .disc(radius: module * mix(0.35, 0.85, strength))
            }
            tags.append(tag)
        }
    }

    /// A tag as people take it with a telephone, in the file that comes of it.
    init(telephone severity: Double, using generator: inout SeededGenerator) throws {
        let sizes = [(1600, 1200), (1600, 1200), (2048, 1536), (2048, 1152), (3264, 2448)]
        let size = sizes[generator.number(below: sizes.count)]
        let isUpright = generator.unit() < 0.5
        self.init(
            width: isUpright ? size.1 : size.0,
            height: isUpright ? size.0 : size.1,
            backdrop: Backdrop.allCases[generator.number(below: Backdrop.allCases.count)]
        )
        addUsual(using: &generator)
        // Some people come near.
        let nearness = generator.number(in: generator.unit() < 0.35 ? 1.3...2 : 0.85...1.2)
        let module = mix(8, 2.1, pow(severity, 0.7)) * nearness
        let frame = Frame(module: module, turn: 35, tilt: mix(15, 48, severity))
        var tag = try Tag(frame, using: &generator)
        let room = 34 * module
        tag.pose.centre = Point(
            generator.number(in: room...Double(width) - room),
            generator.number(in: room...Double(height) - room)
        )
        // The hand is never quite still, the lens never quite right.
        let shake = generator.unit()
        motion = Motion(
            length: module * 1.5 * severity * shake,
            angle: generator.number(in: 0...180).radians,
            bend: generator.number(in: -0.12...0.12)
        )
        defocus = module * 0.8 * severity * (1 - shake) * generator.number(in: 0.5...1)
        if generator.unit() < 0.25 {
            tag.pose.curvature = TagPose.Curvature(
                radius: Double(tag.print.symbol?.side ?? 37) / 2 / mix(8, 28, severity).radians,
                axis: generator.number(in: 0...180).radians
            )
        }
        tags = [tag]
        lights.append(
            .gradient(
                angle: generator.number(in: 0...360).radians,
                from: mix(1, 0.15, severity),
                to: 1
            )
        )
        softness = generator.number(in: 0.7...1)
        noise = mix(1.5, 9, severity) * generator.number(in: 0.4...1)
        grain = generator.number(in: 0.4...0.8)
        sharpening = (generator.number(in: 0.8...1.3), generator.number(in: 0.3...1))
        isGrey = false
        jpegQualities = []
        format = .jpeg(quality: 75 + generator.number(below: 18))
    }
}
