internal import SystemSupport

extension String {
    /// Whether the text is in its composed form, byte for byte.
    var isComposed: Bool { utf8.elementsEqual(composed.utf8) }

    /// Whether a station can have this name: 1 to 64 characters, none of them hidden.
    package var isStationName: Bool {
        (1...64).contains(count) && onOneLine == self
            && ![ImportRun.author, PurgeRun.author, RecordCheckup.author].contains(self)
    }

    /// Whether it has no visible character.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
