package import Foundation
package import LuggageTags

/// Every text that the board shows by itself, in one language.
///
/// A language is one type: the compiler names what a new one still lacks. What people and tags say is shown
/// as it is on record, and so are the reasons of failures, which are the program's words.
package protocol Words: Sendable {
    /// The language, as HTML names it.
    var language: String { get }

    // The frame of every page.
    var board: String { get }
    var now: String { get }
    var search: String { get }
    var failed: String { get }
    var handIn: String { get }
    var report: String { get }
    var skipToContent: String { get }
    var leave: String { get }
    var live: String { get }
    var lineIsCut: String { get }
    var timesAreOfStation: String { get }
    func signedIn(_ name: String, _ role: Role) -> String

    // Bags.
    var bag: String { get }
    var owner: String { get }
    var weight: String { get }
    var departed: String { get }
    var arrived: String { get }
    var missingFor: String { get }
    var overdue: String { get }
    var notYet: String { get }
    var unknown: String { get }
    func bags(_ count: Int) -> String
    func point(_ point: Point) -> String
    func outcome(_ outcome: Outcome) -> String

    // Now.
    var missing: String { get }
    var nothingMissing: String { get }
    var lastScans: String { get }
    var noScans: String { get }
    var readToday: String { get }
    var scansToday: String { get }
    var stations: String { get }
    var alarms: String { get }
    func alarm(_ alarm: Alarm) -> String
    func moreAlarms(_ count: Int) -> String
    var allMissing: String { get }
    func overdueAfter(_ patience: TimeInterval) -> String
    func lastHours(_ hours: Int) -> String
    func quarter(_ quarter: StationRate.Quarter) -> String
    func rate(_ rate: StationRate) -> String
    func ofThem(_ count: Int, _ whole: Int) -> String

    // A bag.
    var journeys: String { get }
    var scans: String { get }
    var corrections: String { get }
    var when: String { get }
    var place: String { get }
    var station: String { get }
    var result: String { get }
    var picture: String { get }
    var typedByHand: String { get }
    var takenBack: String { get }
    var tagSays: String { get }
    var underWay: String { get }
    var isMissing: String { get }
    var hasArrived: String { get }
    var noSuchBag: String { get }
    var who: String { get }
    var what: String { get }
    var why: String { get }
    func correction(_ kind: Correction.Kind) -> String
    func correctedNow(_ author: String) -> String

    // Correcting.
    var correct: String { get }
    var newOwner: String { get }
    var newWeight: String { get }
    var nobodyOwnsIt: String { get }
    var reason: String { get }
    var keepIfEmpty: String { get }
    var save: String { get }
    var takeBack: String { get }
    var changedMeanwhile: String { get }
    var isSaved: String { get }
    var nothingChanged: String { get }
    var sayWhat: String { get }
    var sayWhy: String { get }
    var wrongOwner: String { get }
    var wrongWeight: String { get }

    // Searching.
    var searchHint: String { get }
    var onlyMissing: String { get }
    var noMatch: String { get }
    var thereAreMore: String { get }

    // Failed pictures.
    var noFailed: String { get }
    var failedHint: String { get }
    var typeIn: String { get }
    var identifier: String { get }
    var wholeIdentifier: String { get }
    var nothingToFile: String { get }
    var isGone: String { get }
    var noteSays: String { get }
    var noFolder: String { get }
    var wrongIdentifier: String { get }
    func tries(_ count: Int) -> String
    func stillToType(_ typed: Int, _ failed: Int) -> String

    // Handing in.
    var choosePictures: String { get }
    var handInHint: String { get }
    var whereAreBags: String { get }
    var sendPictures: String { get }
    var waiting: String { get }
    var nobodyFiles: String { get }
    var handMore: String { get }
    var nothingHandedIn: String { get }
    var wasHandedIn: String { get }
    func handedIn(_ count: Int) -> String

    // The report.
    var shiftReport: String { get }
    var from: String { get }
    var until: String { get }
    var show: String { get }
    var print: String { get }
    var readRate: String { get }
    var typed: String { get }
    var notRead: String { get }
    var reasons: String { get }
    var stillMissing: String { get }
    var total: String { get }
    var noScansThen: String { get }
    var wrongTime: String { get }
    func madeAt(_ time: String) -> String

    // Coming in, and refusals.
    var enter: String { get }
    var enterHint: String { get }
    var tokenIsOld: String { get }
    var mayNot: String { get }
    var mayNotHint: String { get }
    var noPage: String { get }
    var noPageHint: String { get }
    var wrongRequest: String { get }
    var wrongRequestHint: String { get }
    var notFromHere: String { get }
    var trouble: String { get }
    var troubleHint: String { get }
    var backToNow: String { get }
}
