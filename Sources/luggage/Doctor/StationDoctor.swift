internal import FoundationEssentials
internal import LuggageService
internal import ProgramSupport
internal import SystemSupport
internal import TagReading

/// Looks at everything between an empty machine and a filed picture, in the order in which one sets it up.
///
/// It changes nothing. What cannot be known before something else is right is not guessed.
struct StationDoctor {
    let settings: SharedSettings
    /// The watched folder and the record, if the command line names them.
    let folder: String?
    let store: String?

    /// What the later checks build on.
    struct Station {
        var configuration: WatchConfiguration
        var layout: FolderLayout
        /// What the folders have; nil if they cannot be looked into.
        var report: FolderReport?
        var record: RecordFile
        /// How many scans are on record; nil if that cannot be known.
        var scans: Int?
        /// The unit of the service that is to watch the folder; nil if systemd does not know of one.
        var unit: ServiceUnit?
    }

    /// All checks, in order.
    func examine() async -> [StationCheck] {
        var checks = [await ReaderTrial.check()]
        let configuration: WatchConfiguration
        let record: RecordFile
        do {
            configuration = try loadConfiguration()
            record = try RecordFile(at: configuration.store, settings)
        } catch {
            checks.append(wrongConfiguration(error))
            let rest: [StationCheck.Subject] = [.folder, .record, .service, .people, .first]
            return checks
                + rest.map { StationCheck($0, .unseen, "known once the configuration is right") }
        }
        checks.append(
            StationCheck(
                .configuration,
                .right,
                settings.hasFile
                    ? settings.path.onOneLine : "\(settings.path.onOneLine) is not needed"
            )
        )
        let layout = FolderLayout(
            path: configuration.folder,
            point: configuration.point,
            points: configuration.points
        )
        var station = Station(
            configuration: configuration,
            layout: layout,
            report: try? FolderReport(layout),
            record: record,
            unit: unitName(configuration).flatMap(ServiceUnit.ask)
        )
        checks += userCheck(station)
        checks.append(folderCheck(station))
        checks.append(recordCheck(&station))
        checks += spaceChecks(station)
        checks.append(serviceCheck(station))
        checks.append(peopleCheck(station))
        checks += pictureChecks(station)
        checks += scannerChecks(station) + hubChecks(station)
        checks.append(firstCheck(station))
        return checks
    }

    /// Whether the settings are those of the service that is installed here.
    private var isOfService: Bool { settings.isOfMachine }

    /// The name of the unit that is to watch the folder; nil if it is nobody's business but a person's.
    private func unitName(_ configuration: WatchConfiguration) -> String? {
        guard isOfService else { return nil }
        let configured = try? settings.configuration(of: [.folder]).folder
        if configuration.folder == configured { return "luggage-scanner" }
        // The folder of a station of its own.
        guard let configured, configuration.folder.hasPrefix(configured + "/") else { return nil }
        return "luggage-scanner@\(configuration.folder.dropFirst(configured.count + 1))"
    }

    private func loadConfiguration() throws(ConfigurationError) -> WatchConfiguration {
        let arguments: [WatchSetting: String?] = [.folder: folder, .store: store]
        return try settings.configuration(
            arguments: arguments.compactMapValues { $0 }
        )
    }

    /// Where the shipped configuration is, beside the program that runs.
    private var shippedConfiguration: String? {
        guard let program = ReaderPool.runningExecutable() else { return nil }
        let path = URL(filePath: program).appending(path: "../../share/luggage/luggage.yaml")
            .standardizedFileURL.path(percentEncoded: false)
        return FileStatus(at: path)?.kind == .file ? path : nil
    }

    private func wrongConfiguration(_ error: any Error) -> StationCheck {
        let message = (error as? ConfigurationError)?.line ?? Failure(starting: error).message
        if settings.hasFile {
            return StationCheck(
                .configuration,
                .wrong,
                message,
                remedies: FileStatus(at: settings.path)?.kind == .file
                    ? ["sudo editor \(settings.path.asShellWord)"] : []
            )
        }
        guard settings.isOfMachine, let shipped = shippedConfiguration else {
            return StationCheck(
                .configuration,
                .wrong,
                message,
                remedies: settings.isOfMachine ? ["luggage doctor --folder FOLDER"] : []
            )
        }
        return StationCheck(
            .configuration,
            .wrong,
            "there is no \(settings.path.onOneLine)",
            remedies: [
                "sudo install -D --mode 644 \(shipped.asShellWord) \(settings.path.asShellWord)"
            ]
        )
    }
}

extension String {
    /// The text as one word of a command line for a shell.
    var asShellWord: String {
        let isPlain =
            !isEmpty
            && utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0)
                    || (0x61...0x7A).contains($0)
                    || "/@%_-+=:,.".utf8.contains($0)
            }
        // What would steer a terminal is shown escaped, and so is no path that anybody could type.
        return isPlain ? self : "'\(replacing("'", with: "'\\''").onOneLine)'"
    }
}
