/// The fonts of a drawing, each looked up once.
final class FontShelf {
    private var fonts: [String: TagFont] = [:]

    /// The characters of ASCII from the space on: unaccented letters, digits and signs.
    private static let plain = String(decoding: Array(UInt8(0x20)...0x7E), as: UTF8.self)

    /// The font for a text.
    ///
    /// - Throws: ``TagPrintingError`` if there is none.
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
