extension WatchConfiguration {
    /// The configuration file that is read where none is named.
    public static let defaultFile = "/etc/luggage/luggage.yaml"

    /// Puts the configuration together: what is built in, then a file, then the environment, then the
    /// command line; each overrides the one before, setting by setting.
    ///
    /// Every source is checked completely, even where a later one overrides it.
    ///
    /// - Parameters:
    ///   - file: A YAML file of `key: value` lines; without it, ``defaultFile``, which may be absent.
    ///   - environment: The variables of the environment.
    ///   - arguments: What the command line says, as it was written there.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` with all mistakes.
    public static func load(
        file: String? = nil,
        environment: [String: String],
        arguments: [WatchSetting: String] = [:]
    ) throws(ConfigurationError) -> WatchConfiguration {
        try load(
            file: file ?? defaultFile,
            isOptional: file == nil,
            environment: environment,
            arguments: arguments
        )
    }

    /// The same, with a file that may be absent.
    static func load(
        file path: String,
        isOptional: Bool,
        environment: [String: String],
        arguments: [WatchSetting: String]
    ) throws(ConfigurationError) -> WatchConfiguration {
        let file = ConfigurationFile(path: path, isOptional: isOptional)
        var mistakes = file.mistakes
        var configuration = WatchConfiguration(folder: "")
        let layers = [
            file.layer,
            ConfigurationLayer(environment: environment),
            ConfigurationLayer(arguments: arguments),
        ]
        var found: Set<WatchSetting> = []
        for layer in layers.compactMap({ $0 }) {
            found.formUnion(layer.apply(to: &configuration, &mistakes))
        }
        // Those in the file come first, line by line.
        let inFile = mistakes.filter { $0.line != nil }.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
        mistakes = inFile + mistakes.filter { $0.line == nil }
        mistakes += misspelledVariables(in: environment)
        let isFolderWrong = mistakes.contains { $0.key == WatchSetting.folder.rawValue }
        let mayBeInFile = file.extent == .part
        if !found.contains(.folder) && !isFolderWrong && !mayBeInFile {
            mistakes.append(
                ConfigurationMistake(
                    .nowhere,
                    problem: "no folder to watch is named",
                    remedy: "name one on the command line, as $\(WatchSetting.folder.variable), "
                        + "or as \(WatchSetting.folder.rawValue) in \(path)"
                )
            )
        }
        if !mistakes.isEmpty { throw ConfigurationError(mistakes: mistakes) }
        return configuration
    }

    /// Variables that are not known and look like ones that are.
    ///
    /// Others are left alone: they may be somebody else's.
    private static func misspelledVariables(
        in environment: [String: String]
    ) -> [ConfigurationMistake] {
        let known = WatchSetting.allCases.map(\.variable)
        let unknown = environment.keys.filter { name in
            name.hasPrefix("LUGGAGE_") && !known.contains(name)
                && !HookFacts.variables.contains(name)
        }
        return unknown.sorted().compactMap { name in
            Spelling.nearest(to: name, among: known).map { likely in
                ConfigurationMistake(
                    .variable(name),
                    problem: "there is no such setting",
                    remedy: "did you mean \(likely)?"
                )
            }
        }
    }
}
