// Shows text from outside to people.

extension String {
    /// The text with escapes for all that would break the line, control a terminal or be invisible.
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

    /// The text in quotes and on one line, shortened to fit into a sentence.
    ///
    /// Its own quotes and backslashes get a backslash in front.
    package var quoted: String {
        let text = shortened(characters: 40, bytes: 160)
            .replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(text.onOneLine)\""
    }

    /// The text if it is within both limits; otherwise as much of its beginning, and an ellipsis.
    package func shortened(characters: Int, bytes: Int) -> String {
        if utf8.count <= min(characters, bytes) { return self }
        var start = ""
        var left = bytes
        for character in prefix(characters) {
            // One character may have any number of combining marks.
            left -= character.utf8.count
            if left < 0 { break }
            start.append(character)
        }
        return start.utf8.count == utf8.count ? self : start + "…"
    }
}

extension [UInt8] {
    /// The bytes as text, with `\xHH` for every byte that is not part of valid UTF-8.
    ///
    /// Different bytes give different texts: a backslash that looks like the beginning of such an escape
    /// becomes `\x5C`.
    package var escapedText: String {
        if let text = String(validating: self, as: UTF8.self), !text.utf8.contains(0x5C) {
            return text
        }
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var rest = makeIterator()
        var position = 0
        func escape(_ byte: UInt8) {
            text += "\\x" + CollectionOfOne(byte).hexadecimal.uppercased()
        }
        while true {
            switch parser.parseScalar(from: &rest) {
            case .emptyInput: return text
            case .valid(let encoded):
                let isBackslash = encoded.elementsEqual([0x5C])
                if isBackslash && self[position...].looksEscaped {
                    escape(0x5C)
                } else {
                    text.unicodeScalars.append(Unicode.UTF8.decode(encoded))
                }
                position += encoded.count
            case .error(let length):
                self[position..<position + length].forEach(escape)
                position += length
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// Whether it begins like an escaped byte.
    fileprivate var looksEscaped: Bool {
        let digits = dropFirst(2).prefix(2)
        return starts(with: [0x5C, UInt8(ascii: "x")]) && digits.count == 2
            && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    }
}

extension Sequence<UInt8> {
    /// The bytes in hexadecimal, two lower-case digits for each.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] },
            as: UTF8.self
        )
    }
}
