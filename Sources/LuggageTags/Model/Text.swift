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
