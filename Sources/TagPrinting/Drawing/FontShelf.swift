/// The fonts of a drawing, each of which is looked for once.
final class FontShelf {
    private var fonts: [String: TagFont] = [:]

    /// Every letter without an accent, every digit and every sign.
    private static let plain = String(decoding: Array(UInt8(0x20)...0x7E), as: UTF8.self)

    /// The font for a text.
    ///
    /// - Throws: ``TagPrintingError`` where there is none.
    func font(for text: String) throws -> TagFont {
        // Letters and digits without accents are in every font, so they share one.
        let key = text.utf8.allSatisfy { $0 < 0x80 } ? Self.plain : text
        if let font = fonts[key] { return font }
        let font = try TagFont(for: key)
        fonts[key] = font
        return font
    }

    /// The height of a capital letter in the font that most texts are in, at a size of 1.
    func letterHeight() throws -> Double { try font(for: "H").extent(of: "H").rise }
}
