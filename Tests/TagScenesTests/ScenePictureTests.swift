internal import TagPrinting
internal import SeededRandom
internal import TagDrawing
@testable internal import TagScenes
internal import Testing

/// Large photographs differ from the others in nothing but their size, and take seconds.
private let quickCategories = SceneCategory.allCases.filter { $0 != .largePhoto }

@Suite("Pictures of a set")
struct ScenePictureTests {
    @Test("are the same bytes each time", arguments: quickCategories)
    func areTheSame(category: SceneCategory) throws {
        let first = try SceneSet.tuning.picture(category, number: 3)
        let second = try SceneSet.tuning.picture(category, number: 3)
        #expect(try first.file() == second.file())
        #expect(try SceneTruth(first, file: "a").line() == SceneTruth(second, file: "a").line())
    }

    @Test("differ by set, number and category")
    func differ() throws {
        let pictures = [
            try SceneSet.tuning.picture(.smallModules, number: 0),
            try SceneSet.tuning.picture(.smallModules, number: 1),
            try SceneSet.validation.picture(.smallModules, number: 0),
            try SceneSet(seed: 1).picture(.smallModules, number: 0),
            try SceneSet.tuning.picture(.rotation, number: 0),
        ]
        let payloads = Set(pictures.flatMap { $0.symbols.map(\.payload) })
        #expect(payloads.count == pictures.count)
    }

    @Test(
        "have symbols, whole and inside, where there is something to read",
        arguments: quickCategories
    )
    func haveSymbols(category: SceneCategory) throws {
        for number in 0..<3 {
            let picture = try SceneSet.validation.picture(category, number: number)
            #expect(picture.symbols.isEmpty != category.hasSymbols)
            for corner in picture.symbols.flatMap(\.corners.corners) {
                #expect((0...Double(picture.exposure.width)).contains(corner.x))
                #expect((0...Double(picture.exposure.height)).contains(corner.y))
            }
        }
    }

    @Test(
        "have their symbols where the truth says",
        arguments: [
            SceneCategory.smallModules, .rotation, .perspective, .jpeg, .severalTags, .conveyor,
            .surveillance, .telephone, .thermalPrint,
        ]
    )
    func haveSymbolsInPlace(category: SceneCategory) throws {
        let picture = try SceneSet.tuning.picture(category, number: easy)
        for symbol in picture.symbols {
            let modules = try QRSymbol(symbol.payload, correction: symbol.correction)
            #expect(modules.side == symbol.modules)
            #expect(try agreement(of: picture.exposure, symbol, with: modules) > 0.97)
        }
    }

    @Test("of telephones are JPEG files, the others PNG files", arguments: quickCategories)
    func haveFormats(category: SceneCategory) throws {
        let picture = try SceneSet.validation.picture(category, number: easy)
        let isJPEG = category == .telephone
        #expect(picture.fileExtension == (isJPEG ? "jpg" : "png"))
        #expect(try picture.file().starts(with: isJPEG ? [0xFF, 0xD8, 0xFF] : [0x89, 0x50]))
    }

    @Test("are as evenly graded whether few or many")
    func areGraded() throws {
        for count in [5, 8, 13] {
            let severities = try (0..<count).map {
                try SceneSet.tuning.picture(.noCode, number: $0).severity
            }.sorted()
            let gaps = zip(severities.dropFirst(), severities).map { $0 - $1 }
            #expect(severities.allSatisfy { (0..<1).contains($0) })
            #expect((gaps.max() ?? 1) < 2 / Double(count))
        }
    }

    /// A number whose severity is below 0.1.
    private let easy = 9

    /// The share of modules whose middle is on the right side of the mean level.
    private func agreement(
        of exposure: Exposure,
        _ symbol: SceneSymbol,
        with modules: QRSymbol
    ) throws -> Double {
        let side = Double(modules.side)
        let upright = Quadrilateral(x: 0, y: 0, width: side, height: side)
        let place = try #require(Homography(from: upright, to: symbol.corners))
        var levels: [(level: Float, isDark: Bool)] = []
        for row in 0..<modules.side {
            for column in 0..<modules.side {
                let middle = place(Point(Double(column) + 0.5, Double(row) + 0.5))
                let index = Int(middle.y) * exposure.width + Int(middle.x)
                levels.append((exposure.planes[0][index], modules.isDark(column: column, row: row)))
            }
        }
        let mean = levels.reduce(0) { $0 + $1.level } / Float(levels.count)
        return Double(levels.count { ($0.level < mean) == $0.isDark }) / Double(levels.count)
    }
}
