internal import Foundation
internal import System

extension String {
    /// The text in Unicode's composed form (NFC), which all spellings have in common that are canonically
    /// equivalent.
    ///
    /// `É` may be one code point or two, and some ideographs have several code points for the sake of
    /// older character sets. Such spellings are equal in Swift, and are not where bytes are compared or
    /// ordered, as in a store. So names of people and stations are kept in this form alone; what a tag
    /// says byte for byte is kept beside them.
    package var composed: String {
        // Nothing before the first combining mark is composed of anything.
        if unicodeScalars.allSatisfy({ $0.value < 0x300 }) { return self }
        // By itself, the second does not complete syllables of Hangul that are composed in part.
        return decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
    }

    /// Whether the text is in its composed form, byte for byte.
    var isComposed: Bool { utf8.elementsEqual(composed.utf8) }

    /// Whether a station can be called so: 1 to 64 characters, and none that are hidden.
    package var isStationName: Bool {
        (1...64).contains(count) && onOneLine == self
            && ![ImportRun.author, PurgeRun.author, RecordCheckup.author].contains(self)
    }

    /// Whether nothing is seen of it.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
