internal import CPrinting
internal import LuggageTags
internal import SystemSupport

/// A bold font that has every character of a text.
@safe
final class TagFont {
    private let face: OpaquePointer
    private let font: OpaquePointer

    /// The size at which texts are measured; all other sizes are proportional.
    private static let measure = 1000.0

    /// Finds a font for a text.
    ///
    /// - Parameter text: The text, in the order in which it is drawn.
    /// - Throws: ``TagPrintingError`` if no installed font has every character.
    init(for text: String) throws {
        guard let family = Self.family(for: text) else {
            throw TagPrintingError(
                .font,
                "no font is installed; install Debian's package fonts-dejavu-core"
            )
        }
        let made = unsafe cairo_toy_font_face_create(
            family,
            CAIRO_FONT_SLANT_NORMAL,
            CAIRO_FONT_WEIGHT_BOLD
        )
        var size = cairo_matrix_t()
        var unchanged = cairo_matrix_t()
        unsafe cairo_matrix_init_scale(&size, Self.measure, Self.measure)
        unsafe cairo_matrix_init_identity(&unchanged)
        let options = unsafe cairo_font_options_create()
        defer { unsafe cairo_font_options_destroy(options) }
        // Hinting would move letters to whole dots, and so space them differently at every resolution.
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        let scaled = unsafe cairo_scaled_font_create(made, &size, &unchanged, options)
        // On failure, cairo returns objects in an error state, not NULL.
        guard let made = unsafe made, let scaled = unsafe scaled,
            unsafe cairo_scaled_font_status(scaled) == CAIRO_STATUS_SUCCESS
        else {
            unsafe cairo_scaled_font_destroy(scaled)
            unsafe cairo_font_face_destroy(made)
            throw TagPrintingError(.font, "the font \(family.quoted) cannot be used")
        }
        unsafe face = made
        unsafe font = scaled
        guard hasGlyphs(for: text) else {
            throw TagPrintingError(
                .font,
                "no installed font has all letters of \(text.quoted); install one, such as Debian's "
                    + "fonts-dejavu-core, fonts-noto-core or, for Chinese, Japanese and Korean, "
                    + "fonts-noto-cjk"
            )
        }
    }

    deinit {
        unsafe cairo_scaled_font_destroy(font)
        unsafe cairo_font_face_destroy(face)
    }

    /// The size of a text at a font size of 1.
    struct Extent {
        /// From its start to the start of the next text.
        let advance: Double
        /// From its baseline up to its highest point.
        let rise: Double
        /// From its baseline down to its lowest point.
        let fall: Double
    }

    /// Measures a text at a size of 1.
    func extent(of text: String) -> Extent {
        var extents = cairo_text_extents_t()
        unsafe cairo_scaled_font_text_extents(font, text, &extents)
        return Extent(
            advance: extents.x_advance / Self.measure,
            rise: -extents.y_bearing / Self.measure,
            fall: (extents.height + extents.y_bearing) / Self.measure
        )
    }

    /// Makes a canvas write with this font.
    func select(on context: OpaquePointer, size: Double) {
        unsafe cairo_set_font_face(context, face)
        unsafe cairo_set_font_size(context, size)
    }

    /// Whether every character has a glyph; one without would appear as an empty box.
    private func hasGlyphs(for text: String) -> Bool {
        var glyphs: UnsafeMutablePointer<cairo_glyph_t>?
        var count: Int32 = 0
        let status = unsafe cairo_scaled_font_text_to_glyphs(
            font,
            0,
            0,
            text,
            Int32(text.utf8.count),
            &glyphs,
            &count,
            nil,
            nil,
            nil
        )
        defer { unsafe cairo_glyph_free(glyphs) }
        guard status == CAIRO_STATUS_SUCCESS, let first = unsafe glyphs else { return false }
        let drawn = unsafe UnsafeBufferPointer(start: first, count: Int(count))
        return unsafe drawn.allSatisfy { $0.index != 0 }
    }

    /// The family of the installed font that fits a text best; nil if no font is installed.
    private static func family(for text: String) -> String? {
        let pattern = unsafe FcPatternCreate()
        let characters = unsafe FcCharSetCreate()
        defer {
            unsafe FcCharSetDestroy(characters)
            unsafe FcPatternDestroy(pattern)
        }
        for scalar in text.unicodeScalars { unsafe FcCharSetAddChar(characters, scalar.value) }
        unsafe FcPatternAddString(pattern, FC_FAMILY, "sans-serif")
        unsafe FcPatternAddInteger(pattern, FC_WEIGHT, FC_WEIGHT_BOLD)
        unsafe FcPatternAddCharSet(pattern, FC_CHARSET, characters)
        unsafe FcPatternAddBool(pattern, FC_SCALABLE, 1)
        unsafe FcConfigSubstitute(nil, pattern, FcMatchPattern)
        unsafe FcDefaultSubstitute(pattern)
        var result = FcResultMatch
        guard let match = unsafe FcFontMatch(nil, pattern, &result) else { return nil }
        defer { unsafe FcPatternDestroy(match) }
        var family: UnsafeMutablePointer<FcChar8>?
        guard unsafe FcPatternGetString(match, FC_FAMILY, 0, &family) == FcResultMatch,
            let family = unsafe family
        else { return nil }
        return unsafe String(cString: family)
    }
}

/// The fonts of a drawing, each looked up once.
final class FontShelf {
    private var fonts: [String: TagFont] = [:]

    /// The characters of ASCII from the space on: unaccented letters, digits and signs.
    private static let plain = String(decoding: Array(UInt8(0x20)...0x7E), as: UTF8.self)

    /// The font for a text.
    func font(for text: String) throws -> TagFont {
        // Every font has unaccented letters and digits, so all such texts share one.
        let key = text.utf8.allSatisfy { $0 < 0x80 } ? Self.plain : text
        if let font = fonts[key] { return font }
        let font = try TagFont(for: key)
        fonts[key] = font
        return font
    }

    /// The height of a capital letter in the most used font, at a size of 1.
    func letterHeight() throws -> Double { try font(for: "H").extent(of: "H").rise }
}
