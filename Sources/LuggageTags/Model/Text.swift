extension Unicode.Scalar {
    /// Whether it changes how the text around it is shown: a control character, a line break, or a
    /// mark that reverses the direction of what follows.
    package var changesDisplay: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }

    /// Whether nothing is seen of it.
    var isInvisible: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint
    }
}

extension String {
    /// The text with everything escaped that would break the line or steer a terminal.
    package var onOneLine: String {
        guard unicodeScalars.contains(where: \.changesDisplay) else { return self }
        return unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\t": "\\t"
            case "\r": "\\r"
            case _ where scalar.changesDisplay:
                "\\u{" + String(scalar.value, radix: 16) + "}"
            default: String(scalar)
            }
        }.joined()
    }

    /// The text in quotes and on one line, shortened to what a sentence can bear.
    var quoted: String { "\"\(shortened(characters: 40, bytes: 160).onOneLine)\"" }

    /// The text, or as much of its beginning as keeps within both bounds, and an ellipsis.
    func shortened(characters: Int, bytes: Int) -> String {
        if utf8.count <= min(characters, bytes) { return self }
        var start = ""
        var left = bytes
        for character in prefix(characters) {
            // One character may be made of any number of marks.
            left -= character.utf8.count
            if left < 0 { break }
            start.append(character)
        }
        return start.utf8.count == utf8.count ? self : start + "…"
    }
}
