internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// Checks names against the record, to tell a typing error from a search without results.
enum RecordNames {
    /// Refuses a station at which nothing was ever scanned.
    static func check(station: String, in context: ManagedObjectContext) throws {
        if try context.exists(FetchRequest(Scan.self).at(station)) { return }
        let stations = try context.distinctValues(of: \Scan.station)
        let alike = stations.filter { $0.lowercased() == station.lowercased() }
        let remedy =
            if let name = alike.first {
                "did you mean \(name.onOneLine)?"
            } else if stations.isEmpty {
                "nothing was scanned anywhere yet"
            } else {
                "there are scans of " + stations.prefix(10).map(\.onOneLine).joined(separator: ", ")
                    + (stations.count > 10 ? ", …" : "")
            }
        throw Failure(.incomplete, "nothing was scanned at \(station.onOneLine); \(remedy)")
    }

    /// Refuses a reason for which no scan ever failed.
    static func check(reason: String, in context: ManagedObjectContext) throws {
        let reasons = try context.distinctValues(of: \Scan.reason).filter { !$0.isEmpty }
        if reasons.contains(reason) { return }
        let remedy =
            reasons.isEmpty
            ? "none has failed yet"
            : "scans failed for " + reasons.map(\.onOneLine).joined(separator: ", ")
        throw Failure(.incomplete, "no scan failed for \(reason.onOneLine); \(remedy)")
    }
}

extension OwnerQuestion {
    /// Refuses a name that is not on record.
    func check(in context: ManagedObjectContext) throws {
        if try !passengers(in: context).isEmpty { return }
        var remedy = "`luggage passengers` lists those who are"
        // They may be on record with another initial.
        let parts = description.split(separator: "/").map(String.init)
        if let family = parts.max(by: { $0.count < $1.count }).flatMap(OwnerQuestion.init),
            case let ids = try family.passengers(in: context), !ids.isEmpty
        {
            let found = FetchRequest(Passenger.self).whereObject(isOneOf: ids)
                .sorted(by: \.familyName).sorted(by: \.givenName).limited(to: 6)
            let names = try context.fetch(found).map(\.name.description.onOneLine)
            remedy =
                "there are \(names.prefix(5).joined(separator: ", "))\(names.count > 5 ? ", …" : "")"
        }
        throw Failure(
            .incomplete,
            "no passenger \(description.onOneLine) is on record; \(remedy)"
        )
    }
}
