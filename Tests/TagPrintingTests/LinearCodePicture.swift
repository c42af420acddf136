import TagDrawing
import TagPrinting

/// Reads Code 128 as a laser does: one line across a picture, from left to right and back.
enum LinearCodePicture {
    /// What the codes of a picture say, each once.
    static func texts(in image: GreyImage) -> [String] {
        var texts: [String] = []
        // A beam every 2 mm or so.
        for y in stride(from: 0, to: image.height, by: 16) {
            let line = (0..<image.width).map { image[$0, y] < 128 }
            for beam in [line, line.reversed()] {
                for text in found(in: beam) where !texts.contains(text) { texts.append(text) }
            }
        }
        return texts
    }

    /// What the codes on a line say.
    private static func found(in line: [Bool]) -> [String] {
        // The lengths of bars and spaces, which alternate, beginning with a space.
        var lengths = [0]
        var isDark = false
        for dot in line {
            if dot == isDark {
                lengths[lengths.count - 1] += 1
            } else {
                lengths.append(1)
                isDark = dot
            }
        }
        return stride(from: 1, to: lengths.count, by: 2).compactMap { text(at: $0, of: lengths) }
    }

    /// What a code says that begins with a bar; nil if none does.
    private static func text(at start: Int, of lengths: [Int]) -> String? {
        guard start + 6 <= lengths.count else { return nil }
        let first = lengths[start..<start + 6].reduce(0, +)
        guard first.isMultiple(of: 11), first > 0 else { return nil }
        let module = first / 11
        // The border in front of it.
        guard lengths[start - 1] >= LinearCode.quietZone * module else { return nil }
        var values: [Int] = []
        var place = start
        while place + 6 < lengths.count {
            let widths = lengths[place..<place + 6]
            guard widths.allSatisfy({ $0.isMultiple(of: module) }) else { return nil }
            let character = widths.map { $0 / module }
            if character == [2, 3, 3, 1, 1, 1] {
                guard lengths[place + 6] == 2 * module else { return nil }
                let border = place + 7 < lengths.count ? lengths[place + 7] : 0
                return border >= LinearCode.quietZone * module ? text(of: values) : nil
            }
            guard let value = Self.value(of: character) else { return nil }
            values.append(value)
            place += 6
        }
        return nil
    }

    /// The number of a character, found in the widths of the code that says only it.
    private static func value(of character: [Int]) -> Int? {
        characters[character]
    }

    /// Every character, taken from symbols that have them: visible ones, pairs of digits, starts, changes.
    private static let characters: [[Int]: Int] = {
        var known: [[Int]: Int] = [:]
        let texts =
            (0x20...0x7E).map { String(Unicode.Scalar(UInt8($0))) }
            + (0..<100).map { ($0 < 10 ? "0" : "") + "\($0)" } + ["A1234", "1234A"]
        for text in texts {
            guard let code = try? LinearCode(text) else { continue }
            for (place, value) in code.values.enumerated() {
                known[Array(code.widths[6 * place..<6 * place + 6])] = value
            }
        }
        return known
    }()

    /// What numbers mean, if their sum is right.
    static func text(of values: [Int]) -> String? {
        guard values.count >= 3, let check = values.last else { return nil }
        let sum = values.dropLast().enumerated().reduce(0) { $0 + max(1, $1.offset) * $1.element }
        guard sum % 103 == check, [104, 105].contains(values[0]) else { return nil }
        var text = ""
        var isPairs = values[0] == 105
        for value in values.dropFirst().dropLast() {
            switch value {
            case 99 where !isPairs: isPairs = true
            case 100 where isPairs: isPairs = false
            case 0..<100 where isPairs: text += (value < 10 ? "0" : "") + "\(value)"
            case 0..<95: text += String(Unicode.Scalar(UInt8(value + 32)))
            default: return nil
            }
        }
        return text
    }
}
