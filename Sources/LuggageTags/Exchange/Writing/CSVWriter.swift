internal import FoundationEssentials

/// Writes comma-separated values as in RFC 4180: a header, and CRLF at the end of each line.
struct CSVWriter: ExchangeWriter {
    private var columns: [String] = []
    private var version = ExchangeHeader.version

    mutating func begin(_ selection: ExportSelection) throws -> [UInt8] {
        // Every version of the program reads the same columns of bags.
        version = selection.records == .bags ? 1 : selection.version.rawValue
        columns =
            switch selection.records {
            case .scans where selection.version == .states: CSVColumns.scansOfStates
            case .scans: CSVColumns.scans
            case .facts: CSVColumns.facts
            case .bags, .all: CSVColumns.bags
            }
        return CSVLine.bytes(of: columns)
    }

    mutating func write(_ record: ExchangeRecord) throws -> [UInt8] {
        var fields: [String: String?] =
            switch record {
            case .bag(let bag): fields(of: bag)
            case .scan(let scan): try fields(of: scan)
            case .fact(let fact): try fields(of: fact)
            // A file has one kind of records and nothing else.
            case .about, .passenger, .end: [:]
            }
        if fields.isEmpty { return [] }
        fields["version"] = "\(version)"
        return CSVLine.bytes(of: columns.map { fields[$0].flatMap(\.self) ?? "" })
    }

    func end(_ counts: RecordCounts) -> [UInt8] { [] }

    private func fields(of bag: TagContents) -> [String: String?] {
        [
            "id": bag.identifier.uuidString, "givenName": bag.owner?.givenName,
            "familyName": bag.owner?.familyName, "weight": bag.weight.map { "\($0)" },
            "departedAt": time(bag.departedAt), "arrivedAt": time(bag.arrivedAt),
        ]
    }

    private func fields(of scan: ScanRecord) throws -> [String: String?] {
        [
            "bag": scan.bag?.uuidString, "point": scan.point.rawValue, "station": scan.station,
            "scannedAt": time(scan.scannedAt), "imageName": scan.imageName,
            "imageDigest": scan.imageDigest, "base64": scan.payload.base64EncodedString(),
            "outcome": scan.outcome.rawValue, "reason": scan.reason,
            "copy": scan.copy == 1 ? nil : "\(scan.copy)", "id": scan.identifier?.uuidString,
            "filedAt": time(scan.filedAt), "author": scan.author, "role": scan.role?.rawValue,
            // Older versions of the program keep and pass on what is here; they refuse other columns.
            "others": try UnknownMembers(scan.others, and: ["place": scan.place])?.json,
        ]
    }

    private func fields(of fact: FactRecord) throws -> [String: String?] {
        [
            "id": fact.identifier.uuidString, "kind": fact.kind.rawValue,
            "subject": fact.subject.uuidString, "author": fact.author, "reason": fact.reason,
            "madeAt": time(fact.madeAt), "knownAt": time(fact.knownAt),
            "weight": fact.weight.map { "\($0)" }, "givenName": fact.owner?.givenName,
            "familyName": fact.owner?.familyName, "noOwner": fact.hasNoOwner ? "true" : nil,
            "departedAt": time(fact.departedAt), "arrivedAt": time(fact.arrivedAt),
            "withdraws": fact.withdrawn?.uuidString, "until": time(fact.until),
            "imageDigest": fact.imageDigest,
            "imageName": fact.imageName, "station": fact.station, "point": fact.point?.rawValue,
            "others": try UnknownMembers(
                fact.others,
                and: [
                    "due": time(fact.due), "place": fact.place, "from": fact.route?.from,
                    "to": fact.route?.to, "trip": fact.route?.trip, "date": fact.route?.date,
                    "alarm": fact.alarm?.rawValue,
                ]
            )?.json,
        ]
    }

    private func time(_ date: Date?) -> String? { date.map { Moment($0).text } }
}
