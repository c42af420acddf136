internal import Foundation
internal import SystemSupport

extension String {
    /// The text in Unicode's composed form (NFC), the same for all canonically equivalent spellings.
    ///
    /// `É` may be one code point or two, and some ideographs have several code points for compatibility
    /// with older character sets. Such spellings are equal in Swift, but not if bytes are compared or
    /// ordered, as in a store. So names of people and stations are kept only in this form; the bytes of
    /// the tag are kept beside them.
    package var composed: String {
        // A text without combining marks and later characters is composed already.
        if unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return self }
        // Composing alone does not complete Hangul syllables that are partly composed.
        return decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
    }

    /// Whether the text is in its composed form, byte for byte.
    var isComposed: Bool { utf8.elementsEqual(composed.utf8) }

    /// Whether a station can have this name: 1 to 64 characters, none of them hidden.
    package var isStationName: Bool {
        (1...64).contains(count) && onOneLine == self
            && ![ImportRun.author, PurgeRun.author, RecordCheckup.author].contains(self)
    }

    /// Whether it has no visible character.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
