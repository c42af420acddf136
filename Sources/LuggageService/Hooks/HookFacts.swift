internal import Foundation
public import LuggageTags
internal import System

/// What a hook is told about a picture.
public struct HookFacts: Hashable, Sendable {
    /// What became of the picture.
    public enum Event: String, CaseIterable, Sendable {
        /// Its tags are on record.
        case processed
        /// The same content was filed before.
        case duplicate
        /// Some tag in it could not be filed.
        case failed
    }

    /// What became of the picture.
    public var event: Event
    /// Where the picture is now, as the system knows it.
    public var picture: [UInt8]
    /// The name that it was dropped under.
    public var name: [UInt8]
    /// Where the bags are.
    public var point: Point
    /// What that point is.
    public var role: Point.Role
    /// The station.
    public var station: String
    /// The SHA-256 of the file, in hexadecimal.
    public var digest: String?
    /// What came of each tag.
    public var outcomes: [Outcome] = []
    /// The identifiers of the bags that are on record now.
    public var bags: [String] = []
    /// The owners of these bags, each once.
    public var owners: [String] = []
    /// The stable code of the first thing that was wrong.
    public var reason: String?
    /// The first thing that was wrong, for a person.
    public var message: String?

    /// Describes a picture of which nothing more is known.
    ///
    /// - Parameters:
    ///   - event: What became of the picture.
    ///   - picture: Where the picture is now.
    ///   - name: The name that it was dropped under.
    ///   - point: Where the bags are.
    ///   - role: What that point is, where it is not built in.
    ///   - station: The station.
    ///   - digest: The SHA-256 of the file, in hexadecimal.
    public init(
        _ event: Event,
        picture: [UInt8],
        name: [UInt8],
        point: Point,
        role: Point.Role? = nil,
        station: String,
        digest: String? = nil
    ) {
        self.event = event
        self.picture = picture
        self.name = name
        self.point = point
        self.role = point.role(told: role)
        self.station = station
        self.digest = digest
    }

    /// Describes a picture that the service has moved to where it belongs.
    public init(_ picture: FiledPicture) {
        let event: Event =
            switch picture.destination {
            case .processed: .processed
            case .duplicates: .duplicate
            case .failed: .failed
            }
        self.init(
            event,
            picture: picture.path ?? [],
            name: picture.name,
            point: picture.point,
            role: picture.role,
            station: picture.station,
            digest: picture.digest
        )
        add(picture.reports)
    }

    /// Takes over what came of the tags in the picture.
    public mutating func add(_ reports: [ScanReport]) {
        for report in reports {
            outcomes.append(report.outcome)
            if let problem = report.error, reason == nil {
                reason = problem.reason
                message = problem.message
            }
            guard let bag = report.luggage else { continue }
            bags.append(bag.id.uuidString)
            let owner = bag.owner?.name.description
            if let owner, !owners.contains(owner) { owners.append(owner) }
        }
    }

    /// The name as a person sees it.
    var displayName: String { name.displayText }
}

extension HookFacts {
    /// The variables that a hook is told the facts in.
    static let variables: Set<String> = [
        "LUGGAGE_EVENT", "LUGGAGE_PICTURE", "LUGGAGE_NAME", "LUGGAGE_POINT", "LUGGAGE_ROLE",
        "LUGGAGE_STATION", "LUGGAGE_DIGEST", "LUGGAGE_OUTCOMES", "LUGGAGE_BAGS", "LUGGAGE_OWNERS",
        "LUGGAGE_REASON", "LUGGAGE_MESSAGE",
    ]

    /// The facts as variables; every one of ``variables`` is there, be it empty.
    ///
    /// Names are the bytes that they are in the file system. Outcomes and bags are separated by
    /// spaces, owners by line breaks.
    var environment: [String: [UInt8]] {
        let texts = [
            "LUGGAGE_EVENT": event.rawValue,
            "LUGGAGE_POINT": point.rawValue,
            "LUGGAGE_ROLE": role.rawValue,
            "LUGGAGE_STATION": station,
            "LUGGAGE_DIGEST": digest ?? "",
            "LUGGAGE_OUTCOMES": outcomes.map(\.rawValue).joined(separator: " "),
            "LUGGAGE_BAGS": bags.joined(separator: " "),
            "LUGGAGE_OWNERS": owners.joined(separator: "\n"),
            "LUGGAGE_REASON": reason ?? "",
            "LUGGAGE_MESSAGE": message ?? "",
        ]
        var environment = texts.mapValues { Array($0.utf8) }
        environment["LUGGAGE_PICTURE"] = picture
        environment["LUGGAGE_NAME"] = name
        // The system starts no program with a longer variable, nor one with a zero in it.
        return environment.mapValues { Array($0.prefix(32768).prefix { $0 != 0 }) }
    }

    /// The facts as a JSON object.
    ///
    /// It has the keys of the variables in small letters, and lists as lists; what is not known is
    /// left out. Bytes of names that are not UTF-8 read `\xHH`, as in the log.
    var json: [UInt8] {
        get throws {
            let form = JSONForm(
                event: event.rawValue,
                picture: picture.displayText,
                name: displayName,
                point: point.rawValue,
                role: role.rawValue,
                station: station,
                digest: digest,
                outcomes: outcomes.map(\.rawValue),
                bags: bags,
                owners: owners,
                reason: reason,
                message: message
            )
            return Array(try JSONEncoder.forReports().encode(form))
        }
    }

    private struct JSONForm: Encodable {
        var event: String
        var picture: String
        var name: String
        var point: String
        var role: String
        var station: String
        var digest: String?
        var outcomes: [String]
        var bags: [String]
        var owners: [String]
        var reason: String?
        var message: String?
    }
}
