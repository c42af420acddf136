package import ArgumentParser
internal import Foundation
internal import LuggageTags

/// The exit status of the programs, after `sysexits.h`.
package enum ExitStatus: Int32, CaseIterable {
    case success = 0
    /// Some picture, record or tag was not done, or nothing was found.
    case incomplete = 1
    /// No such input.
    case noInput = 66
    /// The store, or a file that is to be written, cannot be made or used.
    case cannotCreate = 73
    /// Input or output failed.
    case ioFailed = 74
    /// The configuration is wrong.
    case configuration = 78

    /// Ends a command without further words.
    package var code: ExitCode { ExitCode(rawValue) }
}

/// Why a program ends early: a status for programs, a sentence for people.
package struct Failure: Error {
    /// The status with which the program ends.
    package let status: ExitStatus
    /// What is wrong, and what to do about it.
    package let message: String

    /// Describes a failure.
    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Writes the sentence to standard error and ends the program.
    ///
    /// - Parameter program: The program's name, which stands in front of the sentence.
    package func end(_ program: String) -> Never {
        StandardError.line("\(program): \(message)")
        exit(status.rawValue)
    }
}

extension ParsableCommand {
    /// Ends the program after an error that `ArgumentParser` has words for: wrong usage, a call for help,
    /// or a status without words.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - command: The command that was running, if any had begun.
    package static func end(_ error: any Error, of command: (any ParsableCommand)?) -> Never {
        let status = exitCode(for: error)
        if status.isSuccess { tell(fullMessage(for: error)) }
        // A wrong value is repeated, and must not steer the terminal.
        let words = message(of: error, command).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        .map { String($0).onOneLine }.joined(separator: "\n")
        if !words.isEmpty { StandardError.line(words) }
        exit(withError: status)
    }

    /// What is said of an error.
    private static func message(of error: any Error, _ command: (any ParsableCommand)?) -> String {
        // What a command finds while it runs is not known to the parser as something of that command.
        guard let command, let error = error as? ValidationError else {
            return fullMessage(for: error)
        }
        let names = [configuration, type(of: command).configuration].compactMap(\.commandName)
        return """
            Error: \(error.message)
            Usage: \(usageString(for: type(of: command)))
              See '\(names.joined(separator: " ")) --help' for more information.
            """
    }

    /// Writes what was called for, such as help, and ends the program.
    private static func tell(_ text: String) -> Never {
        do {
            if !text.isEmpty { try StandardOutput.line(text) }
        } catch let failure as Failure {
            failure.end(configuration.commandName ?? "")
        } catch {
            exit(withError: error)
        }
        exit(withError: nil)
    }
}
