internal import Glibc

/// The version of the programs, which are released together.
package let programVersion = "0.1.0"

/// Ends a program that another one runs and tells what to do, because somebody runs it by hand.
///
/// It tells its version if that is asked for and nothing else.
///
/// - Parameters:
///   - program: The name of the program.
///   - command: The command that runs it.
package func endRunByHand(_ program: String, insteadOf command: String) -> Never {
    if CommandLine.arguments.dropFirst() == ["--version"] {
        do {
            try StandardOutput.line(programVersion)
            exit(0)
        } catch {
            (error as? Failure ?? Failure(.ioFailed, "\(error)")).end(program)
        }
    }
    Failure(
        .usage,
        "this program is run by `\(command)`, which tells it what to do; see `\(command) --help`"
    ).end(program)
}
