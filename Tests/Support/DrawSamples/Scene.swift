internal import SeededRandom
internal import TagDrawing

/// Pictures of more than a tag as it comes from the printer.
enum Scene {
    /// Two tags side by side on a table, one of them upside down.
    static func twoTags() throws -> ColourImage {
        let table = Colour(red: 0xC9, green: 0xD3, blue: 0xDC)
        var scene = ColourImage(width: 1200, height: 860, colour: table)
        let first = try LuggageTagDrawing.firstOfPair.drawn(scale: 0.8).image
        let second = try LuggageTagDrawing.secondOfPair.drawn(scale: 0.8).image
        scene.lay(
            first,
            corners: Quadrilateral(
                topLeft: Point(38, 70),
                topRight: Point(1157, 32),
                bottomRight: Point(1169, 384),
                bottomLeft: Point(50, 422)
            )
        )
        scene.lay(
            second,
            corners: Quadrilateral(
                topLeft: Point(1150, 822),
                topRight: Point(32, 782),
                bottomRight: Point(44, 430),
                bottomLeft: Point(1162, 470)
            )
        )
        return scene
    }

    /// A tag on a conveyor belt as a camera sees it: from the side, in uneven light, a little
    /// out of focus, with noise.
    static func belt() throws -> ColourImage {
        var generator = SeededGenerator(seed: 1969)
        var scene = rubber(width: 1500, height: 1000, using: &generator)
        let tag = try LuggageTagDrawing.onBelt.drawn()
        scene.lay(
            tag.image,
            corners: Quadrilateral(
                topLeft: Point(88, 372),
                topRight: Point(1372, 190),
                bottomRight: Point(1442, 612),
                bottomLeft: Point(112, 752)
            )
        )
        return scene.degraded(
            by: [
                .unevenLight(topLeft: 1.0, bottomRight: 0.6),
                .blur(deviation: 0.9),
                .noise(deviation: 0.7),
                // Few levels keep the file small: noise does not compress.
                .levels(32),
            ],
            using: &generator
        )
    }

    /// A tag on the cloth of a suitcase as a telephone sees it that is held upright: stored lying on its
    /// side, slightly slanted, with the noise of a small sensor.
    static func byTelephone() throws -> ColourImage {
        var generator = SeededGenerator(seed: 1876)
        let weave = clouds(width: 1280, height: 960, levels: 84...108, using: &generator)
        let cloth = GreyImage(width: weave.width, height: weave.height) { column, row in
            weave[column, row] + ((column / 3 + row / 3) % 2 == 0 ? 9 : 0)
        }
        let blue = GreyImage(width: cloth.width, height: cloth.height) { cloth[$0, $1] + 34 }
        var scene = ColourImage(red: cloth, green: cloth, blue: blue)
        scene.lay(
            try LuggageTagDrawing.byTelephone.drawn().image,
            corners: Quadrilateral(
                topLeft: Point(470, 912),
                topRight: Point(522, 52),
                bottomRight: Point(801, 66),
                bottomLeft: Point(752, 924)
            )
        )
        return scene.degraded(
            by: [
                .unevenLight(topLeft: 1.0, bottomRight: 0.8),
                .blur(deviation: 0.8),
                .noise(deviation: 1.6),
            ],
            using: &generator
        )
    }

    /// A tag that lost its symbol.
    static func tornTag() throws -> ColourImage {
        var generator = SeededGenerator(seed: 1815)
        let tag = try LuggageTagDrawing.torn.drawn().image
        var paper = ColourImage(width: 1030, height: tag.height, colour: .white)
        paper.alpha = GreyImage(width: paper.width, height: paper.height, level: 0)
        paper.paste(tag, column: 0, row: 0)
        var edge = 985.0
        for row in 0..<paper.height {
            edge = min(max(edge + generator.number(in: -3...3), 968), 1010)
            // Torn paper shows its fibres behind the print.
            for column in Int(edge) - 8..<Int(edge) {
                paper.paint(Colour(grey: 0xE4), column: column, row: row)
            }
            for column in Int(edge)..<paper.width {
                paper.paint(Colour(grey: 255, alpha: 0), column: column, row: row)
            }
        }
        return paper
    }

    /// Dark rubber with clouds of dust, and with ribs across.
    private static func rubber(
        width: Int,
        height: Int,
        using generator: inout SeededGenerator
    ) -> ColourImage {
        let clouds = clouds(width: width, height: height, levels: 76...96, using: &generator)
        let ribbed = GreyImage(width: width, height: height) { column, row in
            let way = (column + row / 5) % 75
            return way < 6 ? clouds[column, row] - 30 : clouds[column, row]
        }
        let blue = GreyImage(width: width, height: height) { ribbed[$0, $1] + 9 }
        return ColourImage(red: ribbed, green: ribbed, blue: blue)
    }

    /// Soft spots that are lighter and darker, as dust and wear make them.
    private static func clouds(
        width: Int,
        height: Int,
        levels: ClosedRange<Double>,
        using generator: inout SeededGenerator
    ) -> GreyImage {
        var dust = GreyImage(width: 26, height: 18, level: 0)
        for row in 0..<dust.height {
            for column in 0..<dust.width {
                dust[column, row] = UInt8(generator.number(in: levels))
            }
        }
        let everywhere = Quadrilateral(
            x: -40,
            y: -40,
            width: Double(width + 80),
            height: Double(height + 80)
        )
        return dust.warped(to: everywhere, width: width, height: height, ground: 86)
    }
}

extension ColourImage {
    /// Puts a tag with its corners somewhere, and its shadow below it.
    fileprivate mutating func lay(_ tag: ColourImage, corners: Quadrilateral) {
        func placed(_ corners: Quadrilateral) -> ColourImage {
            tag.warped(to: corners, width: width, height: height)
        }
        var shadow = ColourImage(width: width, height: height, colour: Colour(grey: 0))
        shadow.alpha = placed(corners.map { Point($0.x + 5, $0.y + 8) }).alpha
            .blurred(deviation: 5)
        shadow.alpha = GreyImage(
            width: width,
            height: height,
            samples: shadow.alpha.samples.map { $0 / 3 }
        )
        paste(shadow, column: 0, row: 0)
        paste(placed(corners), column: 0, row: 0)
    }

    fileprivate mutating func paint(_ colour: Colour, column: Int, row: Int) {
        red[column, row] = colour.red
        green[column, row] = colour.green
        blue[column, row] = colour.blue
        alpha[column, row] = colour.alpha
    }
}
