package import Logging
package import LuggageTags
package import TagReading

/// All settings of the services.
package struct WatchConfiguration: Equatable, Sendable {
    /// The watched folder.
    ///
    /// A relative path, here and elsewhere, starts at the working directory; in a configuration
    /// file, it starts at the folder of that file, and is resolved from there.
    package var folder: String
    /// The known points; the watched folder has a folder for each that is named here.
    package var points = PointWords()
    /// Where the bags are in all pictures; if nil, the folder has a folder for each of several points.
    package var point: Point?
    /// The name of this station; if nil, the point's name.
    package var station: String?
    /// The place of this station, as tags name it: `JFK`, or `Pier 3`; nil if it has none.
    package var place: String?
    /// The file of the record; if nil, the environment decides.
    package var store: String?
    /// A command line for `/bin/sh`, run at most once for each picture that was filed or has failed.
    package var hook: String?
    /// How long one run of the hook may take.
    package var hookTimeLimit = Duration.seconds(30)
    /// The metrics file for monitoring.
    package var metrics: String?
    /// The source of the time when a bag was at the station.
    package var timestamp = TimestampSource.file
    /// What can be true of bags here.
    package var bounds = TagBounds.usual
    /// From when on something is an alarm.
    package var alarms = AlarmBounds()
    /// The unit in which weights are shown to people.
    package var units = MassUnit.pounds
    /// The longest time that an unfinished file may stay unchanged.
    package var grace = Duration.seconds(60)
    /// How much work to spend on a picture that does not read at once.
    package var effort = ReadEffort.normal
    /// How many processes read pictures; if nil, as many as suit the machine.
    package var readers: Int?
    /// Whether each picture is read by a process that reads no other one.
    package var freshReaders = FreshReaders.no
    /// The serial hand scanners, each with its place.
    package var scanners = ScannerWords()
    /// How fast a serial line is, in bits a second.
    package var baud = 9600
    /// What ends each payload of a serial scanner.
    package var payloadEnd = ScannerEnd.line
    /// The address of the database that all stations exchange facts with; nil if there is none.
    package var hub: String?
    /// The form of the log.
    package var logFormat = LogFormat.auto
    /// The lowest level that is logged.
    package var logLevel = Logger.Level.info

    /// The default settings for a watched folder.
    package init(folder: String) {
        self.folder = folder
    }
}

/// The source of the time when a bag was at the station.
package enum TimestampSource: String, CaseIterable, Sendable {
    /// The time at which the picture's file was last modified, but never later than now.
    case file
    /// The moment at which the picture is read.
    case now
}

/// Whether each picture is read by a process that reads no other one.
package enum FreshReaders: String, CaseIterable, Sendable {
    /// Each picture gets its own process, so a picture that takes over its reader can harm no other.
    ///
    /// This costs two milliseconds of processor time a picture.
    case yes
    /// A reader reads a thousand pictures.
    case no
}

/// The form of the log.
package enum LogFormat: String, CaseIterable, Sendable {
    /// The journal's own protocol if standard error is the journal, and plain lines otherwise.
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
