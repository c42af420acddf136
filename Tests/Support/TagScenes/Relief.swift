internal import Foundation
internal import SeededRandom
internal import TagDrawing

/// The shape of a tag that was folded and opened again, and the film over it; lengths are in modules,
/// places are counted from the target of the tag's pose.
struct Relief: Sendable {
    /// Parallel folds, between which the paper is flat and leans one way or the other.
    struct Pleat: Sendable {
        /// Where a fold is: on the paper, and where that comes to lie.
        private struct Fold {
            var paper: Double
            var across: Double
            var depth: Double
        }

        private let direction: SIMD2<Double>
        /// How far each part leans, in radians: before the first fold, between folds, and behind the
        /// last.
        private let leans: [Double]
        private let folds: [Fold]

        /// Folds paper, which keeps its place at the target.
        ///
        /// - Parameters:
        ///   - angle: The direction across the folds, in radians on the tag.
        ///   - places: How far the folds are from the target, in ascending order.
        ///   - leans: How far the parts lean, in radians; one more than there are folds.
        init(angle: Double, places: [Double], leans: [Double]) {
            precondition(leans.count == places.count + 1, "a part on each side of a fold")
            direction = SIMD2(cos(angle), sin(angle))
            self.leans = leans
            var folds: [Fold] = []
            for (index, place) in places.enumerated() {
                let last = folds.last ?? Fold(paper: 0, across: 0, depth: 0)
                let length = place - last.paper
                folds.append(
                    Fold(
                        paper: place,
                        across: last.across + cos(leans[index]) * length,
                        depth: last.depth + sin(leans[index]) * length
                    )
                )
            }
            // Everything shifted so that the target stays where it is.
            let target = Self.place(0, folds, leans)
            self.folds = folds.map { fold in
                Fold(
                    paper: fold.paper,
                    across: fold.across - target.across,
                    depth: fold.depth - target.depth
                )
            }
        }

        /// How far the folds are from the target.
        var places: [Double] { folds.map(\.paper) }

        /// The direction across the folds.
        var across: SIMD2<Double> { direction }

        /// Where a place on the paper comes to lie, and how far the paper leans there.
        fileprivate func shift(_ place: SIMD2<Double>) -> (
            flat: SIMD2<Double>, depth: Double, lean: SIMD2<Double>
        ) {
            let paper = (place * direction).sum()
            let lying = Self.place(paper, folds, leans)
            let lean = sin(leans[Self.part(paper, folds)])
            return (direction * (lying.across - paper), lying.depth, direction * lean)
        }

        private static func part(_ paper: Double, _ folds: [Fold]) -> Int {
            folds.count { $0.paper < paper }
        }

        private static func place(
            _ paper: Double,
            _ folds: [Fold],
            _ leans: [Double]
        ) -> (across: Double, depth: Double) {
            let part = part(paper, folds)
            let fold =
                folds.isEmpty
                ? Fold(paper: 0, across: 0, depth: 0) : folds[max(part - 1, 0)]
            let length = paper - fold.paper
            return (
                fold.across + cos(leans[part]) * length, fold.depth + sin(leans[part]) * length
            )
        }
    }

    /// A glossy film: lamps are seen in it as streaks.
    struct Film: Sendable {
        /// A long lamp: which way its streak runs, in radians, where it is seen, how broad it is (both as
        /// differences of direction) and how bright.
        struct Lamp: Sendable {
            var angle: Double
            var place: Double
            var breadth: Double
            var strength: Double
        }

        /// A wave of the film: its direction in radians, its length in modules, where it begins and how
        /// steep it is.
        struct Wave: Sendable {
            var angle: Double
            var length: Double
            var phase: Double
            var slope: Double
        }

        var lamps: [Lamp]
        var waves: [Wave]
        /// Light that the film scatters everywhere.
        var haze: Double

        fileprivate func shine(at place: SIMD2<Double>, lean: SIMD2<Double>, distance: Double)
            -> Double
        {
            var slope = lean
            for wave in waves {
                let direction = SIMD2(cos(wave.angle), sin(wave.angle))
                let way = (place * direction).sum() / wave.length
                slope += direction * (wave.slope * sin(2 * .pi * way + wave.phase))
            }
            // A mirror that leans turns what is seen in it by twice as much.
            let seen = 2 * slope + place / distance
            var light = haze
            for lamp in lamps {
                let way = cos(lamp.angle) * seen.y - sin(lamp.angle) * seen.x - lamp.place
                let share = way / lamp.breadth
                light += lamp.strength / (1 + share * share * share * share)
            }
            return light
        }
    }

    var pleats: [Pleat] = []
    /// Where the light comes from: to the right, down, and towards the camera.
    var lamp = SIMD3(0.5, 0.4, 0.8)
    /// The share of the light that comes from everywhere.
    var ambient = 0.45
    var film: Film?

    /// Where a place on the paper comes to lie in space, away from the camera being positive.
    func solid(_ place: SIMD2<Double>) -> SIMD3<Double> {
        let shape = shape(at: place)
        return SIMD3(shape.flat.x, shape.flat.y, shape.depth)
    }

    /// The place on the paper that a ray meets, how bright it is for its slope, and what is mirrored in
    /// it.
    func met(
        eye: SIMD3<Double>,
        direction: SIMD3<Double>,
        distance: Double
    ) -> (place: SIMD2<Double>, light: Double, shine: Double)? {
        guard direction.z > 1e-9 else { return nil }
        var place = SIMD2<Double>.zero
        var shape = shape(at: place)
        for _ in 0..<24 {
            let way = (shape.depth - eye.z) / direction.z
            let ray = SIMD2(eye.x + way * direction.x, eye.y + way * direction.y)
            // Folds are blunt: each step comes several times nearer.
            let off = ray - shape.flat
            place += off
            shape = self.shape(at: place)
            if (off * off).sum() < 1e-18 { break }
        }
        let normal = SIMD3(shape.lean.x, shape.lean.y, 1)
        let lit = max((normal * lamp).sum(), 0) / (normal * normal).sum().squareRoot() / lamp.z
        let shine = film?.shine(at: place, lean: shape.lean, distance: distance) ?? 0
        return (place, ambient + (1 - ambient) * lit, shine)
    }

    /// Draws what the folds have done to the print: it has flaked off along them.
    ///
    /// - Parameters:
    ///   - canvas: Where the tag is drawn, in modules.
    ///   - middle: The pose's target.
    ///   - breadth: How far from a fold the print is gone, in modules.
    ///   - ink: The paper that is seen instead.
    ///   - generator: Where it is gone.
    func wear(
        on canvas: borrowing Canvas,
        middle: Point,
        breadth: Double,
        ink: TagInk,
        using generator: inout SeededGenerator
    ) {
        for pleat in pleats {
            let (across, along) = (pleat.across, SIMD2(-pleat.across.y, pleat.across.x))
            for place in pleat.places {
                var way = -80.0
                while way < 80 {
                    let length = generator.number(in: 0.3...2.5)
                    let off = place + 0.3 * breadth * generator.number(in: -1...1)
                    let start = across * off + along * way
                    let end = start + along * length
                    let weight = breadth * generator.number(in: 0...1)
                    way += length * generator.number(in: 0.7...1.3)
                    let path = StrokePath(
                        corners: [
                            .sharp(Point(middle.x + start.x, middle.y + start.y)),
                            .sharp(Point(middle.x + end.x, middle.y + end.y)),
                        ]
                    )
                    canvas.stroke([path], weight: weight, colour: ink.paper)
                }
            }
        }
    }

    private func shape(at place: SIMD2<Double>) -> (
        flat: SIMD2<Double>, depth: Double, lean: SIMD2<Double>
    ) {
        var shape = (flat: place, depth: 0.0, lean: SIMD2<Double>.zero)
        for pleat in pleats {
            let shift = pleat.shift(place)
            shape.flat += shift.flat
            shape.depth += shift.depth
            shape.lean += shift.lean
        }
        return shape
    }
}
