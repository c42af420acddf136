internal import FoundationEssentials
internal import Logging
internal import LuggageTags
internal import SystemSupport
internal import TagReading

/// A setting, by its key in the configuration file.
package enum WatchSetting: String, CaseIterable, Hashable, Sendable {
    /// The watched folder.
    case folder
    /// The points known here besides the built-in ones, each with its role.
    case points
    /// Where the bags are in all pictures.
    case at
    /// The name of this station.
    case station
    /// The place of this station, as tags name it.
    case place
    /// The file of the record.
    case store
    /// The command that is run at most once for each picture.
    case hook
    /// How long one run of that command may take.
    case hookTimeLimit = "hook-time-limit"
    /// The metrics file for monitoring.
    case metrics
    /// The source of the time when a bag was at the station.
    case timestamp
    /// The earliest day on which a bag can have been anywhere.
    case earliest
    /// The weight of the heaviest possible bag.
    case heaviest
    /// How long after its departure a bag that has not arrived is an alarm.
    case overdue
    /// The share of its tags that a station is to read in an hour.
    case readRate = "read-rate"
    /// How long after its last scan a station is an alarm.
    case silence
    /// The unit in which weights are shown to people.
    case units
    /// The longest time that an unfinished file may stay unchanged.
    case grace
    /// How much work to spend on a picture.
    case effort
    /// How many processes read pictures.
    case readers
    /// Whether each picture is read by a process that reads no other one.
    case freshReaders = "fresh-readers"
    /// The serial hand scanners, each with its place.
    case scanners
    /// How fast a serial line is, in bits a second.
    case baud
    /// What ends each payload of a serial scanner.
    case payloadEnd = "payload-end"
    /// The database that all stations exchange facts with.
    case hub
    /// The form of the log.
    case logFormat = "log-format"
    /// The lowest level that is logged.
    case logLevel = "log-level"

    /// The environment variable that sets it.
    package var variable: String {
        "LUGGAGE_" + rawValue.uppercased().replacing("-", with: "_")
    }

    /// The command line option that sets it.
    package var option: String {
        switch self {
        case .folder: "FOLDER"
        case .scanners: "DEVICE"
        default: "--\(rawValue)"
        }
    }

    /// Whether the file has its entries one a line below its key, and they are not YAML.
    var hasLines: Bool { self == .points || self == .scanners }

    /// Whether a change of it takes effect only after a restart.
    ///
    /// The record's history says at which station and point a picture was filed; with a change at run
    /// time, pictures under way would be filed at the new one. The readers, the watch and the metrics file
    /// get their settings when the service starts.
    package var needsRestart: Bool {
        switch self {
        case .folder, .points, .at, .station, .place, .store, .metrics, .earliest, .heaviest,
            .grace,
            .effort, .readers, .freshReaders, .scanners, .baud, .payloadEnd, .hub:
            true
        case .hook, .hookTimeLimit, .timestamp, .overdue, .readRate, .silence, .units, .logFormat,
            .logLevel:
            false
        }
    }
}

extension WatchConfiguration {
    /// Sets one setting from text; the text means the same in all sources.
    ///
    /// - Parameters:
    ///   - setting: The setting.
    ///   - text: The text.
    ///   - base: The folder for relative paths, with a final slash; if empty, the working directory.
    /// - Throws: What is wrong with the text.
    mutating func set(
        _ setting: WatchSetting,
        to text: String,
        in base: String
    ) throws(WrongValue) {
        switch setting {
        case .folder: folder = try SettingText.path(text, in: base)
        case .points: points = try PointWords(settingText: text)
        case .at: point = try points.point(text)
        case .station: station = try SettingText.stationName(text)
        case .place: place = try SettingText.placeName(text)
        case .store: store = try SettingText.path(text, in: base)
        case .hook: hook = try SettingText.commandLine(text)
        case .hookTimeLimit: hookTimeLimit = try SettingText.duration(text)
        case .metrics: metrics = try SettingText.path(text, in: base)
        case .timestamp: timestamp = try SettingText.word(text)
        case .earliest: bounds.earliest = try SettingText.day(text)
        case .heaviest: bounds.heaviest = try SettingText.pounds(text)
        case .overdue: alarms.overdue = try SettingText.days(text) / .seconds(1)
        case .readRate: alarms.readRate = try SettingText.share(text)
        case .silence: alarms.silence = try SettingText.days(text) / .seconds(1)
        case .units: units = try SettingText.word(text)
        case .grace: grace = try SettingText.duration(text)
        case .effort: effort = try SettingText.word(text)
        case .readers: readers = try SettingText.wholeNumber(text, 1...64)
        case .freshReaders: freshReaders = try SettingText.word(text)
        case .scanners: scanners = try ScannerWords(settingText: text, in: base, points)
        case .baud: baud = try SettingText.baud(text)
        case .payloadEnd: payloadEnd = try SettingText.word(text)
        case .hub: hub = text
        case .logFormat: logFormat = try SettingText.word(text)
        case .logLevel: logLevel = try SettingText.word(text)
        }
    }

    /// The value of one setting as text, for a person.
    func text(of setting: WatchSetting) -> String? {
        switch setting {
        case .folder: folder
        case .points: points.settingText
        case .at: point?.rawValue
        case .station: station
        case .place: place
        case .store: store
        case .hook: hook
        case .hookTimeLimit: hookTimeLimit.settingText
        case .metrics: metrics
        case .timestamp: timestamp.rawValue
        case .earliest: bounds.earliest.formatted(.iso8601.year().month().day())
        case .heaviest: Double(bounds.heaviest).text(digits: 9) + " lb"
        case .overdue: alarms.overdue.map { Duration.seconds($0).settingText }
        case .readRate: alarms.readRate.map { ($0 * 100).text(digits: 9) + "%" }
        case .silence: alarms.silence.map { Duration.seconds($0).settingText }
        case .units: units.rawValue
        case .grace: grace.settingText
        case .effort: effort.rawValue
        case .readers: readers.map(String.init)
        case .freshReaders: freshReaders.rawValue
        case .scanners: scanners.settingText
        case .baud: "\(baud)"
        case .payloadEnd: payloadEnd.rawValue
        // A password may be in it.
        case .hub: hub.map { _ in "(an address)" }
        case .logFormat: logFormat.rawValue
        case .logLevel: logLevel.rawValue
        }
    }
}

/// A setting as written in one source: its text, and the place of that text.
struct WrittenSetting {
    let setting: WatchSetting
    let text: String
    let source: ConfigurationMistake.Source
    /// Whether the text begins on the line below its key.
    let isBelow: Bool

    init(
        _ setting: WatchSetting,
        as text: String,
        at source: ConfigurationMistake.Source,
        isBelow: Bool = false
    ) {
        self.setting = setting
        self.text = text
        self.source = source
        self.isBelow = isBelow
    }

    /// Applies it to a configuration.
    ///
    /// - Parameters:
    ///   - configuration: The configuration to change.
    ///   - mistakes: Gets the mistake, if it is wrong.
    func apply(
        to configuration: inout WatchConfiguration,
        _ mistakes: inout [ConfigurationMistake]
    ) {
        var (key, base): (String?, String) = (nil, "")
        if case .file(let path, _, _) = source {
            key = setting.rawValue
            // Relative to the file, so that its paths mean the same from every working directory.
            base = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        }
        do throws(WrongValue) {
            try configuration.set(setting, to: text, in: base)
        } catch {
            mistakes.append(ConfigurationMistake(place(of: error), key: key, error))
        }
    }

    /// The source, with the line of the text that is wrong.
    private func place(of error: WrongValue) -> ConfigurationMistake.Source {
        guard isBelow, let line = error.line, case .file(let path, let key?, _) = source else {
            return source
        }
        return .file(path: path, line: key + 1 + line)
    }
}
