/// The letters of a legend, of five by seven pixels.
///
/// A letter is one two-digit hexadecimal number for each row, from the top. Its lowest five bits are the
/// pixels; the highest of them is the leftmost.
enum LegendLetters {
    static let width = 5
    static let height = 7

    /// Whether a letter can be drawn.
    static func has(_ letter: Character) -> Bool { letters[letter] != nil }

    /// The rows of a letter; for an unknown one, a box.
    static func rows(of letter: Character) -> [UInt8] {
        let text = letters[letter] ?? "1F 11 11 11 11 11 1F"
        return text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    private static let letters: [Character: String] = [
        " ": "00 00 00 00 00 00 00",
        "A": "0E 11 11 1F 11 11 11",
        "B": "1E 11 11 1E 11 11 1E",
        "C": "0E 11 10 10 10 11 0E",
        "D": "1C 12 11 11 11 12 1C",
        "E": "1F 10 10 1E 10 10 1F",
        "F": "1F 10 10 1E 10 10 10",
        "G": "0E 11 10 17 11 11 0F",
        "H": "11 11 11 1F 11 11 11",
        "I": "0E 04 04 04 04 04 0E",
        "J": "07 02 02 02 02 12 0C",
        "K": "11 12 14 18 14 12 11",
        "L": "10 10 10 10 10 10 1F",
        "M": "11 1B 15 15 11 11 11",
        "N": "11 19 15 13 11 11 11",
        "O": "0E 11 11 11 11 11 0E",
        "P": "1E 11 11 1E 10 10 10",
        "Q": "0E 11 11 11 15 12 0D",
        "R": "1E 11 11 1E 14 12 11",
        "S": "0F 10 10 0E 01 01 1E",
        "T": "1F 04 04 04 04 04 04",
        "U": "11 11 11 11 11 11 0E",
        "V": "11 11 11 11 11 0A 04",
        "W": "11 11 11 15 15 1B 11",
        "X": "11 11 0A 04 0A 11 11",
        "Y": "11 11 0A 04 04 04 04",
        "Z": "1F 01 02 04 08 10 1F",
        "0": "0E 11 13 15 19 11 0E",
        "1": "04 0C 04 04 04 04 0E",
        "2": "0E 11 01 06 08 10 1F",
        "3": "1E 01 01 0E 01 01 1E",
        "4": "02 06 0A 12 1F 02 02",
        "5": "1F 10 1E 01 01 11 0E",
        "6": "06 08 10 1E 11 11 0E",
        "7": "1F 01 02 04 08 08 08",
        "8": "0E 11 11 0E 11 11 0E",
        "9": "0E 11 11 0F 01 02 0C",
        ".": "00 00 00 00 00 0C 0C",
        ",": "00 00 00 00 0C 04 08",
        ":": "00 0C 0C 00 0C 0C 00",
        ";": "00 0C 0C 00 0C 04 08",
        "(": "02 04 08 08 08 04 02",
        ")": "08 04 02 02 02 04 08",
        "-": "00 00 00 1F 00 00 00",
        "%": "18 19 02 04 08 13 03",
    ]
}
