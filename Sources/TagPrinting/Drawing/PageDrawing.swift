internal import CPrinting
internal import Foundation
internal import LuggageTags
internal import SystemSupport

/// Draws tags with cairo, in black; one unit is one printer dot.
@safe
struct PageDrawing: ~Copyable {
    private let context: OpaquePointer
    private let fonts = FontShelf()

    /// The smallest legible height of a capital letter, in millimetres.
    private static let leastLetter = 1.0
    /// The height of a capital letter, as a share of its line's height.
    private static let letterShare = 0.62
    /// The length of an arrow, and the space beside it, as shares of the height of a capital letter.
    private static let arrow = (length: 1.1, space: 0.35)

    /// Begins to draw.
    ///
    /// - Parameters:
    ///   - surface: The surface to draw on; the caller keeps it.
    ///   - scale: The surface's units per dot.
    /// - Throws: ``TagPrintingError`` if cairo cannot draw on it.
    init(on surface: OpaquePointer, scale: Double) throws {
        let context = unsafe cairo_create(surface)
        let status = unsafe cairo_status(context)
        guard let context = unsafe context, status == CAIRO_STATUS_SUCCESS else {
            unsafe cairo_destroy(context)
            throw TagPrintingError(status)
        }
        unsafe self.context = context
        unsafe cairo_scale(context, scale, scale)
        unsafe cairo_set_source_rgb(context, 0, 0, 0)
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe cairo_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
    }

    deinit {
        unsafe cairo_destroy(context)
    }

    /// Draws a page and ends it.
    func draw(_ page: TagPage, at resolution: Resolution) throws {
        draw(page.symbol, module: page.module, at: page.symbolOrigin)
        for line in page.lines { try draw(line, at: resolution) }
        unsafe cairo_show_page(context)
        let status = unsafe cairo_status(context)
        if status != CAIRO_STATUS_SUCCESS { throw TagPrintingError(status) }
    }

    /// Draws dark modules as one shape, so that no light seam appears between two of them.
    private func draw(_ symbol: QRSymbol, module: Int, at origin: (x: Int, y: Int)) {
        for row in 0..<symbol.side {
            var column = 0
            while column < symbol.side {
                let start = column
                while column < symbol.side, symbol.isDark(column: column, row: row) { column += 1 }
                if column > start {
                    unsafe cairo_rectangle(
                        context,
                        Double(origin.x + start * module),
                        Double(origin.y + row * module),
                        Double((column - start) * module),
                        Double(module)
                    )
                }
                column += 1
            }
        }
        unsafe cairo_fill(context)
    }

    private func draw(_ line: TagPage.Line, at resolution: Resolution) throws {
        let parts = try line.parts.map { try measured($0) }
        let letter = try fonts.letterHeight()
        let width = parts.reduce(0) { $0 + $1.extent.advance }
        let rise = parts.reduce(0) { max($0, $1.extent.rise) }
        let fall = parts.reduce(0) { max($0, $1.extent.fall) }
        let size = min(
            line.box.width / width,
            Self.letterShare * line.box.height / letter,
            0.96 * line.box.height / (rise + fall)
        )
        guard size * letter >= resolution.dots(Self.leastLetter) else {
            throw TagPrintingError(
                .paper,
                "the letters would be too small to read on this paper",
                remedy: .largerPaper
            )
        }
        var left: Double = line.box.x + (line.box.width - size * width) / 2
        let base: Double = line.box.y + (line.box.height + size * (rise - fall)) / 2
        for part in parts {
            if let text = part.text {
                try unsafe fonts.font(for: text).select(on: context, size: size)
                unsafe cairo_move_to(context, left, base)
                unsafe cairo_show_text(context, text)
            } else {
                let height = letter * size
                drawArrow(left + Self.arrow.space * height, base - height / 2, height)
            }
            left += part.extent.advance * size
        }
    }

    private func measured(
        _ part: TagPage.TextPart
    ) throws -> (text: String?, extent: TagFont.Extent) {
        switch part {
        case .text(let text):
            if let reason = text.reasonNotToSet {
                throw TagPrintingError(.font, "\(text.quoted) \(reason)")
            }
            let drawn = text.inDrawingOrder
            return (drawn, try fonts.font(for: drawn).extent(of: drawn))
        case .arrow:
            let letter = try fonts.letterHeight()
            let width = (Self.arrow.length + 2 * Self.arrow.space) * letter
            return (nil, TagFont.Extent(advance: width, rise: letter, fall: 0))
        }
    }

    /// Makes the paper white, because a viewer may have another background.
    func paint() {
        unsafe cairo_set_source_rgb(context, 1, 1, 1)
        unsafe cairo_paint(context)
        unsafe cairo_set_source_rgb(context, 0, 0, 0)
    }

    private func drawArrow(_ x: Double, _ y: Double, _ letter: Double) {
        let length = Self.arrow.length * letter
        let (end, head, half) = (x + length, 0.45 * length, 0.08 * length)
        let outline = [
            (x, y - half), (end - head, y - half), (end - head, y - head * 0.8), (end, y),
            (end - head, y + head * 0.8), (end - head, y + half), (x, y + half),
        ]
        // A text leaves its end as the present point, from which a path would continue.
        unsafe cairo_new_path(context)
        for corner in outline { unsafe cairo_line_to(context, corner.0, corner.1) }
        unsafe cairo_close_path(context)
        unsafe cairo_fill(context)
    }
}

extension TagPrintingError {
    /// Makes an error from cairo's status.
    init(_ status: cairo_status_t) {
        let words = unsafe String(cString: cairo_status_to_string(status))
        self.init(.drawing, "the tag cannot be drawn: \(words)")
    }
}
