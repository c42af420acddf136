// The standard library composes texts to compare them, but does not offer that to everybody yet. Foundation's
// own packages call it in the same way; Foundation itself would bring 40 MB to every program.
@_spi(_Unicode) private import Swift

extension String {
    /// The text in Unicode's composed form (NFC), the same for all canonically equivalent spellings.
    ///
    /// `É` may be one code point or two, and some ideographs have several code points for compatibility
    /// with older character sets. Such spellings are equal in Swift, but not if bytes are compared or
    /// ordered, as in a store.
    package var composed: String {
        // A text without combining marks and later characters is composed already.
        if unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return self }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: _nfc)
        return String(scalars)
    }

    /// The text without accents, and with letters of the usual width; for searching.
    package var withoutAccents: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var scalars = String.UnicodeScalarView()
        scalars.append(
            contentsOf: String(String.UnicodeScalarView(unicodeScalars.map(\.usuallyWide)))._nfd
                .lazy.filter { !$0.isAccent }
        )
        return String(scalars)
    }
}

extension Unicode.Scalar {
    /// Whether it changes the letter before it; not a sign of a vowel, which is a letter to those who write it.
    fileprivate var isAccent: Bool {
        properties.generalCategory == .nonspacingMark
            && ![.notReordered, .virama].contains(properties.canonicalCombiningClass)
    }

    /// The same letter in its usual width.
    fileprivate var usuallyWide: Unicode.Scalar {
        switch value {
        case 0x3000: " "
        case 0xFF01...0xFF5E: Unicode.Scalar(value - 0xFEE0) ?? self
        case 0xFF66...0xFF9F: Self.katakana[Int(value - 0xFF66)]
        default: self
        }
    }

    /// Those of the usual width for the narrow ones from U+FF66 on, in order.
    private static let katakana = Array(
        ("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
            + "\u{3099}\u{309A}").unicodeScalars
    )
}
