internal import ArgumentParser
internal import Glibc
internal import ProgramSupport
internal import SystemSupport

/// A command that takes file names as bytes; other commands' arguments must be valid text.
protocol TakingBytes: ParsableCommand {
    /// The arguments that need not be valid text, in order.
    var byteArguments: [String] { get }
}

extension ScanCommand: TakingBytes {
    var byteArguments: [String] { images }
}

extension ReadCommand: TakingBytes {
    var byteArguments: [String] { images }
}

extension RetryCommand: TakingBytes {
    var byteArguments: [String] { names }
}

extension FileCommand: TakingBytes {
    var byteArguments: [String] { picture.map { [$0] } ?? [] }
}

extension DismissCommand: TakingBytes {
    var byteArguments: [String] { names }
}

/// Environment variables that name files.
enum EnvironmentText {
    /// Refuses variables that are not valid text: converted to text, they would name another file.
    ///
    /// - Parameter names: The variables.
    /// - Throws: ``Failure`` for the first invalid one.
    static func check(_ names: [String]) throws {
        for name in names {
            guard let value = unsafe getenv(name) else { continue }
            let bytes = unsafe Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
            if String(validating: bytes, as: UTF8.self) != nil { continue }
            throw Failure(
                .configuration,
                "$\(name) is \"\(bytes.escapedText.onOneLine)\", which is not valid UTF-8; rename "
                    + "the file or folder"
            )
        }
    }
}
