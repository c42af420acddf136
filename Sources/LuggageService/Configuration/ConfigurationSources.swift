internal import LuggageTags
internal import System

/// Where settings come from: what is built in, then a file, then the environment, then the command line.
///
/// Each overrides the one before, setting by setting.
struct ConfigurationSources {
    let file: ConfigurationFile
    let environment: [String: String]
    let arguments: [WatchSetting: String]

    private var variables: ConfigurationLayer { ConfigurationLayer(environment: environment) }
    private var options: ConfigurationLayer { ConfigurationLayer(arguments: arguments) }

    /// Puts together all settings, and checks every source completely, even where a later one overrides
    /// it.
    ///
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` with all mistakes.
    func whole() throws(ConfigurationError) -> WatchConfiguration {
        var mistakes = file.mistakes
        var configuration = WatchConfiguration(folder: "")
        var found: Set<WatchSetting> = []
        let layers = [file.layer, variables, options].compactMap { $0 }
        // First what others are understood by, whichever source has it.
        for layer in layers { _ = layer.apply(.points, to: &configuration, &mistakes) }
        for layer in layers {
            for setting in WatchSetting.allCases
            where setting != .points && layer.apply(setting, to: &configuration, &mistakes) {
                found.insert(setting)
            }
        }
        // Those in the file come first, line by line.
        let inFile = mistakes.filter { $0.line != nil }.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
        mistakes = inFile + mistakes.filter { $0.line == nil }
        mistakes += misspelledVariables.map(\.mistake)
        let isFolderWrong = mistakes.contains { $0.key == WatchSetting.folder.rawValue }
        if !found.contains(.folder) && !isFolderWrong && file.extent == .whole {
            mistakes.append(noFolder)
        }
        if !mistakes.isEmpty { throw ConfigurationError(mistakes: mistakes) }
        return configuration
    }

    /// Puts together some of the settings; what is wrong with others, or with a source that does not
    /// decide any of these, does not matter.
    ///
    /// - Parameter needed: The settings; the others are as they are where nobody sets them.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` with what is wrong with these.
    func configuration(
        of needed: Set<WatchSetting>
    ) throws(ConfigurationError) -> WatchConfiguration {
        var configuration = WatchConfiguration(folder: "")
        var mistakes: [ConfigurationMistake] = []
        let (options, variables) = (options, variables)
        var needed = needed
        // A point that is built in is known whatever the settings name.
        let word = [options, variables, file.layer].lazy.compactMap { $0?.text(of: .at) }.first
        if needed.contains(.at), let word, Point(rawValue: word)?.builtInRole == nil {
            needed.insert(.points)
        }
        for setting in WatchSetting.allCases where needed.contains(setting) {
            if options.apply(setting, to: &configuration, &mistakes) { continue }
            if variables.apply(setting, to: &configuration, &mistakes) { continue }
            let doubts =
                misspelledVariables.filter { $0.setting == setting }.map(\.mistake)
                + file.mistakes(concerning: setting)
            for mistake in doubts where !mistakes.contains(mistake) { mistakes.append(mistake) }
            if !doubts.isEmpty { continue }
            let isFound = file.layer?.apply(setting, to: &configuration, &mistakes) ?? false
            if setting == .folder && !isFound { mistakes.append(noFolder) }
        }
        if !mistakes.isEmpty { throw ConfigurationError(mistakes: mistakes) }
        return configuration
    }

    private var noFolder: ConfigurationMistake {
        ConfigurationMistake(
            .nowhere,
            problem: "no folder to watch is named",
            remedy: "name one on the command line, as $\(WatchSetting.folder.variable), "
                + "or as \(WatchSetting.folder.rawValue) in \(file.path)"
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
                let mistake = ConfigurationMistake(
                    .variable(name),
                    problem: "there is no such setting",
                    remedy: "did you mean \(likely)?"
                )
                return (settings.first { $0.0 == likely }?.1, mistake)
            }
        }
    }
}

extension ConfigurationFile {
    /// What is wrong with the file and may be wrong with a setting.
    fileprivate func mistakes(concerning setting: WatchSetting) -> [ConfigurationMistake] {
        let found = mistakes.filter { $0.key == nil || $0.isKnown(toConcern: setting) }
        return found.isEmpty && extent == .part ? mistakes : found
    }
}
