internal import LuggageTags
internal import SystemSupport

/// The settings of this machine: defaults, then a file, then the environment, then the command line.
///
/// Each source overrides the one before, setting by setting. A command that needs only a few settings
/// works despite mistakes in others.
package struct SharedSettings {
    private let file: ConfigurationFile
    private let environment: [String: String]
    /// Whether the command line names the file.
    private let isNamed: Bool

    /// Reads the configuration file.
    ///
    /// - Parameters:
    ///   - file: The file; if nil, the one that ``WatchConfiguration/fileVariable`` names, else
    ///     ``WatchConfiguration/defaultFile``, which may be absent.
    ///   - environment: The environment variables.
    package init(file: String? = nil, environment: [String: String]) {
        self.file = ConfigurationFile(named: file, environment: environment)
        self.environment = environment
        isNamed = file != nil
    }

    /// Takes a file that has been read.
    init(_ file: ConfigurationFile, environment: [String: String]) {
        self.file = file
        self.environment = environment
        isNamed = true
    }

    /// The configuration file.
    package var path: String { file.path }

    /// Whether it is this machine's file, ``WatchConfiguration/defaultFile``.
    package var isOfMachine: Bool { file.isOptional }

    /// Whether the file exists, even if it is wrong.
    package var hasFile: Bool { !file.isAbsent }

    /// Whether the file or the environment names a watched folder.
    package var namesFolder: Bool { (variables[.folder] ?? file.settings[.folder]) != nil }

    /// The settings that would apply without this file, if the file names a record; otherwise nil.
    ///
    /// They are those that the environment names, else those of this machine; nil also if this file is
    /// that one. A file that names no record leaves the choice to the environment, like one that sets
    /// nothing.
    package var besides: SharedSettings? {
        if isOfMachine || storeInFile == nil { return nil }
        var environment = environment
        if !isNamed { environment[WatchConfiguration.fileVariable] = nil }
        return SharedSettings(environment: environment)
    }

    /// The record that the file names; nil if it names none, or cannot be understood.
    package var storeInFile: String? {
        try? SharedSettings(file, environment: [:]).configuration(of: [.store]).store
    }

    /// Combines all settings, and checks every source completely, even if a later one overrides it.
    ///
    /// - Parameter arguments: The settings on the command line, as written there.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` with all mistakes.
    package func configuration(
        arguments: [WatchSetting: String]
    ) throws(ConfigurationError) -> WatchConfiguration {
        var configuration = WatchConfiguration(folder: "")
        var mistakes = file.mistakes
        let layers = [file.settings, variables, options(arguments)]
        // First the points from all sources: other settings are parsed with them.
        for layer in layers { layer[.points]?.apply(to: &configuration, &mistakes) }
        for layer in layers {
            for setting in WatchSetting.allCases where setting != .points {
                layer[setting]?.apply(to: &configuration, &mistakes)
            }
        }
        // Mistakes in the file come first, line by line.
        let inFile = mistakes.filter { $0.line != nil }.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
        mistakes = inFile + mistakes.filter { $0.line == nil }
        mistakes += misspelledVariables.map(\.mistake)
        let isFolderNamed =
            layers.contains { $0[.folder] != nil }
            || mistakes.contains { $0.key == WatchSetting.folder.rawValue }
        if !isFolderNamed && file.isWhole { mistakes.append(noFolder) }
        if !mistakes.isEmpty { throw ConfigurationError(mistakes: mistakes) }
        return configuration
    }

    /// Combines some settings, and ignores mistakes that do not affect them.
    ///
    /// Mistakes in other settings, or in a source that is overridden, do not matter.
    ///
    /// - Parameters:
    ///   - needed: The settings; the others keep their defaults.
    ///   - arguments: The settings on the command line, as written there.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` if one of them is wrong in the source that decides, or cannot
    ///   be known because the file is wrong.
    package func configuration(
        of needed: Set<WatchSetting>,
        arguments: [WatchSetting: String] = [:]
    ) throws(ConfigurationError) -> WatchConfiguration {
        var configuration = WatchConfiguration(folder: "")
        var mistakes: [ConfigurationMistake] = []
        let deciding = variables.merging(options(arguments)) { $1 }
        var needed = needed
        // A built-in point is known without the points setting.
        let point = deciding[.at] ?? file.settings[.at]
        if needed.contains(.at), let point, Point(rawValue: point.text)?.builtInRole == nil {
            needed.insert(.points)
        }
        if needed.contains(.scanners) { needed.insert(.points) }
        for setting in WatchSetting.allCases where needed.contains(setting) {
            var written = deciding[setting]
            if written == nil {
                let doubts =
                    misspelledVariables.filter { $0.setting == setting }.map(\.mistake)
                    + file.mistakes(concerning: setting)
                mistakes += doubts.filter { !mistakes.contains($0) }
                if !doubts.isEmpty { continue }
                written = file.settings[setting]
            }
            written?.apply(to: &configuration, &mistakes)
            if setting == .folder && written == nil { mistakes.append(noFolder) }
        }
        if !mistakes.isEmpty { throw ConfigurationError(mistakes: mistakes) }
        return configuration
    }

    /// The settings from the environment; an empty variable counts as absent.
    private var variables: [WatchSetting: WrittenSetting] {
        WatchSetting.allCases.reduce(into: [:]) { settings, setting in
            guard let text = environment[setting.variable], !text.isEmpty else { return }
            settings[setting] = WrittenSetting(setting, as: text, at: .variable(setting.variable))
        }
    }

    private func options(_ arguments: [WatchSetting: String]) -> [WatchSetting: WrittenSetting] {
        arguments.reduce(into: [:]) { settings, argument in
            let (setting, text) = argument
            settings[setting] = WrittenSetting(setting, as: text, at: .option(setting.option))
        }
    }

    private var noFolder: ConfigurationMistake {
        ConfigurationMistake(
            .nowhere,
            WrongValue(
                "no folder to watch is named",
                remedy: "name one on the command line, as $\(WatchSetting.folder.variable), "
                    + "or as \(WatchSetting.folder.rawValue) in \(path)"
            )
        )
    }

    /// Unknown variables that look like known ones, with the settings that were probably meant.
    ///
    /// Others are ignored: another program may use them.
    private var misspelledVariables: [(setting: WatchSetting?, mistake: ConfigurationMistake)] {
        let settings = WatchSetting.allCases.map { ($0.variable, $0) }
        let known = settings.map(\.0) + [WatchConfiguration.fileVariable]
        let unknown = environment.keys.filter { name in
            name.hasPrefix("LUGGAGE_") && !known.contains(name)
                && !HookFacts.variables.contains(name)
        }
        return unknown.sorted().compactMap { name in
            Spelling.nearest(to: name, among: known).map { likely in
                let wrong = WrongValue(
                    "there is no such setting",
                    remedy: "did you mean \(likely)?"
                )
                let setting = settings.first { $0.0 == likely }?.1
                return (setting, ConfigurationMistake(.variable(name), wrong))
            }
        }
    }
}

extension WatchConfiguration {
    /// The configuration file that is read if none is named.
    package static let defaultFile = "/etc/luggage/luggage.yaml"

    /// The environment variable that names another one.
    package static let fileVariable = "LUGGAGE_CONFIGURATION"

    /// Combines all settings: defaults, then a file, then the environment, then the command line.
    ///
    /// Each source overrides the one before, setting by setting. Every source is checked completely, even
    /// if a later one overrides it.
    ///
    /// - Parameters:
    ///   - file: A YAML file of `key: value` lines; if nil, the one that ``fileVariable`` names, else
    ///     ``defaultFile``, which may be absent.
    ///   - environment: The environment variables.
    ///   - arguments: The settings on the command line, as written there.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` with all mistakes.
    package static func load(
        file: String? = nil,
        environment: [String: String],
        arguments: [WatchSetting: String] = [:]
    ) throws(ConfigurationError) -> WatchConfiguration {
        try SharedSettings(file: file, environment: environment)
            .configuration(arguments: arguments)
    }

    /// The same, with a file that may be absent.
    static func load(
        file path: String,
        isOptional: Bool,
        environment: [String: String],
        arguments: [WatchSetting: String]
    ) throws(ConfigurationError) -> WatchConfiguration {
        let file = ConfigurationFile(path: path, isOptional: isOptional)
        return try SharedSettings(file, environment: environment)
            .configuration(arguments: arguments)
    }
}
