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
        try ConfigurationSources(
            file: ConfigurationFile(named: file, environment: environment),
            environment: environment,
            arguments: arguments
        ).whole()
    }

    /// The same, with a file that may be absent.
    static func load(
        file path: String,
        isOptional: Bool,
        environment: [String: String],
        arguments: [WatchSetting: String]
    ) throws(ConfigurationError) -> WatchConfiguration {
        try ConfigurationSources(
            file: ConfigurationFile(path: path, isOptional: isOptional),
            environment: environment,
            arguments: arguments
        ).whole()
    }
}

/// The settings of this machine, for commands that want a few of them.
///
/// A mistake elsewhere in the configuration keeps none of them from working.
public struct SharedSettings {
    /// The configuration file.
    public let path: String
    /// Whether that is the one of this machine, ``WatchConfiguration/defaultFile``.
    public let isOfMachine: Bool
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
        path = self.file.path
        isOfMachine = self.file.isOptional
    }

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
        let sources = ConfigurationSources(file: file, environment: [:], arguments: [:])
        return try? sources.configuration(of: [.store]).store
    }

    /// Puts some settings together, in the order of ``WatchConfiguration/load(file:environment:arguments:)``.
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
        try ConfigurationSources(file: file, environment: environment, arguments: arguments)
            .configuration(of: needed)
    }
}
