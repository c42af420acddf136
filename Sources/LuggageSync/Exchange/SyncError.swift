package import FoundationEssentials
internal import HubConnection
internal import SystemSupport

/// Why a record cannot exchange facts with its hub.
package enum SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The record has not joined a hub.
    case notJoined
    /// The record has joined already.
    case joined(UUID)
    /// It is another hub than the one that the record has joined.
    case otherHub
    /// The hub's schema is of a newer version of the program, or of an older one.
    case version(hub: Int, known: Int)
    /// Another record speaks for the same station: this one is a copy of it, or was restored elsewhere.
    case cloned
    /// Another record has taken the place of this one.
    case replaced
    /// The record is of an older version of the program, and has no facts yet.
    case notSettled
    /// A role cannot be the login of a station, because it may do more.
    case powerful(login: String, because: String)
    /// A login is not that of a station.
    case noStation(login: String)
    /// The hub does not follow such a statement of a purge.
    case noPurge(UUID)
    /// Another program exchanges facts of this record.
    case busy(String)
    /// The hub does not give what it has.
    case held
    /// The hub's answer makes no sense.
    case unintelligible(String)

    /// The stable reason code, for programs.
    package var code: String {
        switch self {
        case .notJoined: "not-joined"
        case .joined: "joined"
        case .otherHub: "other-hub"
        case .version: "version"
        case .cloned: "cloned"
        case .replaced: "replaced"
        case .notSettled: "not-settled"
        case .powerful: "powerful-login"
        case .noStation: "no-station"
        case .noPurge: "no-purge"
        case .busy: "busy"
        case .held: "held"
        case .unintelligible: "unintelligible"
        }
    }

    /// What is wrong.
    package var message: String {
        switch self {
        case .notJoined: "this record has not joined a hub"
        case .joined(let hub): "this record has already joined the hub \(hub)"
        case .otherHub: "this is another hub than the one that the record has joined"
        case .version(let hub, let known) where hub > known:
            "the hub is of version \(hub), and this program knows versions up to \(known)"
        case .version(let hub, let known):
            "the hub is of version \(hub), and this program needs version \(known)"
        case .cloned:
            "another record has exchanged facts as this station: one of the two is a copy, or was "
                + "restored from a backup on another machine"
        case .replaced: "another record has taken the place of this one at the hub"
        case .notSettled:
            "the record is of an older version of the program and has no facts to exchange yet"
        case .powerful(let login, let reason):
            "the role \(login.onOneLine) \(reason), so it cannot be the login of a station"
        case .noStation(let login): "\(login.onOneLine) is the login of no station of this hub"
        case .noPurge(let purge): "the hub follows no purge with the identifier \(purge.uuidString)"
        case .busy(let holder): "\(holder) exchanges facts of this record already"
        case .held:
            "the hub has facts of other stations that it does not give before a transaction has ended that runs at "
                + "its server; what was filed here is sent"
        case .unintelligible(let words): "the hub's answer makes no sense: \(words.onOneLine)"
        }
    }

    /// What to do about it; nil if nobody knows.
    package var remedy: String? {
        switch self {
        case .notJoined: "join one with `luggage sync join`"
        case .joined: "leave it first with `luggage sync leave`"
        case .otherHub:
            "correct the setting `hub`, or leave the old hub with `luggage sync leave` and join this one"
        case .version(let hub, let known) where hub > known: "update this program"
        case .version: "run `luggage sync set-up` with the hub's owner"
        case .cloned, .replaced:
            "if this record is to go on as a station of its own, or in place of the other, run `luggage "
                + "sync join --as-new`; nothing that it has filed is lost"
        case .notSettled:
            "`luggage check` tells what will change, and `luggage check --settle` makes the facts"
        case .powerful: "give the station a login of its own: admit a name that no other role has"
        case .noStation: "`select station, login from luggage.stations` tells which there are"
        case .noPurge: "`select * from luggage.purges` tells which there are"
        case .busy: "end it first, as with `systemctl stop luggage-sync`"
        case .held:
            "try again later; if it lasts, `select pid, datname, usename, xact_start, query from pg_stat_activity "
                + "where backend_xid is not null order by xact_start` there tells whose it is"
        case .unintelligible: "see that the hub and this program are of one version"
        }
    }

    package var description: String { remedy.map { "\(message); \($0)" } ?? message }
}

extension HubError {
    /// The code of the class `LG` with which a function of the hub has refused, if one has.
    var refusal: Refusal? { sqlState.flatMap(Refusal.init) }

    /// The refusals of the hub's functions.
    enum Refusal: String {
        case unknownMember = "LG001"
        case otherLogin = "LG002"
        case hasLeft = "LG003"
        case replaced = "LG004"
        case loginTaken = "LG005"
        case otherRecord = "LG006"
        case notEverything = "LG007"
        case otherPublisher = "LG008"
        case isolation = "LG009"
        case otherPurge = "LG010"
        case powerful = "LG011"
    }
}
