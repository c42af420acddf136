internal import Foundation

/// Why a program ends early: a status for programs, a sentence for people.
package struct Failure: Error {
    /// The status with which the program ends.
    package let status: ExitStatus
    /// What is wrong, and what to do about it: one sentence, or several about as many things.
    package let sentences: [String]

    /// The sentences, each on a line.
    package var message: String { sentences.joined(separator: "\n") }

    /// Describes a failure.
    package init(_ status: ExitStatus, _ message: String) {
        self.init(status, sentences: [message])
    }

    /// Describes several things that are wrong at once.
    package init(_ status: ExitStatus, sentences: [String]) {
        self.status = status
        self.sentences = sentences
    }

    /// Writes the sentences to standard error, each on a line, and ends the program.
    ///
    /// - Parameter program: The program's name, which stands in front of each.
    package func end(_ program: String) -> Never {
        for sentence in sentences { StandardError.complain(program, sentence) }
        exit(status.rawValue)
    }
}
