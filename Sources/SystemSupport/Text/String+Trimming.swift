extension StringProtocol {
    /// The text without white space at its ends, and without the space of no width that copied texts have.
    package var trimmed: String {
        let scalars = unicodeScalars.drop(while: \.isBlank)
        guard let last = scalars.lastIndex(where: { !$0.isBlank }) else { return "" }
        return String(String.UnicodeScalarView(scalars[...last]))
    }
}

extension Unicode.Scalar {
    fileprivate var isBlank: Bool { properties.isWhitespace || value == 0x200B }
}
