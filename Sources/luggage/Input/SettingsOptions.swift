internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// Where the settings are that the command line does not say.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file, in place of \(WatchConfiguration.defaultFile).",
            valueName: "file"
        ),
        completion: .file(extensions: ["yaml"])
    )
    var configuration: String?

    func validate() throws {
        if configuration == "" { throw ValidationError("--configuration names no file") }
    }

    /// The settings of this machine.
    var shared: SharedSettings {
        SharedSettings(file: configuration, environment: ProcessInfo.processInfo.environment)
    }
}

extension SharedSettings {
    /// What can be true of bags here.
    ///
    /// - Throws: ``Failure`` where that is set wrongly, or cannot be known.
    var bounds: TagBounds {
        get throws { try values(of: [.earliest, .heaviest]).bounds }
    }

    /// Some settings; what the command line says of them has the last word.
    ///
    /// - Throws: ``Failure`` where one of them is wrong, or cannot be known.
    func values(
        of needed: Set<WatchSetting>,
        arguments: [WatchSetting: String?] = [:]
    ) throws -> WatchConfiguration {
        do throws(ConfigurationError) {
            return try configuration(of: needed, arguments: arguments.compactMapValues { $0 })
        } catch {
            throw Failure(.configuration, sentences: error.mistakes.map(\.description))
        }
    }
}
