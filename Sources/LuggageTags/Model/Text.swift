extension String {
    /// The text with everything escaped that would break the line, steer a terminal or not be seen.
    package var onOneLine: String {
        let hidden = hiddenCharacters
        if hidden.isEmpty { return self }
        return unicodeScalars.indices.map { index in
            let scalar = unicodeScalars[index]
            guard hidden.contains(index) else { return String(scalar) }
            switch scalar {
            case "\n": return "\\n"
            case "\t": return "\\t"
            case "\r": return "\\r"
            default: return "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }.joined()
    }

    /// Whether a station can be called so: 1 to 64 characters, and none that are hidden.
    package var isStationName: Bool {
        (1...64).contains(count) && onOneLine == self && self != ImportRun.author
    }

    /// The text in quotes and on one line, shortened to what a sentence can bear; quotes and backslashes
    /// of its own have a backslash in front.
    package var quoted: String {
        let text = shortened(characters: 40, bytes: 160)
            .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(text.onOneLine)\""
    }

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

extension Sequence<UInt8> {
    /// The bytes in hexadecimal, two small letters or digits for each.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] },
            as: UTF8.self
        )
    }
}
