internal import SeededRandom
@testable internal import TagScenes
internal import Testing

@Suite("Pictures without a code")
struct NoCodeSetTests {
    private static let oneOfEach = 0..<NoCodeKind.allCases.count

    @Test("are the same bytes each time, and alone", arguments: oneOfEach)
    func areTheSame(number: Int) throws {
        let first = try NoCodeSet(seed: 5).picture(number)
        _ = try NoCodeSet(seed: 5).picture(number + 1)
        let second = try NoCodeSet(seed: 5).picture(number)
        #expect(try first.png() == second.png())
        #expect(first.originals == second.originals)
    }

    @Test("take turns in what they show, and differ by number and seed")
    func differ() throws {
        let kinds = NoCodeKind.allCases
        let pictures = try (0..<2 * kinds.count).map { try NoCodeSet(seed: 5).picture($0) }
        #expect(pictures.map(\.kind) == kinds + kinds)
        #expect(Set(pictures.map(\.levels)).count == pictures.count)
        #expect(try NoCodeSet(seed: 6).picture(0).levels != pictures[0].levels)
    }

    @Test("are small, and not of one level")
    func areSmall() throws {
        for number in 0..<10 * NoCodeKind.allCases.count {
            let picture = try NoCodeSet(seed: 9).picture(number)
            #expect((48...480).contains(picture.width) && (48...480).contains(picture.height))
            #expect(picture.levels.count == picture.width * picture.height)
            #expect(Set(picture.levels).count > 1)
        }
    }

    @Test("tell what a symbol said before it was broken, where that may be mended")
    func originals() throws {
        let counts: [NoCodeKind: Int] = [
            .broken: 1, .blended: 2, .exchangedLines: 1, .wrongMask: 1, .covered: 1,
        ]
        for number in Self.oneOfEach {
            let picture = try NoCodeSet(seed: 2).picture(number)
            #expect(picture.originals.count == counts[picture.kind] ?? 0)
        }
    }
}

@Suite("Symbols to be broken")
struct BreakableSymbolTests {
    /// The modules that hold codewords, with the bits that remain (ISO/IEC 18004, table 1).
    @Test(
        "have the modules for codewords that the standard tells",
        arguments: zip(
            [1, 2, 5, 6, 7, 9, 14, 25],
            [208, 359, 1079, 1383, 1568, 2336, 4651, 12_708]
        )
    )
    func dataModules(version: Int, modules: Int) throws {
        // Not every payload fits into the smaller versions.
        var generator = SeededGenerator(seed: 1)
        var symbol = try BreakableSymbol(version: version, using: &generator)
        while symbol.version != version {
            symbol = try BreakableSymbol(version: version, using: &generator)
        }
        #expect(symbol.data.count == modules)
    }

    @Test(
        "keep all that is fixed in them",
        arguments: [NoCodeKind.randomCodewords, .shuffled, .wrongMask, .broken]
    )
    func fixedModules(kind: NoCodeKind) throws {
        for seed in UInt64(0)..<20 {
            var generator = SeededGenerator(seed: seed)
            let symbol = try BreakableSymbol(using: &generator)
            generator = SeededGenerator(seed: seed)
            let cells = try kind.brokenSymbol(using: &generator).cells
            let whole = symbol.cells
            let data = Set(symbol.data.map { $0.row * symbol.side + $0.column })
            let changed = whole.dark.indices.filter { whole.dark[$0] != cells.dark[$0] }
            #expect(!changed.isEmpty)
            #expect(changed.allSatisfy(data.contains))
        }
    }
}
