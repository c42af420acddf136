internal import Foundation
internal import LuggageTags

/// The layout of a tag, in printer dots from the top left of the paper.
struct TagPage {
    /// A line of text, and the box in which it is centred.
    struct Line {
        let parts: [TextPart]
        let box: Box
    }

    /// A part of a line.
    enum TextPart: Hashable {
        case text(String)
        /// An arrow to the right, drawn as a shape because many fonts have none.
        case arrow
    }

    /// An upright rectangle.
    struct Box {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// The width of the paper.
    let width: Int
    /// The height of the paper.
    let height: Int
    let symbol: QRSymbol
    /// The dots along one side of a module.
    let module: Int
    /// The top left of the symbol, inside its quiet zone.
    let symbolOrigin: (x: Int, y: Int)
    let lines: [Line]

    /// The smallest module that cameras read well from a hand's distance, in millimetres.
    private static let leastModule = 0.25
    /// The fewest dots per module: with fewer, printers blur one module into another.
    private static let leastDots = 2
    /// The most dots that are drawn, because our reader accepts no larger picture either.
    private static let mostDots = 50_000_000

    /// Lays out a tag.
    init(_ tag: PrintedTag, _ symbol: QRSymbol, on paper: PaperSize, at resolution: Resolution)
        throws
    {
        width = Int(resolution.dots(paper.width).rounded())
        height = Int(resolution.dots(paper.height).rounded())
        guard width * height <= Self.mostDots else {
            throw TagPrintingError(
                .paper,
                "paper of \(width) by \(height) dots is too large",
                remedy: .fewerDots
            )
        }
        let margin = max(resolution.dots(2), 0.04 * Double(min(width, height)))
        let content = Box(
            x: margin,
            y: margin,
            width: Double(width) - 2 * margin,
            height: Double(height) - 2 * margin
        )
        let isUpright = height >= width
        // On upright paper the symbol is below the lines, otherwise beside them.
        let room =
            isUpright
            ? min(content.width, 0.52 * content.height) : min(content.height, 0.48 * content.width)
        let modules = symbol.side + 2 * QRSymbol.quietZone
        module = Int(room) / modules
        let least = max(Self.leastDots, Int(resolution.dots(Self.leastModule).rounded(.up)))
        guard module >= least else {
            let side = Double(modules * least) / resolution.dots(1)
            throw TagPrintingError(
                .paper,
                "the symbol needs \(Int(side.rounded(.up))) mm on each side, and this paper has room "
                    + "for \(Int(room / resolution.dots(1)))",
                remedy: .roomForSymbol
            )
        }
        self.symbol = symbol
        let side = modules * module
        let border = QRSymbol.quietZone * module
        symbolOrigin =
            isUpright
            ? ((width - side) / 2 + border, height - Int(margin) - side + border)
            : (Int(margin) + border, (height - side) / 2 + border)
        var text = content
        if isUpright {
            text.height -= Double(side)
        } else {
            text.x += Double(side) + margin
            text.width -= Double(side) + margin
        }
        lines = Self.lines(of: tag, in: text, at: resolution)
    }

    private static func lines(
        of tag: PrintedTag,
        in box: Box,
        at resolution: Resolution
    ) -> [Line] {
        let identifier = tag.identifier.uuidString
        // In one line, its 36 characters would be too small to read on narrow paper.
        let isSplit = box.width < resolution.dots(60)
        let halves =
            isSplit
            ? [String(identifier.prefix(19)), String(identifier.dropFirst(19))] : [identifier]
        let rows: [(share: Double, parts: [TextPart])] =
            [
                (3.2, [.text(tag.origin.description), .arrow, .text(tag.destination.description)]),
                (2.8, [.text(tag.owner.givenName), .text("/"), .text(tag.owner.familyName)]),
                (1.4, [.text(tag.weightText)]),
                (1.4, [.text(String(identifier.prefix(8)))]),
            ] + halves.map { (isSplit ? 0.7 : 0.9, [.text($0)]) }
        let unit = box.height / rows.reduce(0) { $0 + $1.share }
        var top = box.y
        return rows.map { share, parts in
            defer { top += share * unit }
            return Line(
                parts: parts,
                box: Box(x: box.x, y: top, width: box.width, height: share * unit)
            )
        }
    }
}

extension PrintedTag {
    /// The weight in both units: `42.0 lb  19.05 kg`.
    fileprivate var weightText: String {
        let kilograms = Double(pounds) * MassUnit.kilogramsPerPound
        return String(format: "%.1f lb  %.2f kg", Double(pounds), kilograms)
    }
}
