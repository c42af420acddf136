internal import LuggageTags
internal import SystemSupport

/// What differs between the configuration of a running service and a new one.
package struct ConfigurationChanges: Equatable, Sendable {
    /// A setting that differs.
    package struct Change: Equatable, Sendable, CustomStringConvertible {
        package let setting: WatchSetting
        /// The old value, as in a configuration file; nil if it was not set.
        package let old: String?
        /// The new value; nil if it is not set.
        package let new: String?

        /// The change in words, such as `grace: 60s, was 1s`.
        package var description: String {
            "\(setting.rawValue): \(new ?? "not set"), was \(old ?? "not set")".onOneLine
        }
    }

    /// The changes that a running service takes over.
    package let immediate: [Change]
    /// The changes that need a restart.
    package let postponed: [Change]

    /// Whether nothing differs.
    package var isEmpty: Bool { immediate.isEmpty && postponed.isEmpty }

    /// One line for the log.
    package var description: String {
        if isEmpty { return "the configuration is as it was" }
        var parts = immediate.map(\.description)
        if !postponed.isEmpty {
            let words = postponed.map(\.description).joined(separator: "; ")
            parts.append("only after a restart: \(words)")
        }
        return parts.joined(separator: "; ")
    }
}

extension ConfigurationChanges: CustomStringConvertible {}

extension WatchConfiguration {
    /// Compares this configuration, by which a service runs, with a new one.
    package func changes(to new: WatchConfiguration) -> ConfigurationChanges {
        let changes = WatchSetting.allCases.compactMap { setting in
            let texts = (old: text(of: setting), new: new.text(of: setting))
            return texts.old == texts.new
                ? nil
                : ConfigurationChanges.Change(setting: setting, old: texts.old, new: texts.new)
        }
        return ConfigurationChanges(
            immediate: changes.filter { !$0.setting.needsRestart },
            postponed: changes.filter(\.setting.needsRestart)
        )
    }

    /// Returns the new configuration as far as a running service can take it over.
    ///
    /// - Parameter new: The new configuration.
    /// - Returns: The new one, but with the old values of settings that need a restart.
    package func takingOver(_ new: WatchConfiguration) -> WatchConfiguration {
        var result = self
        for setting in WatchSetting.allCases where !setting.needsRestart {
            result.copy(setting, from: new)
        }
        return result
    }

    private mutating func copy(_ setting: WatchSetting, from new: WatchConfiguration) {
        switch setting {
        case .folder: folder = new.folder
        case .hub: hub = new.hub
        case .points: points = new.points
        case .at: point = new.point
        case .station: station = new.station
        case .place: place = new.place
        case .store: store = new.store
        case .hook: hook = new.hook
        case .hookTimeLimit: hookTimeLimit = new.hookTimeLimit
        case .timestamp: timestamp = new.timestamp
        case .earliest: bounds.earliest = new.bounds.earliest
        case .heaviest: bounds.heaviest = new.bounds.heaviest
        case .overdue: alarms.overdue = new.alarms.overdue
        case .readRate: alarms.readRate = new.alarms.readRate
        case .silence: alarms.silence = new.alarms.silence
        case .units: units = new.units
        case .grace: grace = new.grace
        case .effort: effort = new.effort
        case .readers: readers = new.readers
        case .freshReaders: freshReaders = new.freshReaders
        case .metrics: metrics = new.metrics
        case .scanners: scanners = new.scanners
        case .baud: baud = new.baud
        case .payloadEnd: payloadEnd = new.payloadEnd
        case .logFormat: logFormat = new.logFormat
        case .logLevel: logLevel = new.logLevel
        }
    }
}
