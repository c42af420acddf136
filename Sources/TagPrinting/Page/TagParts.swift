internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

/// The parts that all layouts are made of, each put into a box.
struct TagParts {
    typealias Box = TagPage.Box
    typealias Element = TagPage.Element

    let tag: PrintedTag
    let symbol: QRSymbol
    let code: LinearCode
    let resolution: Resolution

    /// The smallest module that cameras read well from a hand's distance, in millimetres.
    private static let leastModule = 0.25
    /// The fewest dots per module: with fewer, printers blur one module into another.
    private static let leastDots = 2
    /// The narrowest bar that handheld lasers read at an arm's length, in millimetres.
    private static let leastBar = 0.24
    /// The widest bar, above which the light of a laser is too short for the code.
    private static let mostBar = 0.66
    /// The most letters of both places on one line.
    private static let mostOnLine = 26

    init(_ tag: PrintedTag, _ symbol: QRSymbol, at resolution: Resolution) throws {
        self.tag = tag
        self.symbol = symbol
        self.resolution = resolution
        code = try LinearCode(tag.shortIdentifier)
    }

    func dots(_ millimetres: Double) -> Double { resolution.dots(millimetres) }

    /// The modules along one side of the symbol, with its quiet zone.
    var modules: Int { symbol.side + 2 * QRSymbol.quietZone }

    /// The least side of the symbol, with its quiet zone.
    var leastSide: Double {
        let least = max(Self.leastDots, Int(dots(Self.leastModule).rounded(.up)))
        return Double(modules * least)
    }

    /// The symbol, as large as its box allows.
    ///
    /// - Parameters:
    ///   - box: The box.
    ///   - share: Where the symbol is in a box that is wider: 0 at its left, 0.5 in the middle.
    /// - Returns: The symbol and its place.
    /// - Throws: ``TagPrintingError`` if the box is too small.
    func symbol(in box: Box, at share: Double = 0.5) throws -> Element {
        let room = min(box.width, box.height)
        let module = Int(room) / modules
        guard Double(module * modules) >= leastSide else {
            throw TagPrintingError(
                .paper,
                "the symbol needs \(Int((leastSide / dots(1)).rounded(.up))) mm on each side, and this "
                    + "paper has room for \(max(0, Int(room / dots(1))))",
                remedy: .roomForSymbol
            )
        }
        let side = Double(module * modules)
        let border = QRSymbol.quietZone * module
        return .symbol(
            symbol,
            x: Int((box.x + share * (box.width - side)).rounded()) + border,
            y: Int((box.y + (box.height - side) / 2).rounded()) + border,
            module: module
        )
    }

    /// The linear code of the short identifier in the middle of a box; nil if that is too narrow for it.
    func bars(in box: Box) -> Element? {
        // As wide as any short identifier needs, so that the tags of a roll look the same.
        let characters = 2 + tag.shortIdentifier.utf8.count
        let borders = 2 * LinearCode.quietZone
        let most = max(2, Int(dots(Self.mostBar)))
        let modules = LinearCode.width(characters: characters) + borders
        let module = min(most, Int(box.width) / modules)
        guard module >= 2, Double(module) >= dots(Self.leastBar) else { return nil }
        let width = Double(code.width * module)
        return .bars(
            code,
            x: Int((box.x + (box.width - width) / 2).rounded()),
            y: Int(box.y.rounded()),
            module: module,
            height: Int(box.height)
        )
    }

    /// A thick line across a box, with space above and below it.
    func rule(_ box: Box) -> Element {
        let height = max(1, dots(0.5).rounded())
        let above = max(0, 0.4 * (box.height - height))
        return .rule(Box(x: box.x, y: (box.y + above).rounded(), width: box.width, height: height))
    }

    func text(
        _ text: String,
        in box: Box,
        letter: Double,
        _ weight: Typesetter.Weight = .bold,
        _ alignment: TagPage.TextBlock.Alignment = .left,
        lines: Int = 1
    ) -> Element {
        .text(
            TagPage.TextBlock(
                parts: [.text(text)],
                box: box,
                letter: letter,
                weight: weight,
                alignment: alignment,
                mostLines: lines
            )
        )
    }

    /// A word that says what is below it.
    func caption(_ word: String, in box: Box, _ alignment: TagPage.TextBlock.Alignment = .left)
        -> Element
    {
        text(word, in: box, letter: dots(1.6), .regular, alignment)
    }

    /// The owner as tags show it: `D/ZMU`; each name by itself, whichever way its script runs.
    func owner(in box: Box, letter: Double) -> Element {
        let names = tag.owner
        return .text(
            TagPage.TextBlock(
                parts: [.text(names.givenName), .text("/"), .text(names.familyName)],
                box: box,
                letter: letter
            )
        )
    }

    /// Whether the tag says from where and to where.
    var hasRoute: Bool { tag.origin != nil && tag.destination != nil }

    /// Whether the names of both places are so short that they can stand side by side.
    var hasShortRoute: Bool {
        let names = [tag.origin, tag.destination].compactMap { $0?.description.count }
        return names.reduce(0, +) <= Self.mostOnLine
    }

    /// From where to where; nil if the tag does not say both.
    ///
    /// Where the names are too long, it is only from where: the headline says the other.
    func route(in box: Box, letter: Double) -> Element? {
        guard let origin = tag.origin, let destination = tag.destination else { return nil }
        let names = [origin, destination].map(\.description)
        if !hasShortRoute { return text("from \(names[0])", in: box, letter: letter, lines: 2) }
        return .text(
            TagPage.TextBlock(
                parts: [.text(names[0]), .arrow, .text(names[1])],
                box: box,
                letter: letter,
                mostLines: 2
            )
        )
    }

    /// What is read from far: where the bag goes, else where it comes from, else whose it is.
    var headline: (caption: String, text: String)? {
        if let destination = tag.destination { return ("TO", destination.description) }
        return tag.origin.map { ("FROM", $0.description) }
    }

    /// The trip and its day: `LX 14  2026-07-01`.
    var trip: String? {
        let parts = [tag.trip?.description, tag.date].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "  ")
    }

    /// The weight in both units.
    var weights: [String] {
        guard let pounds = tag.pounds else { return [] }
        let kilograms = Double(pounds) * MassUnit.kilogramsPerPound
        return [
            Double(pounds).text(decimals: 1) + " lb", kilograms.text(decimals: 2) + " kg",
        ]
    }
}
