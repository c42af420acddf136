extension SharedSettings {
    /// The settings of a service for serial scanners.
    ///
    /// - Parameters:
    ///   - devices: The devices that the command line names; if there are some, they count instead of the
    ///     setting `scanners`, and all of them are at the point and station of the settings.
    ///   - arguments: The settings on the command line, as written there.
    /// - Returns: The configuration, with at least one scanner.
    /// - Throws: ``ConfigurationError`` with all mistakes.
    package func listening(
        to devices: [String],
        arguments: [WatchSetting: String]
    ) throws(ConfigurationError) -> WatchConfiguration {
        var needed: Set<WatchSetting> = [
            .points, .station, .store, .earliest, .heaviest, .baud, .payloadEnd, .logFormat,
            .logLevel, .hook, .hookTimeLimit, .overdue, .readRate, .silence,
        ]
        needed.insert(devices.isEmpty ? .scanners : .at)
        var configuration = try configuration(of: needed, arguments: arguments)
        do throws(WrongValue) {
            if !devices.isEmpty {
                guard let point = configuration.point else { throw .noPoint }
                var scanners = ScannerWords()
                for device in devices {
                    let path = try ScannerWords.device(device)
                    try scanners.add(.init(device: path, point: point, station: nil))
                }
                configuration.scanners = scanners
            }
            if configuration.scanners.named.isEmpty { throw .noScanner(path) }
        } catch {
            throw ConfigurationError(mistakes: [
                ConfigurationMistake(devices.isEmpty ? .nowhere : .option("DEVICE"), error)
            ])
        }
        return configuration
    }
}

extension WrongValue {
    fileprivate static let noPoint = WrongValue(
        "nothing says where the bags are",
        remedy: "say it with --at origin or --at destination"
    )

    fileprivate static func noScanner(_ path: String) -> WrongValue {
        WrongValue(
            "no scanner is named",
            remedy:
                "name a device on the command line, as /dev/ttyACM0 with --at origin, or a line for "
                + "each below `\(WatchSetting.scanners.rawValue):` in \(path), as /dev/ttyACM*: origin"
        )
    }
}
