internal import SeededRandom
internal import TagDrawing

/// What a symbol says: a bag with values of its own, in one of the forms that are in use.
struct TagPayload {
    let bytes: [UInt8]
    let identifier: String
    let givenName: String
    let familyName: String
    let pounds: Double

    /// Makes a payload: mostly JSON, a quarter of them MessagePack.
    init(using generator: inout SeededGenerator) {
        let raw = (0..<16).map { _ in UInt8(generator.number(below: 256)) }
        identifier = Self.identifier(raw)
        let names = Self.names[generator.number(below: Self.names.count)]
        (givenName, familyName) = names
        pounds = Double(generator.number(in: 8...70) * 2).rounded() / 2 + 1
        switch generator.number(below: 20) {
        case 0..<5:
            bytes = Self.messagePack(raw, owner: [givenName, familyName], pounds)
        case 5..<8:
            // The canonical form with its spaces, as the documentation shows it.
            let text =
                #"{ "id": "\#(identifier)", "owner": ["\#(givenName)", "\#(familyName)"], "#
                + #""weight": \#(pounds) }"#
            bytes = Array(text.utf8)
        default:
            bytes = LuggageTagDrawing.canonicalPayload(
                identifier: identifier,
                owner: [givenName, familyName],
                weight: "\(pounds)"
            )
        }
    }

    /// The usual names, and some that need more than ASCII.
    private static let names: [(String, String)] = [
        ("D", "ZMU"), ("A", "LOV"), ("S", "KOV"), ("M", "HAM"), ("G", "HOP"), ("J", "DOE"),
        ("K", "TAN"), ("P", "ROY"), ("T", "LEE"), ("R", "FOX"), ("W", "KIM"), ("C", "DIA"),
        ("É", "MÜL"), ("Ø", "ÅSE"), ("Ñ", "PEÑ"), ("李", "小龙"), ("山", "田花"), ("김", "민준"),
    ]

    private static func identifier(_ raw: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF")
        var text = ""
        for (index, byte) in raw.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append("-") }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }

    /// A map of three entries: `id` as 16 bytes, `owner` as two texts, `weight` as a double.
    private static func messagePack(_ raw: [UInt8], owner: [String], _ pounds: Double) -> [UInt8] {
        func text(_ content: String) -> [UInt8] {
            [0xA0 | UInt8(content.utf8.count)] + Array(content.utf8)
        }
        let bits = pounds.bitPattern
        let weight = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
        return [0x83] + text("id") + [0xC4, 16] + raw + text("owner") + [0x92]
            + owner.flatMap(text) + text("weight") + [0xCB] + weight
    }
}
