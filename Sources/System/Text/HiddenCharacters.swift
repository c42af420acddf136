extension String {
    /// Where characters are of which nothing is seen, or which change how the text around them is
    /// shown: control characters, line breaks, marks of direction, joiners, fillers.
    ///
    /// Those that have a part in what is seen are none of them: in an emoji, in an ideograph, or in a
    /// letter of a script whose letters they shape.
    package var hiddenCharacters: Set<Index> {
        // Most texts are of ASCII, and have none.
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return [] }
        var hidden: Set<Index> = []
        /// The one in front, if it is seen.
        var previous: Unicode.Scalar?
        for index in unicodeScalars.indices {
            let scalar = unicodeScalars[index]
            let next = unicodeScalars[index...].dropFirst().first
            if scalar.isHiddenByItself && !scalar.shapes(previous, next) {
                hidden.insert(index)
                previous = nil
            } else {
                previous = scalar
            }
        }
        return hidden
    }
}

extension Unicode.Scalar {
    /// Whether nothing is seen of it, or it changes how the text around it is shown.
    fileprivate var isHiddenByItself: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Annotations between lines; others of the category format are seen, as numbers of verses.
        case .format: properties.isDefaultIgnorableCodePoint || 0xFFF9...0xFFFB ~= value
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether it has a part in what is seen of its neighbours.
    ///
    /// - Parameters:
    ///   - previous: What stands in front of it, if that is seen.
    ///   - next: What stands behind it.
    /// - Returns: Whether the neighbours are such as it is for.
    fileprivate func shapes(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        guard let previous else { return false }
        switch value {
        case 0x200C, 0x200D:
            // Behind a virama, both joiners tell how the consonants are drawn.
            if previous.properties.canonicalCombiningClass == .virama { return true }
            if previous.hasShapes && next?.hasShapes == true { return true }
            return value == 0x200D && next?.isPicture == true
                && (previous.isPicture || previous.properties.isVariationSelector)
        // The letters by which a flag tells its country.
        case 0xE0020...0xE007F:
            return previous.value == 0x1F3F4 || 0xE0020...0xE007F ~= previous.value
        case _ where properties.isVariationSelector:
            return previous.isPicture || previous.properties.isIdeographic || previous.hasShapes
                || next?.value == 0x20E3
        default:
            return false
        }
    }

    /// Whether it is an emoji, or a part of one.
    private var isPicture: Bool { properties.isEmoji && !isASCII }

    /// Whether it is of a script whose letters join or take other forms by characters that are not
    /// seen: Arabic and its neighbours, Myanmar, Mongolian, Phags-pa.
    private var hasShapes: Bool {
        switch value {
        case 0x0600...0x08FF, 0x1000...0x109F, 0x1800...0x18AF, 0xA840...0xA87F: true
        default: false
        }
    }
}
