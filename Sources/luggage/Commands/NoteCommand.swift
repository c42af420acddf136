internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// `luggage note`: lists alarms, and takes note of them.
struct NoteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "note",
        abstract: "List what is wrong with bags, trips and stations, or take note of it.",
        discussion: """
            luggage note
            luggage note 5D0A41C7 --by anna --reason "SYD sends it back"
            luggage note --noted --format json

            An alarm is a bag at a wrong place, a list whose time is over before all its bags have passed, and, \
            if the settings overdue, read-rate and silence give a bound, a bag that is overdue, and a station \
            that reads badly or not at all. It follows from what is on record, and ends with its cause, or \
            after \(Int(AlarmBounds.memory) / 86_400) days. The service tells each alarm once.

            Without an alarm, this lists those that are open and that nobody has taken note of. Name one by \
            the first digits of its identifier, or of its bag, to take note of it: it is not shown or told \
            any more. The record keeps who did so, when and why, other stations hear of it, and `luggage undo` \
            takes it back.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The first digits of the alarms to take note of, or of their bags; without any, all are listed.",
            valueName: "alarm"
        ),
        transform: IdentifierDigits.init(argument:)
    )
    var alarms: [IdentifierDigits] = []

    @Option(
        help: ArgumentHelp(
            "Why nobody has to look at it any more, for the record.",
            valueName: "text"
        )
    )
    var reason: String?

    @Flag(help: "List also those that somebody has taken note of.")
    var noted = false

    @OptionGroup var person: PersonOptions

    @Option(word: "Lines for people, or a JSON array for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        try PersonOptions.check(reason: reason)
        if alarms.isEmpty {
            if reason != nil || person.by != nil {
                throw ValidationError(
                    "name the alarms to take note of, by the first digits that `luggage note` shows"
                )
            }
        } else {
            if reason == nil {
                throw ValidationError("say with --reason why nobody has to look at it any more")
            }
            if noted {
                throw ValidationError("--noted is for the list: leave it or the alarms out")
            }
        }
    }

    func run() throws {
        let bounds = try storeOptions.settings.shared.alarmBounds
        if alarms.isEmpty {
            let open = try storeOptions.openForReading().read { context in
                try Alarm.open(at: Date(), within: bounds, in: context)
            }
            return try list(noted ? open : open.filter { $0.note == nil })
        }
        let record = try storeOptions.openForCorrecting()
        let open = try record.read { try Alarm.open(at: Date(), within: bounds, in: $0) }
        // All are found before any is noted.
        let meant = try alarms.map { try Self.find($0, among: open) }
        let corrector = RecordCorrector(container: record)
        var done: [Alarm] = []
        for var alarm in meant {
            let known = alarm.note
            alarm.note = try corrector.note(alarm, by: person.with(reason: reason))
            done.append(alarm)
            if format == .table { try tell(alarm, known) }
        }
        if format == .json { try StandardOutput.jsonDocument(done) }
    }

    /// Finds the only alarm whose identifier, or whose bag's, begins with some digits.
    private static func find(_ digits: IdentifierDigits, among open: [Alarm]) throws -> Alarm {
        let found = open.filter { alarm in
            [alarm.id, alarm.key.bag].compactMap(\.self).contains {
                $0.uuidString.hasPrefix(digits.beginning)
            }
        }
        if found.count == 1 { return found[0] }
        if found.isEmpty {
            throw Failure(
                .incomplete,
                "no open alarm, and no bag of one, begins with \(digits.beginning); `luggage note` lists them"
            )
        }
        let identifiers = ShortIdentifiers()
        identifiers.prepare(found.map(\.id))
        let names = found.prefix(5).map { identifiers.text($0.id) }.joined(separator: ", ")
        throw Failure(
            .incomplete,
            "\(digits.beginning) may be \(found.count) alarms: \(names); give more of the identifier"
        )
    }

    private func tell(_ alarm: Alarm, _ known: Alarm.Note?) throws {
        let words = alarm.words(\.local).onOneLine
        guard let known else { return try StandardOutput.line("noted: \(words)") }
        try StandardOutput.line(
            "noted by \(known.author.onOneLine) at \(known.madeAt.local) already: \(words)"
        )
    }

    private func list(_ alarms: [Alarm]) throws {
        switch format {
        case .json: try StandardOutput.jsonDocument(alarms)
        case .table:
            do {
                var output = AlarmOutput()
                try output.write(alarms, withNotes: noted)
                try output.end(alarms.isEmpty ? "no alarm is open" : alarms.count.counted("alarm"))
            } catch is OutputClosed {
                return
            }
        }
    }
}

extension SharedSettings {
    /// From when on something is an alarm here.
    ///
    /// - Throws: ``Failure`` if the setting is wrong, or cannot be read.
    var alarmBounds: AlarmBounds {
        get throws { try values(of: [.overdue, .readRate, .silence]).alarms }
    }
}
