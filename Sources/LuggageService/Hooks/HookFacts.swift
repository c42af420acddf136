package import FoundationEssentials
package import LuggageTags
internal import SystemSupport

/// What a hook is told about a picture, or about an alarm.
package struct HookFacts: Hashable, Sendable {
    /// What happened.
    package enum Event: String, CaseIterable, Sendable {
        /// Its tags are on record.
        case processed
        /// The same content was filed before.
        case duplicate
        /// Some tag in it could not be filed.
        case failed
        /// An alarm has begun, and no picture.
        case alarm
    }

    /// What happened.
    package var event: Event
    /// Where the picture is now, as the system knows it.
    package var picture: [UInt8]
    /// The name with which it was dropped.
    package var name: [UInt8]
    /// Where the bags are, or have not passed; nil if an alarm is about no point.
    package var point: Point?
    /// The role of that point.
    package var role: Point.Role?
    /// The station; nil if an alarm is about none.
    package var station: String?
    /// The place of the station, or of the point; nil if it has none.
    package var place: String?
    /// The SHA-256 of the file, in hexadecimal.
    package var digest: String?
    /// The result of each tag.
    package var outcomes: [Outcome] = []
    /// The identifiers of the bags that are on record now.
    package var bags: [String] = []
    /// The owners of these bags, each once.
    package var owners: [String] = []
    /// The trips of these bags, each once.
    package var trips: [String] = []
    /// The identifier of the alarm.
    package var alarm: UUID?
    /// The stable code of the first problem; what an alarm tells.
    package var reason: String?
    /// The alarm, or the first problem, for a person; without one, where a misrouted bag was to go, or that something looks
    /// like a tag and could not be read.
    package var message: String?

    /// Describes a picture with only these facts.
    ///
    /// - Parameters:
    ///   - event: What happened to the picture.
    ///   - picture: Where the picture is now.
    ///   - name: The name with which it was dropped.
    ///   - point: Where the bags are.
    ///   - role: The role of that point, if it is not built in.
    ///   - station: The station.
    ///   - digest: The SHA-256 of the file, in hexadecimal.
    package init(
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

    /// Describes a picture that the service has moved to its folder.
    package init(_ picture: FiledPicture) {
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

    /// Describes an alarm that has begun.
    package init(_ alarm: Alarm) {
        event = .alarm
        (picture, name) = ([], [])
        point = alarm.key.point
        role = alarm.key.point?.builtInRole
        station = alarm.key.station
        place = alarm.key.place ?? alarm.bag?.misroutedTo
        bags = [alarm.key.bag?.uuidString].compactMap(\.self)
        owners = [alarm.bag?.owner?.name.description].compactMap(\.self)
        trips = [alarm.key.trip ?? alarm.bag?.route?.trip].compactMap(\.self)
        self.alarm = alarm.id
        reason = alarm.kind.rawValue
        message = alarm.words()
    }

    /// Adds the results of the tags in the picture.
    package mutating func add(_ reports: [ScanReport]) {
        place = reports.first?.place
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
            if let trip = bag.route?.trip, !trips.contains(trip) { trips.append(trip) }
        }
        message =
            message ?? reports.compactMap(\.misroutedRemark).first ?? reports.first?.unreadRemark
    }

    /// The name as a person sees it.
    var displayName: String { alarm.map { "the alarm \($0.uuidString)" } ?? name.displayText }
}

extension HookFacts {
    /// The names of the variables in which a hook gets the facts.
    static let variables: Set<String> = [
        "LUGGAGE_EVENT", "LUGGAGE_PICTURE", "LUGGAGE_NAME", "LUGGAGE_POINT", "LUGGAGE_ROLE",
        "LUGGAGE_STATION", "LUGGAGE_PLACE", "LUGGAGE_DIGEST", "LUGGAGE_OUTCOMES", "LUGGAGE_BAGS",
        "LUGGAGE_OWNERS",
        "LUGGAGE_TRIPS", "LUGGAGE_ALARM", "LUGGAGE_REASON", "LUGGAGE_MESSAGE",
    ]

    /// The facts as variables; all of ``variables`` are set, unknown ones to an empty text.
    ///
    /// File names are the bytes from the file system. Spaces separate outcomes and bags, line breaks
    /// separate owners and trips.
    var environment: [String: [UInt8]] {
        let texts = [
            "LUGGAGE_EVENT": event.rawValue,
            "LUGGAGE_POINT": point?.rawValue ?? "",
            "LUGGAGE_ROLE": role?.rawValue ?? "",
            "LUGGAGE_STATION": station ?? "",
            "LUGGAGE_PLACE": place ?? "",
            "LUGGAGE_DIGEST": digest ?? "",
            "LUGGAGE_OUTCOMES": outcomes.map(\.rawValue).joined(separator: " "),
            "LUGGAGE_BAGS": bags.joined(separator: " "),
            "LUGGAGE_OWNERS": owners.joined(separator: "\n"),
            "LUGGAGE_TRIPS": trips.joined(separator: "\n"),
            "LUGGAGE_ALARM": alarm?.uuidString ?? "",
            "LUGGAGE_REASON": reason ?? "",
            "LUGGAGE_MESSAGE": message ?? "",
        ]
        var environment = texts.mapValues { Array($0.utf8) }
        environment["LUGGAGE_PICTURE"] = picture
        environment["LUGGAGE_NAME"] = name
        // The system starts no program with a variable that is too long or contains a zero byte.
        return environment.mapValues { Array($0.prefix(32768).prefix { $0 != 0 }) }
    }

    /// The facts as a JSON object.
    ///
    /// Its keys are those of the variables in lower case; lists are arrays, and unknown facts are left
    /// out. Bytes of names that are not UTF-8 become `\xHH`, as in the log.
    var json: [UInt8] {
        get throws {
            let form = JSONForm(
                event: event.rawValue,
                picture: alarm == nil ? picture.displayText : nil,
                name: alarm == nil ? displayName : nil,
                point: point?.rawValue,
                role: role?.rawValue,
                station: station,
                place: place,
                digest: digest,
                outcomes: outcomes.map(\.rawValue),
                bags: bags,
                owners: owners,
                trips: trips.isEmpty ? nil : trips,
                alarm: alarm?.uuidString,
                reason: reason,
                message: message
            )
            return Array(try JSONEncoder.forReports().encode(form))
        }
    }

    private struct JSONForm: Encodable {
        var event: String
        var picture: String?
        var name: String?
        var point: String?
        var role: String?
        var station: String?
        var place: String?
        var digest: String?
        var outcomes: [String]
        var bags: [String]
        var owners: [String]
        var trips: [String]?
        var alarm: String?
        var reason: String?
        var message: String?
    }
}
