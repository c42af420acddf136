internal import Configuration

/// The settings from one source, as text.
struct ConfigurationLayer {
    private let snapshot: any ConfigSnapshot
    private let prefix: [String]
    private let folder: String
    private let source: (WatchSetting) -> ConfigurationMistake.Source

    /// Wraps what has been read.
    ///
    /// - Parameters:
    ///   - snapshot: The settings by their keys.
    ///   - prefix: What the keys begin with.
    ///   - folder: Where relative paths begin, with a slash at its end; if it is empty, where the
    ///     program is run.
    ///   - source: Where a setting is.
    init(
        snapshot: any ConfigSnapshot,
        prefix: [String] = [],
        folder: String = "",
        source: @escaping (WatchSetting) -> ConfigurationMistake.Source
    ) {
        self.snapshot = snapshot
        self.prefix = prefix
        self.folder = folder
        self.source = source
    }

    /// The variables of the environment that begin with `LUGGAGE_`; empty ones count as absent.
    init(environment: [String: String]) {
        let own = environment.filter { name, value in
            name.hasPrefix("LUGGAGE_") && !value.isEmpty
        }
        let provider = EnvironmentVariablesProvider(environmentVariables: own)
        self.init(snapshot: provider.snapshot(), prefix: ["luggage"]) { .variable($0.variable) }
    }

    /// What the command line says.
    init(arguments: [WatchSetting: String]) {
        let values = arguments.map { setting, text in
            (AbsoluteConfigKey([setting.rawValue]), ConfigValue(.string(text), isSecret: false))
        }
        let provider = InMemoryProvider(values: Dictionary(uniqueKeysWithValues: values))
        self.init(snapshot: provider.snapshot()) { .option($0.option) }
    }

    /// Sets one thing, where this source has it.
    ///
    /// - Parameters:
    ///   - setting: The thing.
    ///   - configuration: What is overridden.
    ///   - mistakes: Takes what is wrong with it.
    /// - Returns: Whether the source has it, right or wrong.
    func apply(
        _ setting: WatchSetting,
        to configuration: inout WatchConfiguration,
        _ mistakes: inout [ConfigurationMistake]
    ) -> Bool {
        guard let text = text(of: setting) else { return false }
        do throws(WrongValue) {
            try configuration.set(setting, to: text, in: folder)
        } catch {
            let source = source(setting)
            let isInFile = if case .file = source { true } else { false }
            mistakes.append(
                ConfigurationMistake(
                    source,
                    key: isInFile ? setting.rawValue : nil,
                    problem: error.problem,
                    remedy: error.remedy
                )
            )
        }
        return true
    }

    /// Every source has text for every setting, so there is nothing that cannot be converted.
    func text(of setting: WatchSetting) -> String? {
        let key = AbsoluteConfigKey(prefix + [setting.rawValue])
        let value = try? snapshot.value(forKey: key, type: .string).value
        guard case .string(let text)? = value?.content else { return nil }
        return text
    }
}
