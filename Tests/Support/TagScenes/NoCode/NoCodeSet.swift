internal import SeededRandom
internal import TagDrawing

/// Pictures without a code, small and quickly drawn, of everything that a reader might take for one.
///
/// A picture is drawn from the seed and its own number, so that any of them can be drawn again alone.
package struct NoCodeSet: Sendable {
    /// Every picture is drawn from this and from its own number.
    package let seed: UInt64

    /// A set.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Draws a picture.
    ///
    /// - Parameter number: Which one, from 0; the kinds take turns.
    /// - Returns: The picture.
    /// - Throws: `QRSymbolError` when a symbol that is to be broken cannot be made.
    package func picture(_ number: Int) throws -> NoCodePicture {
        let kinds = NoCodeKind.allCases
        // Seeds one after the other would give generators that are one step apart.
        var mixer = SeededGenerator(seed: seed ^ UInt64(number) &* 0xD6E8_FEB8_6659_FD93)
        var generator = SeededGenerator(seed: mixer.next())
        let kind = kinds[number % kinds.count]
        let (cells, originals) = try kind.drawn(using: &generator)
        let levels = NoCodeView(of: cells, using: &generator).seen(cells, using: &generator)
        return NoCodePicture(
            kind: kind,
            width: levels.width,
            height: levels.height,
            levels: levels.levels,
            originals: originals
        )
    }
}

/// A picture without a code.
package struct NoCodePicture: Sendable {
    /// What it shows.
    package let kind: NoCodeKind
    /// Pixels in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// A level of grey for each pixel, row by row.
    package let levels: [UInt8]
    /// What symbols said before they were broken: who reads that has not guessed.
    package let originals: [[UInt8]]

    /// The picture as a PNG file.
    ///
    /// - Returns: The bytes of the file.
    /// - Throws: `TagDrawingError.png` when libpng refuses the picture.
    package func png() throws -> [UInt8] {
        var rows = PNGRows(width: width, height: height, format: .grey8, samples: levels)
        rows.isQuick = true
        return try rows.file()
    }
}

/// What a picture without a code shows.
package enum NoCodeKind: String, CaseIterable, Sendable {
    /// Cells of two levels by chance.
    case noise
    /// Runs of chance lengths, in rows or columns.
    case runs
    /// Soft clouds, cut at a level.
    case clouds
    /// Finder patterns all over.
    case finders
    /// Finder patterns of wrong proportions, round ones as well.
    case wrongFinders = "wrong-finders"
    /// Three finder patterns in their places, and chance between them.
    case threeFinders = "three-finders"
    /// A symbol with all that is fixed in it, format and version right, and chance for its codewords.
    case randomCodewords = "random-codewords"
    /// A symbol with more wrong codewords than can be corrected.
    case broken
    /// The upper part of one symbol and the lower of another, or modules of both by turns.
    case blended
    /// A symbol with its data modules in another order.
    case shuffled
    /// A symbol with some of its rows or columns exchanged.
    case exchangedLines = "exchanged-lines"
    /// A symbol whose data is masked in another way than its format says.
    case wrongMask = "wrong-mask"
    /// A symbol of which a large part is covered.
    case covered
    case crossword
    /// Stripes, dots, checks and the like.
    case texture
    case bars
    /// Rows of bars that differ, like PDF417.
    case stackedBars = "stacked-bars"
    /// The look of Data Matrix.
    case dataMatrix = "data-matrix"
    /// The look of Aztec.
    case aztec
    /// The look of MaxiCode.
    case maxiCode = "maxi-code"
    /// The look of Micro QR: one finder pattern.
    case microSymbol = "micro-symbol"
    case maze
    case letters
}
