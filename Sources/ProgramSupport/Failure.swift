internal import FoundationEssentials
internal import Glibc

/// An error that ends a program: a status for programs, sentences for people.
package struct Failure: Error {
    /// The status with which the program ends.
    package let status: ExitStatus
    /// What is wrong and what to do about it, in one sentence for each problem.
    package let sentences: [String]

    /// The sentences, one on each line.
    package var message: String { sentences.joined(separator: "\n") }

    /// Describes a failure.
    package init(_ status: ExitStatus, _ message: String) {
        self.init(status, sentences: [message])
    }

    /// Describes several problems at once.
    package init(_ status: ExitStatus, sentences: [String]) {
        self.status = status
        self.sentences = sentences
    }

    /// Writes the sentences to standard error, one on each line, and ends the program.
    ///
    /// - Parameter program: The program's name, which is written before each.
    package func end(_ program: String) -> Never {
        for sentence in sentences { StandardError.complain(program, sentence) }
        exit(status.rawValue)
    }
}
