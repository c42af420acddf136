import Foundation
import Logging
import TestFolders

@testable import LuggageService

/// A log that goes to a file, for a test to look at, as long as the test needs it.
final class LogFile: Sendable {
    private let folder: TemporaryFolder
    private let descriptor: Int32
    let log: ServiceLog

    init(format: LogFormat = .plain, level: Logger.Level) throws {
        folder = try TemporaryFolder()
        descriptor = unsafe open(
            folder.path("log"),
            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
            0o600
        )
        log = ServiceLog(
            format: format,
            level: level,
            environment: [:],
            descriptor: descriptor,
            journal: JournalSocket()
        )
    }

    deinit {
        close(descriptor)
    }

    /// What was logged so far, a line each.
    var lines: [String] {
        get throws {
            try folder.text(of: "log").split(separator: "\n").map(String.init)
        }
    }
}
