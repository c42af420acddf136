internal import CPrinting

/// Pages drawn as shapes, in points of 1/72 inch.
struct VectorPages: ~Copyable {
    enum Kind { case pdf, svg }

    private let kind: Kind
    private let resolution: Resolution
    private let sink = ByteSink()
    private let surface: CairoSurface
    private let drawing: PageDrawing

    /// Begins a file.
    init(_ kind: Kind, size page: TagPage, at resolution: Resolution) throws {
        self.kind = kind
        self.resolution = resolution
        let scale = 72 / Double(resolution.dotsPerInch)
        let (width, height) = (Double(page.width) * scale, Double(page.height) * scale)
        let made =
            switch kind {
            case .pdf:
                unsafe cairo_pdf_surface_create_for_stream(
                    ByteSink.append,
                    sink.closure,
                    width,
                    height
                )
            case .svg:
                unsafe cairo_svg_surface_create_for_stream(
                    ByteSink.append,
                    sink.closure,
                    width,
                    height
                )
            }
        let surface = try unsafe CairoSurface(made, writingTo: sink)
        if kind == .pdf {
            unsafe cairo_pdf_surface_set_metadata(
                surface.pointer,
                CAIRO_PDF_METADATA_TITLE,
                "Luggage tags"
            )
        }
        drawing = try unsafe PageDrawing(on: surface.pointer, scale: scale)
        self.surface = surface
    }

    /// Draws the next page.
    func add(_ page: TagPage) throws {
        drawing.paint()
        try drawing.draw(page, at: resolution)
    }

    /// The whole file.
    consuming func bytes() throws -> [UInt8] {
        unsafe cairo_surface_finish(surface.pointer)
        let status = unsafe cairo_surface_status(surface.pointer)
        if status != CAIRO_STATUS_SUCCESS { throw TagPrintingError(status) }
        return sink.bytes
    }
}
