internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// Names on record, to tell a slip of the hand from a question without an answer.
enum RecordNames {
    /// Refuses a station at which nothing was ever scanned.
    static func check(station: String, in context: ManagedObjectContext) throws {
        if try context.exists(FetchRequest(Scan.self).where(\.station, is: station)) { return }
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

extension PassengerName {
    /// Refuses a name that is not on record.
    func check(in context: ManagedObjectContext) throws {
        let passengers = FetchRequest(Passenger.self)
        let named = passengers.where(\.familyName, is: familyName)
        if try context.exists(named.where(\.givenName, is: givenName)) { return }
        let spellings = [
            (givenName.uppercased(), familyName.uppercased()),
            (String(familyName.uppercased().prefix(1)), givenName.uppercased()),
        ]
        for (given, family) in spellings {
            let other = passengers.where(\.givenName, is: given)
                .where(\.familyName, hasPrefix: String(family.prefix(3)))
            guard let found = try context.fetch(other.limited(to: 1)).first else { continue }
            throw failure("did you mean \(found.name.description.onOneLine)?")
        }
        let family = try context.fetch(named.sorted(by: \.givenName).limited(to: 6)).map(\.name)
        if family.isEmpty { throw failure("`luggage passengers` lists those who are") }
        let names = family.prefix(5).map(\.description.onOneLine).joined(separator: ", ")
        throw failure("there are \(names)\(family.count > 5 ? ", …" : "")")
    }

    private func failure(_ remedy: String) -> Failure {
        Failure(.incomplete, "no passenger \(description.onOneLine) is on record; \(remedy)")
    }
}
