internal import ArgumentParser
internal import Foundation
internal import ObjectStore

/// The exit status of the program, after `sysexits.h`.
enum ExitStatus: Int32 {
    case success = 0
    /// Some picture or record was not filed, or nothing was found.
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
    var code: ExitCode { ExitCode(rawValue) }
}

/// Why the program ends early: a status for programs, a sentence for people.
struct Failure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    init(_ error: StoreError) {
        let status: ExitStatus =
            switch error.code {
            case .notFound: .noInput
            case .cannotOpen, .readOnly, .foreign, .damaged, .incompatible: .cannotCreate
            default: .ioFailed
            }
        self.init(status, error.message)
    }

    /// Writes the sentence to standard error and ends the program.
    func end() -> Never {
        StandardError.line("luggage: \(message)")
        exit(status.rawValue)
    }
}
