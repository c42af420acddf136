/// A file of tags that is drawn page by page.
package struct TagFile: ~Copyable {
    private let format: TagFileFormat
    private let printer: TagPrinter
    private var dots: [UInt8] = []
    private var shapes: VectorPages?

    /// Begins a file.
    package init(_ format: TagFileFormat, _ printer: TagPrinter) {
        self.format = format
        self.printer = printer
        shapes = nil
    }

    /// Draws a page.
    ///
    /// - Parameter tags: The tags of the page.
    /// - Throws: ``TagPrintingError`` if they cannot be drawn. Others can still be tried, to learn of all
    ///   that is wrong, but the file is of no use.
    package mutating func add(_ tags: [PrintedTag]) throws {
        let page = try printer.page(of: tags)
        let resolution = printer.resolution
        switch format {
        case .png, .zpl:
            let drawing = try DotPage(size: page)
            try drawing.draw(page, at: resolution)
            dots +=
                format == .png
                ? try drawing.png(at: resolution)
                : ZPLGraphic.label(width: drawing.width, rows: drawing.bits())
        case .pdf, .svg:
            if shapes == nil {
                shapes = try VectorPages(format == .pdf ? .pdf : .svg, size: page, at: resolution)
            }
            try shapes?.add(page)
        }
    }

    /// The whole file.
    package consuming func bytes() throws -> [UInt8] {
        guard let shapes else { return dots }
        return try shapes.bytes()
    }
}
