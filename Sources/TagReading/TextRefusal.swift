/// Why the text of a symbol is not told, although the symbol was read.
///
/// Nothing is guessed: a name in a wrong character set would look like another name.
public struct TextRefusal: Hashable, Sendable, CustomStringConvertible {
    /// The kinds of refusal, with the numbers of `TagReaderRefusal`.
    public enum Reason: UInt32, CaseIterable, Sendable {
        /// The declared character set is not assigned, or not known here.
        case unknownSet = 1
        /// The text has bytes that are no text in the declared character set.
        case invalidText = 2
        /// The text can be understood in two ways.
        case ambiguousText = 3
    }

    /// The kind of refusal.
    public var reason: Reason

    /// The number of the declared character set in AIM's register of extended channel interpretations.
    public var characterSet: Int

    /// Describes a refusal.
    public init(_ reason: Reason, characterSet: Int) {
        self.reason = reason
        self.characterSet = characterSet
    }

    /// The refusal as a sentence without a full stop.
    public var description: String {
        switch reason {
        case .unknownSet: "its text is declared as \(name), which is not a known character set"
        case .invalidText: "its text is declared as \(name), but is not valid in it"
        case .ambiguousText: "its text, declared as \(name), can be understood in two ways"
        }
    }

    private var name: String {
        guard let known = Self.names[characterSet] else { return "ECI \(characterSet)" }
        return "\(known) (ECI \(characterSet))"
    }

    private static let names = [
        0: "code page 437", 1: "ISO 8859-1", 2: "code page 437", 3: "ISO 8859-1", 4: "ISO 8859-2",
        5: "ISO 8859-3", 6: "ISO 8859-4", 7: "ISO 8859-5", 8: "ISO 8859-6", 9: "ISO 8859-7",
        10: "ISO 8859-8", 11: "ISO 8859-9", 12: "ISO 8859-10", 13: "ISO 8859-11", 14: "ISO 8859-12",
        15: "ISO 8859-13", 16: "ISO 8859-14", 17: "ISO 8859-15", 18: "ISO 8859-16", 20: "Shift JIS",
        21: "Windows-1250", 22: "Windows-1251", 23: "Windows-1252", 24: "Windows-1256",
        25: "UTF-16BE", 26: "UTF-8", 27: "ASCII", 28: "Big5", 29: "GB 2312", 30: "KS X 1001",
        31: "GBK", 32: "GB 18030", 33: "UTF-16LE", 34: "UTF-32BE", 35: "UTF-32LE", 170: "ISO 646",
    ]
}

extension TextRefusal {
    /// The refusal as the C reader gives it; `nil` if there is no such refusal.
    ///
    /// - Parameters:
    ///   - number: A `TagReaderRefusal` other than `TAG_READER_TOLD`.
    ///   - characterSet: The number of the declared character set.
    package init?(number: UInt32, characterSet: UInt32) {
        guard let reason = Reason(rawValue: number), characterSet <= Self.greatestSet else {
            return nil
        }
        self.init(reason, characterSet: Int(characterSet))
    }

    private static let greatestSet: UInt32 = 999_999
}
