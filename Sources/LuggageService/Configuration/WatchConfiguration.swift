public import Logging
public import LuggageTags
public import TagReading

/// Everything that can be set about the watch service.
public struct WatchConfiguration: Equatable, Sendable {
    /// The watched folder.
    ///
    /// A relative path, here and elsewhere, starts at the working directory; in a
    /// configuration file, it starts at the folder of that file, and is made one that does.
    public var folder: String
    /// The points that are known; the folder has a folder for each that is named here.
    public var points = PointWords()
    /// Where the bags are in all pictures; without it, the folder has a folder for each of several points.
    public var point: Point?
    /// The name of this station; without it, the point.
    public var station: String?
    /// The file of the record; without it, where the environment says.
    public var store: String?
    /// A command line for `/bin/sh` that is run, at most once, for each picture that was filed or could not be.
    public var hook: String?
    /// How long one run of the hook may take.
    public var hookTimeLimit = Duration.seconds(30)
    /// A file that is kept up to date with figures for monitoring.
    public var metrics: String?
    /// What tells when a bag was at the station.
    public var timestamp = TimestampSource.file
    /// What can be true of bags here.
    public var bounds = TagBounds.usual
    /// The unit in which weights are shown to people.
    public var units = MassUnit.pounds
    /// How long an unfinished file may stay without news.
    public var grace = Duration.seconds(60)
    /// How much work a picture is worth that does not read at once.
    public var effort = ReadEffort.normal
    /// How many processes read pictures; without it, as suits the machine.
    public var readers: Int?
    /// Whether each picture is read by a process that has seen no other one.
    public var freshReaders = FreshReaders.no
    /// The form of the log.
    public var logFormat = LogFormat.auto
    /// What is logged: this and whatever is graver.
    public var logLevel = Logger.Level.info

    /// Has a folder watched, and leaves everything else as it is by default.
    public init(folder: String) {
        self.folder = folder
    }
}

/// What tells when a bag was at the station.
public enum TimestampSource: String, CaseIterable, Sendable {
    /// The time at which the picture's file was last modified, but never later than now.
    case file
    /// The moment at which the picture is read.
    case now
}

/// Whether each picture is read by a process that has seen no other one.
public enum FreshReaders: String, CaseIterable, Sendable {
    /// A picture that takes its reader over can harm no other picture, for two milliseconds of processor
    /// time a picture.
    case yes
    /// A reader reads a thousand pictures.
    case no
}

/// The form of the log.
public enum LogFormat: String, CaseIterable, Sendable {
    /// The journal's own protocol where standard error is the journal, and plain lines elsewhere.
    case auto
    /// Lines for a person, on standard error.
    case plain
    /// Entries with fields, in the system's journal.
    case journal
    /// A JSON object a line, on standard error.
    case json
}

extension WatchConfiguration {
    /// The name under which pictures are filed.
    func station(at point: Point) -> String { station ?? point.rawValue }

    func hook(in environment: [String: String]) -> Hook? {
        hook.map { Hook(command: $0, timeLimit: hookTimeLimit, environment: environment) }
    }
}
