internal import CPrinting

/// Draws tags with cairo, in black; one unit is one printer dot.
@safe
struct PageDrawing: ~Copyable {
    private let context: OpaquePointer
    private let typesetter: Typesetter

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
        unsafe typesetter = Typesetter(for: context)
    }

    deinit {
        unsafe cairo_destroy(context)
    }

    /// Draws a page and ends it.
    func draw(_ page: TagPage, at resolution: Resolution) throws {
        for panel in page.panels { try draw(panel, at: resolution) }
        for tear in page.tears { drawTear(at: tear, page.width, resolution) }
        unsafe cairo_show_page(context)
        let status = unsafe cairo_status(context)
        if status != CAIRO_STATUS_SUCCESS { throw TagPrintingError(status) }
    }

    /// Makes the paper white, because a viewer may have another background.
    func paint() {
        unsafe cairo_set_source_rgb(context, 1, 1, 1)
        unsafe cairo_paint(context)
        unsafe cairo_set_source_rgb(context, 0, 0, 0)
    }

    private func draw(_ panel: TagPage.Panel, at resolution: Resolution) throws {
        unsafe cairo_save(context)
        defer { unsafe cairo_restore(context) }
        // Whole numbers, so that a module is as many whole dots when it is turned.
        let (cosine, sine): (Double, Double) =
            switch panel.turn {
            case .none: (1, 0)
            case .quarter: (0, 1)
            case .half: (-1, 0)
            }
        var turn = cairo_matrix_t(
            xx: cosine,
            yx: sine,
            xy: -sine,
            yy: cosine,
            x0: Double(panel.origin.x),
            y0: Double(panel.origin.y)
        )
        unsafe cairo_transform(context, &turn)
        for element in panel.elements {
            switch element {
            case .text(let block): try draw(block, at: resolution)
            case .symbol(let symbol, let x, let y, let module):
                draw(symbol, module: module, x, y)
            case .bars(let code, let x, let y, let module, let height):
                draw(code, module: module, height, x, y)
            case .rule(let box): fill(box)
            }
        }
    }

    /// Draws dark modules as one shape, so that no light seam appears between two of them.
    private func draw(_ symbol: QRSymbol, module: Int, _ x: Int, _ y: Int) {
        for row in 0..<symbol.side {
            var column = 0
            while column < symbol.side {
                let start = column
                while column < symbol.side, symbol.isDark(column: column, row: row) { column += 1 }
                if column > start {
                    unsafe cairo_rectangle(
                        context,
                        Double(x + start * module),
                        Double(y + row * module),
                        Double((column - start) * module),
                        Double(module)
                    )
                }
                column += 1
            }
        }
        unsafe cairo_fill(context)
    }

    private func draw(_ code: LinearCode, module: Int, _ height: Int, _ x: Int, _ y: Int) {
        var left = x
        for (place, width) in code.widths.enumerated() {
            if place.isMultiple(of: 2) {
                unsafe cairo_rectangle(
                    context,
                    Double(left),
                    Double(y),
                    Double(width * module),
                    Double(height)
                )
            }
            left += width * module
        }
        unsafe cairo_fill(context)
    }

    private func draw(_ block: TagPage.TextBlock, at resolution: Resolution) throws {
        for line in try FittedText(block, typesetter, at: resolution).lines {
            var left = line.x
            for part in line.parts {
                if let text = part.text {
                    unsafe text.draw(on: context, left, base: line.base, size: line.size)
                } else {
                    drawArrow(left, base: line.base, letter: line.letter)
                }
                left += part.extent.advance * line.size
            }
        }
    }

    private func fill(_ box: TagPage.Box) {
        unsafe cairo_rectangle(context, box.x, box.y, box.width, box.height)
        unsafe cairo_fill(context)
    }

    /// Draws a dashed line across the paper.
    private func drawTear(at y: Int, _ width: Int, _ resolution: Resolution) {
        let dash = resolution.dots(1.5).rounded()
        let height = max(1, resolution.dots(0.25).rounded())
        for x in stride(from: 0, to: Double(width), by: 2 * dash) {
            fill(TagPage.Box(x: x, y: Double(y), width: dash, height: height))
        }
    }

    private func drawArrow(_ x: Double, base: Double, letter: Double) {
        let length = FittedText.arrow.length * letter
        let (left, y) = (x + FittedText.arrow.space * letter, base - letter / 2)
        let (end, head, half) = (left + length, 0.45 * length, 0.08 * length)
        let outline = [
            (left, y - half), (end - head, y - half), (end - head, y - head * 0.8), (end, y),
            (end - head, y + head * 0.8), (end - head, y + half), (left, y + half),
        ]
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
