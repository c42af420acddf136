internal import ProgramSupport

/// Asks the user at a terminal for confirmation.
enum Question {
    /// Whether there is a user to ask, who sees the question.
    static var canAsk: Bool { StandardInput.isTerminal && StandardError.isTerminal }

    /// Asks, and waits for a line.
    ///
    /// - Parameters:
    ///   - words: The question, which says what to type.
    ///   - answers: The exact answers that confirm; anything else refuses.
    /// - Returns: Whether the user confirmed.
    static func confirms(_ words: String, by answers: Set<String>) -> Bool {
        StandardError.write("\(words) ")
        if let answer = readLine() { return answers.contains(answer) }
        // At the end of input the terminal shows no line break.
        StandardError.write("\n")
        return false
    }
}
