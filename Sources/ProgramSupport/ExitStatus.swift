package import ArgumentParser

/// The exit status of the programs, after `sysexits.h`.
package enum ExitStatus: Int32, CaseIterable, Sendable {
    case success = 0
    /// Some picture, record or tag was not done, or nothing was found.
    case incomplete = 1
    /// Wrong usage; the command line parser ends the program with it.
    case usage = 64
    /// No such input.
    case noInput = 66
    /// The hub cannot be reached, or does not do what was asked.
    case unavailable = 69
    /// The record, or an output file, cannot be made or used.
    case cannotCreate = 73
    /// Input or output failed.
    case ioFailed = 74
    /// The configuration is wrong.
    case configuration = 78

    /// The code that ends a command without a message.
    package var code: ExitCode { ExitCode(rawValue) }

    /// The meaning, as in help, manual and guide.
    package var meaning: String {
        switch self {
        case .success: "all is well"
        case .incomplete: "a picture, tag or record could not be handled, or nothing was found"
        case .usage: "wrong usage"
        case .noInput: "no such input"
        case .unavailable: "the hub cannot be reached, or refuses"
        case .cannotCreate: "the record, or an output file, cannot be made or used"
        case .ioFailed: "input or output failed"
        case .configuration: "wrong configuration"
        }
    }
}
