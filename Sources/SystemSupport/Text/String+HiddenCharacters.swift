extension String {
    /// The places of characters that are invisible, or change how the text around them is shown.
    ///
    /// These are control characters, line breaks, marks of direction, joiners and fillers, unless they are
    /// part of a visible emoji or ideograph, or shape a letter of a script that needs them.
    package var hiddenCharacters: Set<Index> {
        // Most texts are ASCII and have none.
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return [] }
        var hidden: Set<Index> = []
        /// The scalar in front, if it is visible.
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
    /// Whether it is invisible, or changes how the text around it is shown.
    fileprivate var isHiddenByItself: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        // Annotations between lines are hidden; other format characters are visible, such as verse numbers.
        case .format: properties.isDefaultIgnorableCodePoint || 0xFFF9...0xFFFB ~= value
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether it affects how its neighbours look.
    ///
    /// - Parameters:
    ///   - previous: The scalar in front of it, if that is visible.
    ///   - next: The scalar after it.
    /// - Returns: Whether it is used with neighbours of the kind that it shapes.
    fileprivate func shapes(_ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
        guard let previous else { return false }
        switch value {
        case 0x200C, 0x200D:
            // After a virama, either joiner determines how the consonants are drawn.
            if previous.properties.canonicalCombiningClass == .virama { return true }
            if previous.hasShapes && next?.hasShapes == true { return true }
            return value == 0x200D && next?.isPicture == true
                && (previous.isPicture || previous.properties.isVariationSelector)
        // The letters that tell the country of a flag.
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

    /// Whether its script has letters that invisible characters join or shape.
    ///
    /// These scripts are Arabic and its neighbours, Myanmar, Mongolian and Phags-pa.
    private var hasShapes: Bool {
        switch value {
        case 0x0600...0x08FF, 0x1000...0x109F, 0x1800...0x18AF, 0xA840...0xA87F: true
        default: false
        }
    }
}
