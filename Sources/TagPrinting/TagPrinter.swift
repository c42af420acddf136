public import LuggageTags

/// Draws tags for a printer.
///
/// ```swift
/// let tag = try PrintedTag(
///     owner: PassengerName(givenName: "D", familyName: "ZMU"),
///     pounds: 42,
///     origin: PlaceName("ZRH"),
///     destination: PlaceName("JFK")
/// )
/// let bytes = try TagPrinter().file(of: [tag], as: .pdf)
/// ```
public struct TagPrinter: Sendable {
    /// The encoder of the payload.
    public var encoder: TagEncoder
    /// The error correction of the symbol.
    public var correction: QRSymbol.Correction
    /// The layout of a tag.
    public var layout: TagLayout
    /// Whether a claim stub for the passenger is at the end of a tag, to be torn off.
    public var hasStub: Bool
    /// The paper.
    public var paper: PaperSize
    /// The printer's resolution; a module is a whole number of dots in every format.
    public var resolution: Resolution

    /// Makes a printer from its settings.
    ///
    /// - Parameters:
    ///   - encoder: The encoder of the payload.
    ///   - correction: The error correction of the symbol.
    ///   - layout: The layout of a tag.
    ///   - hasStub: Whether a claim stub is at the end of a tag; a card has none.
    ///   - paper: The paper; the layout's own unless given.
    ///   - resolution: The printer's resolution.
    public init(
        encoder: TagEncoder = TagEncoder(),
        correction: QRSymbol.Correction = .medium,
        layout: TagLayout = .label,
        hasStub: Bool = false,
        paper: PaperSize? = nil,
        resolution: Resolution = .dots300
    ) {
        self.encoder = encoder
        self.correction = correction
        self.layout = layout
        self.hasStub = hasStub
        self.paper = paper ?? layout.paper
        self.resolution = resolution
    }

    /// The symbol of a tag.
    ///
    /// - Parameter tag: The tag.
    /// - Returns: A symbol of the payload's exact bytes.
    /// - Throws: ``TagPrintingError`` if it does not fit into a symbol.
    public func symbol(of tag: PrintedTag) throws -> QRSymbol {
        do {
            return try QRSymbol(encoder.encode(tag.contents), correction: correction)
        } catch let error as QRSymbolError {
            throw TagPrintingError(.symbol, error.description)
        }
    }

    /// Draws tags into one file.
    ///
    /// - Parameters:
    ///   - tags: The tags, as many on each page as the layout has; a PNG or SVG file has one page.
    ///   - format: The format of the file.
    /// - Returns: The bytes of the file.
    /// - Throws: ``TagPrintingError``.
    public func file(of tags: [PrintedTag], as format: TagFileFormat) throws -> [UInt8] {
        let pages = pages(of: tags)
        guard !pages.isEmpty, pages.count == 1 || format.hasPages else {
            let most = layout.tagsPerPage == 1 ? "one tag" : "1 to \(layout.tagsPerPage) tags"
            throw TagPrintingError(.paper, "a \(format.name) file has \(most), not \(tags.count)")
        }
        var file = TagFile(format, self)
        for page in pages { try file.add(page) }
        return try file.bytes()
    }

    package func pages(of tags: [PrintedTag]) -> [[PrintedTag]] {
        stride(from: 0, to: tags.count, by: layout.tagsPerPage).map {
            Array(tags[$0..<min($0 + layout.tagsPerPage, tags.count)])
        }
    }

    func page(of tags: [PrintedTag]) throws -> TagPage {
        try TagPage(
            tags.map { try TagParts($0, symbol(of: $0), at: resolution) },
            layout,
            hasStub: hasStub && layout.hasStub,
            on: paper,
            at: resolution
        )
    }
}

/// A file format for drawn tags.
public enum TagFileFormat: String, CaseIterable, Sendable {
    /// A raster image with its resolution.
    case png
    /// Pages of vector shapes.
    case pdf
    /// An image of vector shapes.
    case svg
    /// Commands for thermal printers.
    case zpl

    /// The name of the format.
    public var name: String { rawValue.uppercased() }

    /// Whether a file may have several tags.
    public var hasPages: Bool { self == .pdf || self == .zpl }
}
