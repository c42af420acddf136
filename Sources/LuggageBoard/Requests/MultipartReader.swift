internal import SystemSupport

/// Reads the body of a form with files (RFC 7578) as it comes, and keeps no more of it than it must.
///
/// It takes any division of the body into pieces, and no body makes it keep more than a header's length.
package struct MultipartReader: Sendable {
    /// What was found.
    package enum Finding: Hashable, Sendable {
        /// A field or a file begins.
        case part(name: String, file: String?)
        case bytes([UInt8])
        case end
    }

    /// What cannot be understood.
    package struct Malformed: Error {}

    private enum State { case preamble, header, content, done }

    private let boundary: [UInt8]
    private var state = State.preamble
    private var kept: [UInt8] = []
    private var parts = 0

    private static let longestHeader = 4096
    private static let mostParts = 200

    /// Begins.
    ///
    /// - Parameter type: The header `Content-Type`; nil is returned if it is of no such form.
    package init?(contentType type: String) {
        let fields = type.split(separator: ";").map { $0.trimmed }
        guard fields.first?.lowercased() == "multipart/form-data" else { return nil }
        guard let field = fields.first(where: { $0.lowercased().hasPrefix("boundary=") }) else {
            return nil
        }
        var text = field.dropFirst("boundary=".count)
        if text.first == "\"", text.last == "\"", text.count > 1 {
            text = text.dropFirst().dropLast()
        }
        guard (1...70).contains(text.utf8.count) else { return nil }
        boundary = Array("\r\n--\(text)".utf8)
        // So the first boundary is like the others.
        kept = [0x0D, 0x0A]
    }

    /// Whether the end of the form has come.
    package var isDone: Bool { state == .done }

    /// Takes more of the body.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: What is in them.
    /// - Throws: ``Malformed``.
    package mutating func read(_ bytes: some Collection<UInt8>) throws(Malformed) -> [Finding] {
        kept += bytes
        var found: [Finding] = []
        while true {
            switch state {
            case .preamble:
                guard kept.count >= boundary.count else { return found }
                guard kept.starts(with: boundary) else { throw Malformed() }
                kept.removeFirst(boundary.count)
                state = .header
            case .header:
                guard let part = try header() else { return found }
                if state == .done { return found }
                found.append(part)
            case .content:
                let (content, isEnd) = content()
                if !content.isEmpty { found.append(.bytes(content)) }
                guard isEnd else { return found }
                found.append(.end)
                state = .header
            case .done: return found
            }
        }
    }

    /// Takes what stands behind a boundary; nil if more of it must come.
    private mutating func header() throws(Malformed) -> Finding? {
        if kept.starts(with: [0x2D, 0x2D]) {
            state = .done
            kept = []
            return .end
        }
        let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard let place = place(of: end) else {
            if kept.count > Self.longestHeader { throw Malformed() }
            return nil
        }
        parts += 1
        guard place.lowerBound <= Self.longestHeader, parts <= Self.mostParts,
            let text = String(validating: kept[..<place.lowerBound], as: UTF8.self)
        else { throw Malformed() }
        kept.removeFirst(place.upperBound)
        state = .content
        for line in text.split(separator: "\r\n")
        where line.lowercased().hasPrefix("content-disposition:") {
            let fields = Self.fields(line)
            guard let name = fields["name"] else { throw Malformed() }
            return .part(name: name, file: fields["filename"])
        }
        throw Malformed()
    }

    /// Takes the content up to the next boundary, or as much as cannot be the beginning of one.
    private mutating func content() -> (bytes: [UInt8], isEnd: Bool) {
        if let place = place(of: boundary) {
            let content = Array(kept[..<place.lowerBound])
            kept.removeFirst(place.upperBound)
            return (content, true)
        }
        let count = max(0, kept.count - boundary.count + 1)
        let content = Array(kept.prefix(count))
        kept.removeFirst(count)
        return (content, false)
    }

    /// Where a text first stands in what is kept; nil if nowhere.
    private func place(of text: [UInt8]) -> Range<Int>? {
        var start = 0
        // From one first byte to the next: the search of collections costs 80 ms a MB.
        while let first = kept[start...].firstIndex(of: text[0]) {
            if kept[first...].starts(with: text) { return first..<first + text.count }
            start = first + 1
        }
        return nil
    }

    /// The fields of a header, in quotes: `name="pictures"; filename="a \"b\".png"`.
    private static func fields(_ line: some StringProtocol) -> [String: String] {
        var fields: [String: String] = [:]
        var rest = Substring(line)
        while let mark = rest.firstIndex(of: ";") {
            rest = rest[mark...].dropFirst()
            guard let equals = rest.firstIndex(of: "=") else { return fields }
            let name = rest[..<equals].trimmed.lowercased()
            rest = rest[equals...].dropFirst()
            guard rest.first == "\"" else { continue }
            rest = rest.dropFirst()
            var value = ""
            while let letter = rest.popFirst(), letter != "\"" {
                if letter == "\\", rest.first == "\"" || rest.first == "\\" {
                    value.append(rest.removeFirst())
                } else {
                    value.append(letter)
                }
            }
            // Browsers write quotes and line breaks in names as escapes of URLs.
            fields[name] = value.replacing("%22", with: "\"")
        }
        return fields
    }
}
