public import LuggageTags

/// Draws tags for a printer.
///
/// ```swift
/// let tag = try PrintedTag(
///     owner: PassengerName(givenName: "D", familyName: "ZMU"),
///     pounds: 42,
///     origin: Airport("ZRH"),
///     destination: Airport("JFK")
/// )
/// let bytes = try TagPrinter().file(of: [tag], as: .pdf)
/// ```
public struct TagPrinter: Sendable {
    /// The encoder of the payload.
    public var encoder: TagEncoder
    /// The error correction of the symbol.
    public var correction: QRSymbol.Correction
    /// The paper.
    public var paper: PaperSize
    /// The printer's resolution; a module is a whole number of dots in every format.
    public var resolution: Resolution

    /// Makes a printer from its settings.
    ///
    /// - Parameters:
    ///   - encoder: The encoder of the payload.
    ///   - correction: The error correction of the symbol.
    ///   - paper: The paper.
    ///   - resolution: The printer's resolution.
    public init(
        encoder: TagEncoder = TagEncoder(),
        correction: QRSymbol.Correction = .medium,
        paper: PaperSize = .label,
        resolution: Resolution = .dots300
    ) {
        self.encoder = encoder
        self.correction = correction
        self.paper = paper
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
    ///   - tags: The tags, one per page; a PNG or SVG file has only one.
    ///   - format: The format of the file.
    /// - Returns: The bytes of the file.
    /// - Throws: ``TagPrintingError``.
    public func file(of tags: [PrintedTag], as format: TagFileFormat) throws -> [UInt8] {
        guard let first = tags.first, tags.count == 1 || format.hasPages else {
            throw TagPrintingError(
                .paper,
                "a \(format.name) file has one tag, not \(tags.count)"
            )
        }
        switch format {
        case .png:
            return try dots(of: first).png(at: resolution)
        case .zpl:
            return try tags.flatMap { tag in
                let dots = try dots(of: tag)
                return ZPLGraphic.label(width: dots.width, rows: dots.bits())
            }
        case .pdf, .svg:
            let page = try page(of: first)
            let pages = try VectorPages(format == .pdf ? .pdf : .svg, size: page, at: resolution)
            try pages.add(page)
            for tag in tags.dropFirst() { try pages.add(self.page(of: tag)) }
            return try pages.bytes()
        }
    }

    /// Checks that a tag can be printed.
    ///
    /// - Parameter tag: The tag.
    /// - Throws: ``TagPrintingError`` if it cannot.
    public func check(_ tag: PrintedTag) throws {
        let page = try page(of: tag)
        try VectorPages(.pdf, size: page, at: resolution).add(page)
    }

    private func dots(of tag: PrintedTag) throws -> DotPage {
        let page = try page(of: tag)
        let dots = try DotPage(size: page)
        try dots.draw(page, at: resolution)
        return dots
    }

    private func page(of tag: PrintedTag) throws -> TagPage {
        try TagPage(tag, symbol(of: tag), on: paper, at: resolution)
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
