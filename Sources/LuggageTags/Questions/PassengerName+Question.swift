// Parses what people type in queries.

extension PassengerName {
    /// Parses a name as it is printed, `D/ZMU`, or as airlines write it, `ZMU/D`.
    ///
    /// If the text can be both, the printed form counts; if it is neither, the result is nil.
    ///
    /// - Parameter text: The text.
    public init?(printed text: String) {
        guard text.count >= 3, let first = text.first, let last = text.last else { return nil }
        if text.dropFirst().first == "/" {
            self.init(givenName: String(first), familyName: String(text.dropFirst(2)))
        } else if text.dropLast().last == "/" {
            self.init(givenName: String(last), familyName: String(text.dropLast(2)))
        } else {
            return nil
        }
    }
}
