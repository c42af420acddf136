internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// Which bags, for commands that ask for some of them.
struct LuggageFilters: ParsableArguments {
    @Flag(help: "Only bags that have departed, whether or not they have arrived.")
    var departed = false

    @Flag(help: "Only bags that have arrived.")
    var arrived = false

    @Flag(help: "Only bags that have departed and not arrived.")
    var missing = false

    @Option(
        help: ArgumentHelp(
            "Only bags that departed longer ago than this, and have not arrived.",
            valueName: "90m|6h|2d"
        ),
        transform: { try Duration(argument: $0) }
    )
    var overdue: Duration?

    @Option(
        help: ArgumentHelp(
            "Only bags of a passenger, as `luggage passengers` prints the name.",
            valueName: "D/ZMU"
        ),
        transform: { try PassengerName(argument: $0) }
    )
    var owner: PassengerName?

    @Option(help: ArgumentHelp("Only bags that were scanned at this station.", valueName: "name"))
    var station: String?

    @Option(
        help: ArgumentHelp("Only bags that weigh more than this.", valueName: "50lb|23kg"),
        transform: { try MassUnit.pounds(argument: $0) }
    )
    var heavierThan: Float?

    @OptionGroup var times: PeriodOptions

    func validate() throws {
        if arrived && (missing || overdue != nil) {
            throw ValidationError("a bag that has arrived is not missing: leave out --arrived")
        }
    }

    /// The question, as it stands now.
    func question() -> LuggageQuestion {
        var question = LuggageQuestion()
        question.hasDeparted = departed
        question.hasArrived = arrived
        question.isMissing = missing || overdue != nil
        question.departedBefore = overdue.map { Date() - $0.seconds }
        question.owner = owner
        question.station = station
        question.heavierThan = heavierThan
        question.period = times.period
        return question
    }

    /// Refuses to look for what cannot be there, so that a slip of the hand does not read as an answer.
    ///
    /// - Throws: ``Failure``, which proposes what was meant.
    func check(in context: ManagedObjectContext) throws {
        if let owner { try owner.check(in: context) }
        if let station { try RecordNames.check(station: station, in: context) }
    }
}

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
}

extension PassengerName {
    /// Refuses a name that is not on record.
    fileprivate func check(in context: ManagedObjectContext) throws {
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
