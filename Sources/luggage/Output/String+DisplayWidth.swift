extension String {
    /// The number of terminal columns that it takes.
    var displayWidth: Int {
        // Most texts are ASCII.
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// The beginning that fits into a number of columns, with an ellipsis if it is cut.
    func cut(toWidth width: Int) -> String {
        if displayWidth <= width { return self }
        var text = ""
        var left = width - 1
        for character in self {
            left -= character.displayWidth
            if left < 0 { break }
            text.append(character)
        }
        return width > 0 ? text + "…" : ""
    }

    /// The end that fits into a number of columns, with an ellipsis if it is cut.
    func cutInFront(toWidth width: Int) -> String {
        if displayWidth <= width { return self }
        var left = width - 1
        let end = reversed().prefix { character in
            left -= character.displayWidth
            return left >= 0
        }
        return width > 0 ? "…" + String(end.reversed()) : ""
    }

    /// The text in lines of at most a number of columns, broken between words if possible.
    func wrapped(toWidth width: Int) -> [String] {
        var lines = [""]
        var left = width
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            let isFirst = lines.count == 1 && lines[0].isEmpty && left == width
            let length = String(word).displayWidth
            if isFirst || length + 1 <= left {
                lines[lines.count - 1] += isFirst ? "" : " "
                left -= isFirst ? 0 : 1
            } else {
                lines.append("")
                left = width
            }
            // A word that is longer than a line is broken anywhere.
            for character in word {
                if character.displayWidth > left && left < width {
                    lines.append("")
                    left = width
                }
                lines[lines.count - 1].append(character)
                left -= character.displayWidth
            }
        }
        return lines
    }

    /// The text, padded with spaces to a number of columns.
    func padded(toWidth width: Int, isRightAligned: Bool = false) -> String {
        let padding = String(repeating: " ", count: max(0, width - displayWidth))
        return isRightAligned ? padding + self : self + padding
    }
}

extension Character {
    /// The number of terminal columns that it takes: 0, 1 or 2.
    ///
    /// It is 2 for the blocks that are wide as a whole in Unicode's East Asian Width (UAX #11), and for
    /// emoji; 0 for combining marks without a base; 1 for all others. Combining marks count with their
    /// base.
    var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        if first.isASCII && unicodeScalars.count == 1 { return 1 }
        if first.properties.isEmojiPresentation || first.isWide { return 2 }
        // A variation selector, or the sign of a keycap, turns another sign into an emoji.
        if unicodeScalars.contains("\u{FE0F}") && first.properties.isEmoji { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: return 1
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
