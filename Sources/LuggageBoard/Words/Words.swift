package import FoundationEssentials
package import LuggageService
package import LuggageTags

/// Every text of the board, in English.
///
/// What people and tags say is shown as it is on record. What the command line says too, of alarms, wrong tags and
/// refused changes, comes here with its code and its values: another language says it in its own words.
package struct Words: Sendable {
    /// Makes the words.
    package init() {}

    package var language: String { "en" }

    package var board: String { "Baggage room" }
    package var now: String { "Now" }
    package var search: String { "Search" }
    package var failed: String { "Not read" }
    package var handIn: String { "Hand in" }
    package var report: String { "Report" }
    package var pages: String { "Pages" }
    package var skipToContent: String { "Skip to content" }
    package var leave: String { "Sign out" }
    package var live: String { "Live" }
    package var lineIsCut: String { "No connection: this may be old" }
    package var timesAreOfStation: String { "Times are those of the station." }
    package func signedIn(_ name: String, _ role: Role) -> String {
        switch role {
        case .see: "\(name), may look"
        case .file: "\(name), may file"
        case .correct: "\(name), may correct"
        }
    }

    package var bag: String { "Bag" }
    package var owner: String { "Owner" }
    package var weight: String { "Weight" }
    package var departed: String { "Departed" }
    package var arrived: String { "Arrived" }
    package var overdue: String { "Overdue" }
    package var notYet: String { "not yet" }
    package var unknown: String { "unknown" }
    package func bags(_ count: Int) -> String { count == 1 ? "1 bag" : "\(count) bags" }
    package func point(_ point: Point) -> String {
        switch point {
        case .origin: "Origin"
        case .load: "Loading"
        case .transfer: "Transfer"
        case .unload: "Unloading"
        case .destination: "Destination"
        case .delivery: "Delivery"
        default: point.rawValue
        }
    }
    package func outcome(_ outcome: Outcome) -> String {
        switch outcome {
        case .new: "New"
        case .updated: "Updated"
        case .repeated: "Seen before"
        case .changed: "Tag differs"
        case .misrouted: "Wrong place"
        case .invalid: "Tag is wrong"
        case .unreadable: "Not readable"
        case .noCode: "No code found"
        case .damaged: "Picture is damaged"
        }
    }

    package var missing: String { "Missing" }
    package var nothingMissing: String { "No bag is missing." }
    package var lastScans: String { "Last scans" }
    package var noScans: String { "Nothing has been scanned yet." }
    package var readToday: String { "Filed today" }
    package var scansToday: String { "Scans today" }
    package var stations: String { "Stations" }
    package var alarms: String { "Alarms" }
    package func alarm(_ alarm: Alarm) -> String {
        let words = alarm.words(\.local)
        return words.prefix(1).uppercased() + words.dropFirst()
    }
    package func alarm(_ key: Alarm.Key) -> String { key.words }
    package var alarmHeading: String { "Alarm" }
    func subject(_ kind: Subject.Kind) -> String {
        switch kind {
        case .bag: bag
        case .alarm: alarmHeading
        }
    }
    package func sentence(_ error: TagError) -> String { error.message }
    package func sentence(_ error: CorrectionError) -> String { error.message }
    package func sentence(_ note: FailureNote) -> String { note.message }
    package func route(_ route: Route) -> String { route.words }
    package func misrouted(_ bag: LuggageReport) -> String? { bag.misroutedWords }
    package func length(_ time: TimeInterval) -> String { time.lengthOfTime }
    /// What stands behind days, hours and minutes, which the script counts.
    package var lengthUnits: String { "d h m" }
    package var since: String { "Since" }
    package var takeNote: String { "Take note" }
    package var takeNoteHint: String {
        "Then it is not shown or told any more, here and at other stations. The record keeps who took note of it, and why. "
            + "You can take it back."
    }
    package var notPassed: String { "Bags that have not passed" }
    package var isNoted: String { "Noted by" }
    package var noAlarm: String { "No alarm any more" }
    package var noAlarmHint: String {
        "Its cause has ended since, or it is another one by now, as when its list has grown: the first page says it."
    }
    package var noteNotTaken: String { "Your note was not taken." }
    package var noAlarms: String { "There is no alarm." }
    package func more(_ count: Int) -> String { "and \(count) more" }
    package var allMissing: String { "All missing bags" }
    package func overdueAfter(_ patience: TimeInterval) -> String {
        "missing for more than \(length(patience))"
    }
    package func lastHours(_ hours: Int) -> String { "the last \(hours) hours, by quarters" }
    package func quarter(_ quarter: StationRate.Quarter) -> String {
        "\(TimeForm.clock.text(quarter.beginning)): \(quarter.filed) read, \(quarter.failed) not"
    }
    package func rate(_ rate: StationRate) -> String {
        "\(rate.filed) of \(rate.scans) read, \(rate.filed.percentage(of: rate.scans))"
    }
    package func ofThem(_ count: Int, _ whole: Int) -> String { "\(count) of \(whole)" }

    package var journeys: String { "Journeys" }
    package var expected: String { "Expected" }
    package var due: String { "by" }
    package var scans: String { "Scans" }
    package var scanned: String { "scanned" }
    package var corrections: String { "Corrections" }
    package var when: String { "When" }
    package var place: String { "Where" }
    package var station: String { "Station" }
    package var picture: String { "Picture" }
    package var typedByHand: String { "typed by hand" }
    package var takenBack: String { "taken back" }
    package var tagSays: String { "The tag says" }
    package var isMissing: String { "Missing" }
    package var who: String { "Who" }
    package var what: String { "What" }
    package var why: String { "Why" }
    package func correction(_ kind: Correction.Kind) -> String {
        switch kind {
        case .file: "tag typed"
        case .dismiss: "picture closed"
        case .edit: "corrected"
        case .note: "alarm noted"
        case .undo: "taken back"
        case .redo: "brought back"
        default: kind.rawValue
        }
    }

    package var correct: String { "Correct" }
    package var newOwner: String { "Owner, as on tags: D ZMU" }
    package var newWeight: String { "Weight with its unit: 42 lb, 19 kg" }
    package func isNow(_ value: String) -> String { "now \(value)" }
    package var misrouted: String { "Wrong place" }
    package var route: String { "Route" }
    package var nobodyOwnsIt: String { "Nobody is known to own it" }
    package var reason: String { "Why" }
    package var keepIfEmpty: String { "What you leave empty stays as it is." }
    package var save: String { "Save" }
    package var takeBack: String { "Take back" }
    package var changedMeanwhile: String {
        "Somebody has changed this bag while you were writing. Look at what it says now, then save again."
    }
    package var isSaved: String { "Saved." }
    package var isAsBefore: String { "The bag has these values already; nothing was changed." }
    package var nobodyOrSomebody: String {
        "Say who owns the bag, or that nobody is known to, and not both."
    }
    package var sayWhat: String { "Say what to correct: the owner or the weight." }
    package var sayWhy: String { "Say why, in 1 to 400 characters on one line." }
    package var wrongOwner: String {
        "The owner is an initial, a slash, and the beginning of the family name: D/ZMU."
    }
    package var wrongWeight: String {
        "The weight is a number with its unit, such as 50lb or 20.5kg, and not more than a bag can weigh."
    }

    package var searchHint: String { "Digits of a bag, an owner, or a station" }
    package var onlyMissing: String { "Only missing bags" }
    package var settledMeanwhile: String {
        "Somebody else has settled this picture meanwhile; nothing was filed twice."
    }
    package func moreThan(_ count: Int) -> String { "More than \(bags(count))" }
    package var noMatch: String { "Nothing on record fits." }
    package var isLookedFor: String { "Looking for these digits within all identifiers …" }
    package var thereAreMore: String { "There are more: type more of it." }

    package var noFailed: String { "No picture waits for you." }
    package var failedHint: String {
        "These pictures could not be read. Look at them, and type what the tag says."
    }
    package var closeIt: String { "Nothing on it" }
    package var typeIn: String { "File by hand" }
    package var identifier: String { "Identifier on the tag" }
    package var wholeIdentifier: String {
        "All of it; of a bag on record its first or last digits."
    }
    package var nothingToFile: String { "There is nothing to file" }
    package var isGone: String { "This picture is not here any more: somebody has settled it." }
    package var noteSays: String { "What went wrong" }
    package var noFolder: String {
        "This board knows no watched folder; start it with --folder to see failed pictures and to hand in."
    }
    package var wrongIdentifier: String {
        "An identifier has 32 hexadecimal digits and hyphens; no bag on record begins or ends with these "
            + "alone."
    }
    package func tries(_ count: Int) -> String {
        count == 1 ? "tried once" : "tried \(count) times"
    }
    package func stillToType(_ typed: Int, _ failed: Int) -> String {
        "Filed. \(typed) of \(failed) tags of this picture are typed; type the others too."
    }

    package var takePicture: String { "Take a picture" }
    package var choosePictures: String { "Choose pictures" }
    package var lineWasCut: String {
        "The connection was lost, so not all pictures came. Send them again: what has come already is safe."
    }
    package var handInHint: String {
        "Photograph a tag, or choose pictures that you have. Each may show several tags."
    }
    package var whereAreBags: String { "Where are the bags?" }
    package var sendPictures: String { "Send" }
    package var waiting: String { "Being read …" }
    package var nobodyFiles: String {
        "Received and safe, but nobody files at the moment: the service does not run."
    }
    package var handMore: String { "Hand in more" }
    package var nothingHandedIn: String { "No picture came. Choose at least one." }
    package var wasHandedIn: String { "Handed in" }
    package func handedIn(_ count: Int) -> String {
        count == 1 ? "1 picture handed in" : "\(count) pictures handed in"
    }

    package var shiftReport: String { "Shift report" }
    package var from: String { "From" }
    package var until: String { "Until" }
    package var show: String { "Show" }
    package var print: String { "Print" }
    package var readRate: String { "Read" }
    package var typed: String { "Typed" }
    package var notRead: String { "Not read" }
    package var reasons: String { "Why not" }
    /// What a stable error code means; nil for one that is not known here.
    package func meaning(of code: String) -> String? {
        switch code {
        case "no-code": "No code was found"
        case "partial-code": "A code is one part of several"
        case "damaged": "The picture is damaged"
        case "incomplete": "The picture never came whole"
        case "not-an-image": "The file is no picture"
        case "too-many-pixels", "too-many-bytes", "too-many-symbols": "The picture is too large"
        case "out-of-memory", "timed-out": "Reading took too much"
        case "reader-crashed", "reader-unavailable", "decoder-failed": "The reader failed"
        case "input-failed": "The file could not be read"
        case "key-missing", "value-missing": "The tag lacks something"
        case "type-mismatch": "The tag has a value of another kind"
        case "not-json", "not-decodable", "not-property-list", "not-messagepack", "not-netstring",
            "not-boarding-pass", "not-gs1", "character-set", "ambiguous":
            "The tag cannot be understood"
        case "cut-off", "payload-too-long": "The tag's content is cut off, or too long"
        case "plate-not-read": "The licence plate was not read"
        case "no-bag": "The boarding pass names no bag"
        case "out-of-range", "too-heavy", "too-early": "The tag says what no bag has"
        case "conflict": "The tag contradicts the record"
        default: nil
        }
    }
    package var stillMissing: String { "Still missing" }
    package var total: String { "All" }
    package var isCounted: String { "Counting the scans …" }
    package var noScansThen: String { "Nothing was scanned then." }
    package var wrongTime: String {
        "Write times as 2026-11-23T06:00, the end after the beginning."
    }
    package func madeAt(_ time: String) -> String {
        "Made \(time). Times are those of the station."
    }

    package var enter: String { "Come in" }
    package var enterHint: String {
        "This board is for those who have a link to it. Ask whoever runs the station for one: "
            + "“luggage board token add” makes it."
    }
    package var tokenIsOld: String { "That link does not count, or not any more." }
    package var mayNot: String { "Your link does not allow this" }
    package var mayNotHint: String { "Ask whoever runs the station for one that does." }
    package var noPage: String { "There is no such page" }
    package var noPageHint: String { "The address may be mistyped, or what it showed was purged." }
    package var wrongRequest: String { "That could not be understood" }
    package var wrongRequestHint: String { "Go back, and try again." }
    package var nothingChanged: String { "Nothing was changed." }
    package var tooLarge: String { "That is too large" }
    package var tooLargeHint: String {
        "A picture may have 64 MB, and all of one form 512 MB. Send smaller ones, or fewer at once."
    }
    package var notKept: String { "A picture could not be kept" }
    package var notKeptHint: String {
        "The disk may be full, or the watched folder not writable. The board's log says more."
    }
    /// Which pictures of a refused form were taken before; nil for none.
    package func wereTaken(_ names: [String]) -> String? {
        names.isEmpty ? nil : "Taken before that: " + names.joined(separator: ", ") + "."
    }
    package var notFromHere: String {
        "This did not come from a page of this board. Open the page again."
    }
    package var trouble: String { "The record cannot be asked at the moment" }
    package var troubleHint: String {
        "Try again; if this stays, see the board's log."
    }
    /// What whoever comes is told when there are too many already.
    package static func tooMany(_ connections: Int) -> String {
        "The board has \(connections) connections already. Come back soon"
    }
    package var backToNow: String { "To the first page" }
}
