internal import TagPrinting
internal import SeededRandom
internal import TagDrawing

/// How hard each category is at a severity from 0, which every reader reads, to 1, which hardly
/// anybody does.
///
/// The ranges are calibrated: see `SceneSet`.
extension SceneRecipe {
    /// Makes the recipe of a picture.
    ///
    /// - Parameters:
    ///   - category: What makes it hard.
    ///   - severity: How hard, from 0 to 1.
    ///   - generator: Where the rest comes from.
    /// - Throws: `QRSymbolError` when a payload fits into no symbol.
    init(
        _ category: SceneCategory,
        severity: Double,
        using generator: inout SeededGenerator
    ) throws {
        switch category {
        case .smallModules:
            let frame = Frame(module: mix(3.3, 1.7, severity), turn: 3, tilt: 4)
            try self.init(frame, using: &generator)
        case .rotation:
            try self.init(rotated: severity, using: &generator)
        case .perspective:
            try self.init(leaning: severity, using: &generator)
        case .motionBlur, .softFocus:
            try self.init(blurred: severity, category, using: &generator)
        case .lowContrast, .unevenLight, .glare:
            try self.init(badlyLit: severity, category, using: &generator)
        case .noise, .jpeg:
            try self.init(coarse: severity, category, using: &generator)
        case .inverted:
            try self.init(inverted: severity, using: &generator)
        case .curved:
            try self.init(curved: severity, using: &generator)
        case .damage:
            try self.init(damaged: severity, using: &generator)
        case .severalTags:
            try self.init(several: severity, using: &generator)
        case .largePhoto:
            try self.init(large: severity, using: &generator)
        case .thermalPrint:
            try self.init(thermal: severity, using: &generator)
        case .creased:
            try self.init(creased: severity, using: &generator)
        case .surveillance:
            try self.init(surveillance: severity, using: &generator)
        case .conveyor:
            try self.init(conveyor: severity, using: &generator)
        case .mixedSharpness:
            try self.init(mixedSharpness: severity, using: &generator)
        case .telephone:
            try self.init(telephone: severity, using: &generator)
        case .noCode:
            try self.init(withoutCode: severity, using: &generator)
        case .lookAlike:
            try self.init(lookAlike: severity, using: &generator)
        }
    }

    private init(rotated severity: Double, using generator: inout SeededGenerator) throws {
        let module = mix(4.5, 1.55, severity)
        try self.init(Frame(module: module, turn: 0, tilt: 8), using: &generator)
        tags[0].pose.turn += generator.number(in: 15...75).radians
    }

    private init(leaning severity: Double, using generator: inout SeededGenerator) throws {
        let module = mix(5.5, 3, severity)
        try self.init(Frame(module: module, turn: 30), using: &generator)
        tags[0].pose.tilt = mix(25, 62, severity).radians
        tags[0].pose.distance = mix(130, 70, severity)
    }

    private init(
        blurred severity: Double,
        _ category: SceneCategory,
        using generator: inout SeededGenerator
    ) throws {
        let module = generator.number(in: 3...6)
        try self.init(Frame(module: module), using: &generator)
        if category == .softFocus {
            defocus = module * mix(0.35, 1.15, severity)
        } else {
            motion = Motion(
                length: module * mix(0.5, 2.3, severity),
                angle: generator.number(in: 0...180).radians,
                bend: generator.number(in: -0.12...0.12)
            )
        }
    }

    private init(
        coarse severity: Double,
        _ category: SceneCategory,
        using generator: inout SeededGenerator
    ) throws {
        if category == .noise {
            try self.init(Frame(module: generator.number(in: 4...8)), using: &generator)
            noise = mix(24, 98, severity)
            grain = generator.unit() < 0.35 ? generator.number(in: 0.5...1) : 0
            jpegQualities = []
        } else {
            try self.init(Frame(module: generator.number(in: 2...3.6)), using: &generator)
            jpegQualities = [Int(mix(28, 4, severity))]
        }
    }

    private init(inverted severity: Double, using generator: inout SeededGenerator) throws {
        try self.init(Frame(module: mix(5.5, 2.2, severity), turn: 25, tilt: 15), using: &generator)
        tags[0].print.ink = tags[0].print.ink.inverted
        motion = Motion(
            length: generator.number(in: 0...0.9 * severity) * tags[0].pose.module,
            angle: generator.number(in: 0...180).radians,
            bend: 0
        )
    }

    private init(curved severity: Double, using generator: inout SeededGenerator) throws {
        let module = generator.number(in: 3.5...6)
        try self.init(Frame(module: module, turn: 15), using: &generator)
        let side = Double(tags[0].print.symbol?.side ?? 37)
        // The angle on the cylinder from the middle of the symbol to its edge.
        let bend = mix(10, 47, severity).radians
        let diagonal = generator.unit() < 0.4
        tags[0].pose.curvature = TagPose.Curvature(
            radius: side / 2 / bend,
            axis: (diagonal ? generator.number(in: 10...80) : 0).radians
                + Double(generator.number(below: 2)) * .pi / 2,
            isHollow: generator.unit() < 0.15
        )
    }
}
