internal import TagPrinting
internal import SeededRandom
internal import TagDrawing

/// A printed tag, and where its symbol is; lengths are in modules of the symbol.
struct TagArtwork {
    /// What is printed.
    var image: LightImage
    /// Pixels of the image in a module.
    let scale: Double
    /// The symbol's left and top edge and the length of its sides; nil without a symbol.
    let symbol: (x: Double, y: Double, side: Double)?

    /// The middle of the symbol, or of the paper.
    var middle: Point {
        guard let symbol else {
            return Point(Double(image.width) / scale / 2, Double(image.height) / scale / 2)
        }
        return Point(symbol.x + symbol.side / 2, symbol.y + symbol.side / 2)
    }
}

/// The inks and the paper of a tag.
struct TagInk {
    var paper = Colour(red: 0xF2, green: 0xF1, blue: 0xEC)
    var dark = Colour(grey: 0x1C)
    var accent = Colour(red: 0x00, green: 0x84, blue: 0x4A)

    /// Light on dark instead.
    var inverted: TagInk { TagInk(paper: dark, dark: paper, accent: accent) }

    /// Any usual print: thermal paper is never quite white, its ink never quite black.
    static func random(using generator: inout SeededGenerator) -> TagInk {
        let accents = [
            Colour(red: 0x00, green: 0x84, blue: 0x4A), Colour(red: 0xC2, green: 0x1F, blue: 0x2B),
            Colour(red: 0x1D, green: 0x4F, blue: 0xA8), Colour(red: 0xE8, green: 0x9A, blue: 0x16),
        ]
        let paper = UInt8(226 + generator.number(below: 26))
        let warmth = UInt8(generator.number(below: 14))
        return TagInk(
            paper: Colour(red: paper, green: paper - warmth / 3, blue: paper - warmth),
            dark: Colour(grey: UInt8(14 + generator.number(below: 34))),
            accent: accents[generator.number(below: accents.count)]
        )
    }
}

/// What is to be printed, and how.
struct TagPrint {
    /// Where things go on a tag.
    enum Layout: CaseIterable {
        /// A long strip with a stub, the symbol at its right end.
        case strip
        /// A strip that hangs down, the symbol in its middle.
        case hanging
        /// A label, the symbol on its left.
        case label
        /// Little more than the symbol.
        case sticker
    }

    var payload: TagPayload
    /// Without a symbol if nil.
    var symbol: QRSymbol?
    var correction = QRSymbol.Correction.medium
    var layout: Layout
    var ink: TagInk
    /// The light border around the symbol, in modules.
    var quietZone = 4.0

    /// Prints the tag.
    ///
    /// - Parameters:
    ///   - scale: Pixels in a module.
    ///   - generator: Where bars and digits come from.
    ///   - finish: Draws over everything, with the symbol's box.
    /// - Returns: The printed tag.
    /// - Throws: `TagDrawingError` when there is no memory for it.
    func printed(
        scale: Int,
        using generator: inout SeededGenerator,
        finish: (borrowing Canvas, Rectangle, inout SeededGenerator) -> Void
    ) throws -> TagArtwork {
        let side = Double(symbol?.side ?? 37)
        let block = (side + 2 * quietZone).rounded()
        let plan = TagPlan(layout, block: block)
        let (width, height) = (Int(plan.width) * scale, Int(plan.height) * scale)
        let canvas = try Canvas(width: width, height: height, scale: Double(scale))
        let paper = Rectangle(x: 0, y: 0, width: plan.width, height: plan.height)
        canvas.clip(to: paper, radius: 2)
        canvas.fill(paper, colour: ink.paper)
        let lettering = TagLettering(print: self, plan: plan)
        lettering.draw(on: canvas, using: &generator)

        let box = Rectangle(
            x: plan.symbolX + quietZone.rounded(),
            y: plan.symbolY + quietZone.rounded(),
            width: side,
            height: side
        )
        if let symbol {
            for row in 0..<symbol.side {
                for column in 0..<symbol.side where symbol.isDark(column: column, row: row) {
                    let x = box.x + Double(column)
                    let module = Rectangle(x: x, y: box.y + Double(row), width: 1, height: 1)
                    canvas.fill(module, colour: ink.dark)
                }
            }
        }
        finish(canvas, box, &generator)
        return TagArtwork(
            image: LightImage(canvas, width: width, height: height),
            scale: Double(scale),
            symbol: symbol == nil ? nil : (box.x, box.y, side)
        )
    }
}

/// The size of a tag and the place of its symbol with the quiet zone, in whole modules.
struct TagPlan {
    let width: Double
    let height: Double
    let symbolX: Double
    let symbolY: Double
    let block: Double

    init(_ layout: TagPrint.Layout, block: Double) {
        self.block = block
        let margin = (block * 0.08).rounded() + 1
        switch layout {
        case .strip:
            height = block + 2 * margin
            width = (3.1 * block).rounded()
            symbolX = width - block - margin
            symbolY = margin
        case .hanging:
            width = block + 2 * margin
            height = (2.7 * block).rounded()
            symbolX = margin
            symbolY = (0.9 * block).rounded()
        case .label:
            width = (2.2 * block).rounded()
            height = (1.5 * block).rounded()
            symbolX = margin
            symbolY = (0.35 * block).rounded()
        case .sticker:
            width = block + 2 * margin
            height = (1.42 * block).rounded()
            symbolX = margin
            symbolY = (0.21 * block).rounded()
        }
    }
}
