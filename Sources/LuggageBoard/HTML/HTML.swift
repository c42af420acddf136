internal import SystemSupport

/// A part of a page that is safe to send: everything put into it is escaped, unless it is HTML itself.
///
/// Only what stands in the source code is taken as it is; a text that comes from anywhere else cannot
/// become markup, whatever it says, because the compiler accepts no other literals.
///
/// ```swift
/// let row: HTML = "<td>\(bag.owner)</td>"
/// ```
package struct HTML: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The markup.
    package private(set) var text: String

    /// Takes markup of the source code.
    package init(stringLiteral value: StaticString) { text = value.description }

    /// Joins markup of the source code with what stands between it.
    package init(stringInterpolation parts: StringInterpolation) { text = parts.text }

    /// Joins parts.
    package init(_ parts: some Sequence<HTML>) { text = parts.map(\.text).joined() }

    /// Nothing.
    package static let nothing: HTML = ""

    /// Collects the parts, and escapes those that are text.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        /// Begins with nothing.
        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 24 * interpolationCount)
        }

        /// Adds markup of the source code.
        package mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// Adds a text, between tags or within the quotes of an attribute.
        package mutating func appendInterpolation(_ value: String) { text += value.escaped }

        /// Adds a number.
        package mutating func appendInterpolation(_ number: Int) { text += "\(number)" }

        /// Adds markup.
        package mutating func appendInterpolation(_ html: HTML) { text += html.text }

        /// Adds parts, one after the other.
        package mutating func appendInterpolation(_ parts: [HTML]) {
            for part in parts { text += part.text }
        }
    }
}

extension String {
    /// The text as it stands between tags and within quotes.
    ///
    /// What is invisible or changes the direction of the text around it is shown as an escape, so that no
    /// name can disguise another.
    fileprivate var escaped: String {
        let shown = onOneLine
        let special: Set<UInt8> = [0x22, 0x26, 0x27, 0x3C, 0x3E]
        if !shown.utf8.contains(where: special.contains) { return shown }
        var text = ""
        text.reserveCapacity(shown.utf8.count + 16)
        for scalar in shown.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
