internal import SeededRandom
internal import TagDrawing
@testable internal import TagScenes
internal import Testing

@Suite("Thermal print")
struct ThermalPrintTests {
    private let ink = TagInk()

    /// A drawing that is all dark, and what a print head has made of it.
    private func printed(_ thermal: ThermalPrint) -> LightImage {
        let level = LevelCurve.light[Int(ink.dark.red)]
        var image = LightImage(width: 90, height: 60, light: SIMD4(level, level, level, 1))
        var generator = SeededGenerator(seed: 7)
        thermal.print(&image, ink: ink, using: &generator)
        return image
    }

    @Test("a head without faults prints what is drawn")
    func sound() {
        let level = LevelCurve.light[Int(ink.dark.red)]
        #expect(printed(ThermalPrint()).pixels.allSatisfy { abs($0.y - level) < 1e-3 })
    }

    @Test("dead elements leave lines of paper along the feed", arguments: [true, false])
    func dead(feedsAlongRows: Bool) {
        let image = printed(ThermalPrint(feedsAlongRows: feedsAlongRows, dead: 0.2))
        let lines = feedsAlongRows ? image.height : image.width
        let length = feedsAlongRows ? image.width : image.height
        let isPaper = (0..<lines).map { line in
            (0..<length).map { place in
                feedsAlongRows ? image[place, line].y > 0.5 : image[line, place].y > 0.5
            }
        }
        #expect(isPaper.allSatisfy { Set($0).count == 1 })
        let dead = isPaper.count { $0[0] }
        #expect(dead > 0 && dead < lines / 2)
    }

    @Test("uneven paper loses dots here and there, a faded print all of its contrast alike")
    func uneven() {
        let uneven = printed(ThermalPrint(speckle: 0.4)).pixels.count { $0.y > 0.5 }
        #expect(uneven > 90 && uneven < 2700)
        let faded = printed(ThermalPrint(density: 0.25)).pixels
        #expect(faded.allSatisfy { abs($0.y - faded[0].y) < 1e-3 && $0.y > 0.5 })
    }

    @Test("what is not there is not printed, and colours stay")
    func colours() {
        let accent = LevelCurve.light[0x84]
        var image = LightImage(width: 9, height: 9)
        image[4, 4] = SIMD4(0, accent, 0.06, 1)
        let before = image
        var generator = SeededGenerator(seed: 7)
        ThermalPrint(dead: 0.5, speckle: 0.5).print(&image, ink: ink, using: &generator)
        #expect(image.pixels == before.pixels)
    }
}
