internal import ProgramSupport

/// What somebody at a terminal is asked before something is done.
enum Question {
    /// Whether there is somebody to ask, who sees the question.
    static var canAsk: Bool { StandardInput.isTerminal && StandardError.isTerminal }

    /// Asks, and waits for a line.
    ///
    /// - Parameters:
    ///   - words: The question, which says what to type.
    ///   - answers: What has to be typed, letter by letter; anything else refuses.
    /// - Returns: Whether it is to be done.
    static func confirms(_ words: String, by answers: Set<String>) -> Bool {
        StandardError.write("\(words) ")
        if let answer = readLine() { return answers.contains(answer) }
        // Whoever has ended the input has ended no line.
        StandardError.write("\n")
        return false
    }
}
