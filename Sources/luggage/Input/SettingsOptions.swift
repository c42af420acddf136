internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// The option that names the configuration file.
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
    /// - Throws: ``Failure`` if the setting is wrong, or cannot be read.
    var bounds: TagBounds {
        get throws { try values(of: [.earliest, .heaviest]).bounds }
    }

    /// Some settings; the command line overrides them.
    ///
    /// - Throws: ``Failure`` if one of them is wrong, or cannot be read.
    func values(
        of needed: Set<WatchSetting>,
        arguments: [WatchSetting: String?] = [:]
    ) throws -> WatchConfiguration {
        do throws(ConfigurationError) {
            return try configuration(of: needed, arguments: arguments.compactMapValues { $0 })
        } catch {
            throw Failure(error)
        }
    }
}
