/// What is on a page, in printer dots from the top left of the paper.
struct TagPage {
    /// The width of the paper.
    let width: Int
    /// The height of the paper.
    let height: Int
    /// Its parts, each of which may be turned.
    var panels: [Panel] = []
    /// Where it tears: dashed lines across the paper, by their distance from the top.
    var tears: [Int] = []

    /// The most dots that are drawn, because our reader accepts no larger picture either.
    private static let mostDots = 50_000_000

    /// Begins with an empty page.
    init(on paper: PaperSize, at resolution: Resolution) throws {
        width = Int(resolution.dots(paper.width).rounded())
        height = Int(resolution.dots(paper.height).rounded())
        guard width * height <= Self.mostDots else {
            throw TagPrintingError(
                .paper,
                "paper of \(width) by \(height) dots is too large",
                remedy: .fewerDots
            )
        }
    }

    /// A part of the page with its own top left.
    struct Panel {
        /// How it is turned, clockwise.
        enum Turn { case none, quarter, half }

        /// The place on the page of its own top left, after it was turned.
        var origin: (x: Int, y: Int)
        var turn = Turn.none
        var elements: [Element]
    }

    /// Something that is drawn.
    enum Element {
        case text(TextBlock)
        /// The top left of its first module, inside its quiet zone, and the dots of a module.
        case symbol(QRSymbol, x: Int, y: Int, module: Int)
        /// The same, and the height of its bars.
        case bars(LinearCode, x: Int, y: Int, module: Int, height: Int)
        case rule(Box)
    }

    /// A text, and the box in which it stands.
    struct TextBlock {
        /// A part of a text.
        enum Part: Hashable {
            case text(String)
            /// An arrow to the right, drawn as a shape because many fonts have none.
            case arrow
        }

        enum Alignment { case left, centre, right }

        var parts: [Part]
        var box: Box
        /// The height of its capital letters, unless it needs smaller ones to fit.
        var letter: Double
        var weight = Typesetter.Weight.bold
        var alignment = Alignment.left
        /// In how many lines it may be set if its letters are larger then.
        var mostLines = 1
    }

    /// An upright rectangle.
    struct Box {
        var x: Double
        var y: Double
        var width: Double
        var height: Double

        /// Cuts a strip off its top.
        mutating func cutTop(_ height: Double) -> Box {
            defer {
                y += height
                self.height -= height
            }
            return Box(x: x, y: y, width: width, height: height)
        }

        /// Cuts a strip off its bottom.
        mutating func cutBottom(_ height: Double) -> Box {
            self.height -= height
            return Box(x: x, y: y + self.height, width: width, height: height)
        }

        /// Cuts a strip off its left.
        mutating func cutLeft(_ width: Double) -> Box {
            defer {
                x += width
                self.width -= width
            }
            return Box(x: x, y: y, width: width, height: height)
        }

        /// Cuts a strip off its right.
        mutating func cutRight(_ width: Double) -> Box {
            self.width -= width
            return Box(x: x + self.width, y: y, width: width, height: height)
        }

        /// The rectangle without a border.
        func inset(_ border: Double) -> Box {
            Box(
                x: x + border,
                y: y + border,
                width: width - 2 * border,
                height: height - 2 * border
            )
        }
    }
}
