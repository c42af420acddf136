/// Reads the tags of an XML document one after the other, and skips comments.
struct XMLTags {
    /// A tag, with its angle brackets.
    struct Tag {
        let text: String

        var isProlog: Bool { text.hasPrefix("<?") || text.hasPrefix("<!") }
        var isEnd: Bool { text.hasPrefix("</") }
        var isEmpty: Bool { text.hasSuffix("/>") }

        func isStart(of name: String) -> Bool {
            let rest = text.dropFirst(1 + name.count)
            return text.hasPrefix("<" + name) && !isEmpty && (rest == ">" || rest.hasPrefix(" "))
        }

        func isEnd(of name: String) -> Bool {
            text.hasPrefix("</" + name)
                && text.dropFirst(2 + name.count).allSatisfy { $0 == ">" || $0.isWhitespace }
        }
    }

    /// The greatest length of a tag in bytes; tags of property lists are shorter.
    private static let longestTag = 512

    private let input: ByteReader

    init(_ input: ByteReader) {
        self.input = input
    }

    var line: Int { input.line }

    /// Takes the next tag; only space and comments may come before it.
    func next() throws -> Tag {
        while true {
            try input.skipSpace()
            guard let byte = try input.peek() else { throw ImportFault.truncated(line: line) }
            guard byte == UInt8(ascii: "<") else { throw malformed("text stands between elements") }
            var bytes: [UInt8] = []
            switch try markup(into: &bytes) {
            case .tag(let tag): return tag
            case .comment: continue
            case .data: throw malformed("text stands between elements")
            }
        }
    }

    /// Takes the rest of the element that begins with a tag, and returns it as a whole.
    func element(from tag: Tag) throws -> [UInt8] {
        let start = line
        var bytes = Array(tag.text.utf8)
        if tag.isEnd || tag.isProlog { throw malformed("an element is expected") }
        if tag.isEmpty { return bytes }
        var depth = 1
        while depth > 0 {
            guard let byte = try input.peek() else { throw ImportFault.truncated(line: start) }
            if byte == UInt8(ascii: "<") {
                guard case .tag(let tag) = try markup(into: &bytes) else { continue }
                if tag.isProlog { throw malformed("a declaration stands in an element") }
                depth += tag.isEnd ? -1 : tag.isEmpty ? 0 : 1
            } else {
                _ = try input.next()
                bytes.append(byte)
            }
            if bytes.count > RawRecord.longest { throw ImportFault.tooLong(line: start) }
        }
        return bytes
    }

    /// Checks that only space and comments follow.
    func expectEnd() throws {
        while true {
            try input.skipSpace()
            if try input.peek() == nil { return }
            var bytes: [UInt8] = []
            guard try input.peek() == UInt8(ascii: "<"), case .comment = try markup(into: &bytes)
            else { throw malformed("something follows its end") }
        }
    }

    func malformed(_ reason: String) -> ImportFault {
        .malformed(.propertyList, reason, line: line)
    }

    private enum Markup {
        case tag(Tag)
        case comment
        /// A CDATA section.
        case data
    }

    /// Takes markup that begins with an angle bracket, and appends it unless it is a comment.
    private func markup(into bytes: inout [UInt8]) throws -> Markup {
        let start = line
        var own: [UInt8] = []
        var quote: UInt8?
        while let byte = try input.next() {
            own.append(byte)
            if own.elementsEqual("<!--".utf8) {
                try skip(through: "-->", start)
                return .comment
            }
            if own.elementsEqual("<![CDATA[".utf8) {
                bytes += own
                bytes += try skip(through: "]]>", start)
                return .data
            }
            if own.count > Self.longestTag { throw malformed("a tag is too long") }
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") && own.starts(with: "<!DOCTYPE".utf8) {
                throw malformed("it declares a document type of its own")
            } else if byte == UInt8(ascii: ">") {
                bytes += own
                return .tag(Tag(text: String(decoding: own, as: UTF8.self)))
            }
        }
        throw ImportFault.truncated(line: start)
    }

    @discardableResult
    private func skip(through end: String, _ start: Int) throws -> [UInt8] {
        let end = Array(end.utf8)
        var bytes: [UInt8] = []
        while let byte = try input.next() {
            bytes.append(byte)
            if bytes.suffix(end.count).elementsEqual(end) { return bytes }
            if bytes.count > RawRecord.longest { throw ImportFault.tooLong(line: start) }
        }
        throw ImportFault.truncated(line: start)
    }
}
