internal import SystemSupport

/// A linear symbol (Code 128, ISO/IEC 15417), which handheld lasers read.
///
/// It holds what a person types: visible ASCII. Debian has encoders of all symbologies, but this one is a
/// table and a sum.
public struct LinearCode: Hashable, Sendable {
    /// The smallest light border that it needs on both sides, in modules.
    public static let quietZone = 10

    /// The numbers of its characters, from the start to the check, without the stop.
    public let values: [Int]

    /// The widths of its bars and spaces in modules, beginning and ending with a bar.
    public var widths: [Int] { values.flatMap { Self.patterns[$0] } + Self.stop }

    /// The modules of the whole symbol, without its borders.
    public var width: Int { Self.width(characters: values.count) }

    /// Encodes a text in as few modules as possible.
    ///
    /// - Parameter text: Visible characters of ASCII, and spaces.
    /// - Throws: ``TagPrintingError`` if it has others, or none.
    public init(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw TagPrintingError(
                .symbol,
                "a Code 128 holds visible characters of ASCII, not \(text.quoted)"
            )
        }
        var values = Self.shortest(bytes)
        let sum = values.enumerated().reduce(0) { $0 + max(1, $1.offset) * $1.element }
        values.append(sum % 103)
        self.values = values
    }

    /// The modules of a symbol with this many characters before its stop.
    static func width(characters: Int) -> Int { 11 * characters + 13 }

    /// The code sets: B has all visible characters, C two digits a character.
    private enum Set: Int, CaseIterable {
        case b, c

        var start: Int { self == .b ? 104 : 105 }
        /// The character that changes to this set from the other one.
        var change: Int { self == .b ? 100 : 99 }
    }

    /// The start and the characters of the shortest way to write a text.
    ///
    /// From its end to its beginning: the shortest way to write the rest in each set.
    private static func shortest(_ bytes: [UInt8]) -> [Int] {
        var rest: [[[Int]?]] = Array(repeating: [nil, nil], count: bytes.count + 1)
        rest[bytes.count] = [[], []]
        for place in bytes.indices.reversed() {
            var ways = [rest[place + 1][0].map { [Int(bytes[place]) - 32] + $0 }, nil]
            if let pair = pair(at: place, in: bytes) {
                ways[1] = rest[place + 2][1].map { [pair] + $0 }
            }
            for set in Set.allCases {
                let other = set == .b ? Set.c : .b
                guard let way = ways[other.rawValue] else { continue }
                let count = ways[set.rawValue]?.count ?? .max
                if way.count + 1 < count { ways[set.rawValue] = [other.change] + way }
            }
            rest[place] = ways
        }
        let ways = Set.allCases.compactMap { set in
            rest[0][set.rawValue].map { [set.start] + $0 }
        }
        return ways.min { $0.count < $1.count } ?? []
    }

    /// The number of two digits.
    private static func pair(at place: Int, in bytes: [UInt8]) -> Int? {
        guard place + 1 < bytes.count else { return nil }
        let digits = [bytes[place], bytes[place + 1]].map { Int($0) - 0x30 }
        return digits.allSatisfy { (0...9).contains($0) } ? digits[0] * 10 + digits[1] : nil
    }

    private static let stop = [2, 3, 3, 1, 1, 1, 2]

    /// The widths of the characters 0 to 105, in the standard's order.
    private static let patterns: [[Int]] = """
        212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232
        122132 122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122
        321221 312212 322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311
        211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331 231131 213113
        213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422
        121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111
        241112 134111 111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121
        412121 111143 111341 131141 114113 114311 411113 411311 113141 114131 311141 411131 211412
        211214 211232
        """.split(whereSeparator: \.isWhitespace).map { $0.compactMap(\.wholeNumberValue) }
}
