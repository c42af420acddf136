internal import LuggageTags
internal import System

/// The settings of this machine: what is built in, then a file, then the environment, then the command
/// line.
///
/// Each overrides the one before, setting by setting. A command that wants a few of them is not kept from
/// working by a mistake in others.
public struct SharedSettings {
    private let file: ConfigurationFile
    private let environment: [String: String]
    /// Whether the command line names the file.
    private let isNamed: Bool

    /// Reads the configuration file.
    ///
    /// - Parameters:
    ///   - file: The file; without it, the one that ``WatchConfiguration/fileVariable`` names, else
    ///     ``WatchConfiguration/defaultFile``, which may be absent.
    ///   - environment: The variables of the environment.
    public init(file: String? = nil, environment: [String: String]) {
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
    public var path: String { file.path }

    /// Whether that is the one of this machine, ``WatchConfiguration/defaultFile``.
    public var isOfMachine: Bool { file.isOptional }

    /// Whether the file is there, be it wrong.
    public var hasFile: Bool { !file.isAbsent }

    /// The settings in place of which these are read, if they name a record: those that the environment
    /// names, else those of this machine; nil where these are they.
    ///
    /// A file that names no record leaves that to the environment, as one that sets nothing does.
    public var besides: SharedSettings? {
        if isOfMachine || storeInFile == nil { return nil }
        var environment = environment
        if !isNamed { environment[WatchConfiguration.fileVariable] = nil }
        return SharedSettings(environment: environment)
    }

    /// The record that the file names; nil where it names none, or cannot be understood.
    public var storeInFile: String? {
        try? SharedSettings(file, environment: [:]).configuration(of: [.store]).store
    }

    /// Puts all settings together, and checks every source completely, even where a later one overrides
    /// it.
    ///
    /// - Parameter arguments: What the command line says, as it was written there.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` with all mistakes.
    func configuration(
        arguments: [WatchSetting: String]
    ) throws(ConfigurationError) -> WatchConfiguration {
        var configuration = WatchConfiguration(folder: "")
        var mistakes = file.mistakes
        let layers = [file.settings, variables, options(arguments)]
        // First what others are understood by, whichever source has it.
        for layer in layers { layer[.points]?.apply(to: &configuration, &mistakes) }
        for layer in layers {
            for setting in WatchSetting.allCases where setting != .points {
                layer[setting]?.apply(to: &configuration, &mistakes)
            }
        }
        // Those in the file come first, line by line.
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

    /// Puts some settings together; what is wrong with others, or with a source that does not decide any
    /// of these, does not matter.
    ///
    /// - Parameters:
    ///   - needed: The settings; the others are as they are where nobody sets them.
    ///   - arguments: What the command line says, as it was written there.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` where one of them is wrong at the source that decides, or cannot
    ///   be known as the file is wrong.
    public func configuration(
        of needed: Set<WatchSetting>,
        arguments: [WatchSetting: String] = [:]
    ) throws(ConfigurationError) -> WatchConfiguration {
        var configuration = WatchConfiguration(folder: "")
        var mistakes: [ConfigurationMistake] = []
        let deciding = variables.merging(options(arguments)) { $1 }
        var needed = needed
        // A point that is built in is known whatever the settings name.
        let point = deciding[.at] ?? file.settings[.at]
        if needed.contains(.at), let point, Point(rawValue: point.text)?.builtInRole == nil {
            needed.insert(.points)
        }
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

    /// What the environment sets; a variable that is empty counts as absent.
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

    /// Variables that are not known and look like ones that are, with the settings that those are for.
    ///
    /// Others are left alone: they may be somebody else's.
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
    /// The configuration file that is read where none is named.
    public static let defaultFile = "/etc/luggage/luggage.yaml"

    /// The variable of the environment that names another one.
    public static let fileVariable = "LUGGAGE_CONFIGURATION"

    /// Puts the configuration together: what is built in, then a file, then the environment, then the
    /// command line; each overrides the one before, setting by setting.
    ///
    /// Every source is checked completely, even where a later one overrides it.
    ///
    /// - Parameters:
    ///   - file: A YAML file of `key: value` lines; without it, the one that ``fileVariable`` names, else
    ///     ``defaultFile``, which may be absent.
    ///   - environment: The variables of the environment.
    ///   - arguments: What the command line says, as it was written there.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` with all mistakes.
    public static func load(
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
