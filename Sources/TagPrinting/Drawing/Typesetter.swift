internal import CPrinting
internal import LuggageTags
internal import SystemSupport

/// Sets texts of every script with Pango: letters that join or change places, from right to left too.
@safe
final class Typesetter {
    /// How heavy letters are.
    enum Weight: Hashable { case regular, bold }

    private struct Key: Hashable {
        let text: String
        let weight: Weight
    }

    private let context: OpaquePointer
    private var texts: [Key: SetText] = [:]

    /// The most texts that are kept: more than the tags of a roll have in common.
    private static let most = 1000

    /// Begins to set texts for a canvas.
    init(for canvas: OpaquePointer) {
        unsafe context = pango_cairo_create_context(canvas)
        let options = unsafe cairo_font_options_create()
        // Hinting would move letters to whole dots, and so space them differently at every resolution.
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe pango_cairo_context_set_font_options(context, options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_round_glyph_positions(context, 0)
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(context))
    }

    /// Sets a text on one line.
    ///
    /// - Throws: ``TagPrintingError`` if no installed font has every letter.
    func set(_ text: String, _ weight: Weight) throws -> SetText {
        let key = Key(text: text, weight: weight)
        if let known = texts[key] { return known }
        let set = unsafe SetText(text.composed, weight, context)
        if set.hasMissingLetters {
            throw TagPrintingError(
                .font,
                "no installed font has all letters of \(text.quoted); install one, such as Debian's "
                    + "fonts-dejavu-core, fonts-noto-core or, for Chinese, Japanese and Korean, "
                    + "fonts-noto-cjk"
            )
        }
        if texts.count >= Self.most { texts = [:] }
        texts[key] = set
        return set
    }

    /// The height of a capital letter at a size of 1.
    func letterHeight(_ weight: Weight) throws -> Double { try set("H", weight).extent.rise }
}

/// A text whose letters are chosen and put side by side, which can be drawn in any size.
@safe
final class SetText {
    /// The size of a text at a font size of 1.
    struct Extent {
        /// From its start to the start of the next text.
        var advance: Double
        /// From its start to its leftmost ink.
        var left: Double
        /// From its start to its rightmost ink.
        var right: Double
        /// From its baseline up to its highest point.
        var rise: Double
        /// From its baseline down to its lowest point.
        var fall: Double
    }

    let extent: Extent
    private let layout: OpaquePointer

    /// The size at which texts are set; letters without hinting are the same at all others.
    private static let size = 1000.0

    fileprivate init(_ text: String, _ weight: Typesetter.Weight, _ context: OpaquePointer) {
        unsafe layout = pango_layout_new(context)
        let font = unsafe pango_font_description_new()
        unsafe pango_font_description_set_family(font, "sans-serif")
        unsafe pango_font_description_set_weight(
            font,
            weight == .bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL
        )
        let unit = Double(PANGO_SCALE)
        unsafe pango_font_description_set_absolute_size(font, Self.size * unit)
        unsafe pango_layout_set_font_description(layout, font)
        unsafe pango_font_description_free(font)
        unsafe pango_layout_set_single_paragraph_mode(layout, 1)
        unsafe pango_layout_set_text(layout, text, Int32(text.utf8.count))
        var ink = PangoRectangle()
        var logical = PangoRectangle()
        let line = unsafe pango_layout_get_line_readonly(layout, 0)
        unsafe pango_layout_line_get_extents(line, &ink, &logical)
        func share(_ length: Int32) -> Double { Double(length) / unit / Self.size }
        extent = Extent(
            advance: share(logical.width),
            left: share(ink.x),
            right: share(ink.x + ink.width),
            rise: share(-ink.y),
            fall: share(ink.y + ink.height)
        )
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(layout))
    }

    /// Whether some letter is in no font, and would appear as a box.
    fileprivate var hasMissingLetters: Bool {
        unsafe pango_layout_get_unknown_glyphs_count(layout) > 0
    }

    /// Draws it.
    ///
    /// - Parameters:
    ///   - canvas: Where.
    ///   - x: Its start.
    ///   - base: Its baseline.
    ///   - size: The size of the font.
    func draw(on canvas: OpaquePointer, _ x: Double, base: Double, size: Double) {
        unsafe cairo_save(canvas)
        unsafe cairo_translate(canvas, x, base)
        unsafe cairo_scale(canvas, size / Self.size, size / Self.size)
        unsafe cairo_move_to(canvas, 0, 0)
        unsafe pango_cairo_show_layout_line(canvas, pango_layout_get_line_readonly(layout, 0))
        // A text leaves its end as the present point, from which a path would continue.
        unsafe cairo_new_path(canvas)
        unsafe cairo_restore(canvas)
    }
}
