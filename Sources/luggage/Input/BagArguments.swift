internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

// How bags, owners and weights are named on the command line.

/// An owner, with both names as they are printed on tags: `D/ZMU`.
struct OwnerArgument: ExpressibleByArgument {
    let name: PassengerName

    init?(argument: String) {
        let names = argument.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
        name = PassengerName(
            givenName: String(names[0]).precomposedStringWithCanonicalMapping,
            familyName: String(names[1]).precomposedStringWithCanonicalMapping
        )
    }
}

/// A weight with its unit: `42lb`, `19.05 kg`.
struct WeightArgument: ExpressibleByArgument {
    let pounds: Float

    init?(argument: String) {
        let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = argument.dropFirst(number.count).drop { $0 == " " }.lowercased()
        guard let amount = Double(number), number.first != ".", number.last != "." else {
            return nil
        }
        switch unit {
        case "lb", "lbs": pounds = Float(amount)
        case "kg": pounds = Float(amount / MassUnit.kilogramsPerPound)
        default: return nil
        }
        if !pounds.isFinite { return nil }
    }
}

/// Finds the bag that the beginning of an identifier is of.
struct BagFinder {
    let context: ManagedObjectContext

    /// The identifier of the one bag on record that begins so.
    ///
    /// - Throws: ``Failure`` where there is none, or more than one.
    func identifier(beginning argument: String) throws -> UUID {
        let prefix = IdentifierPrefix(argument)?.text ?? argument
        let found = try context.fetch(
            FetchRequest(Luggage.self)
                .where(\.identifier, hasPrefix: prefix)
                .sorted(by: \.identifier)
                .limited(to: 6)
        )
        if let bag = found.first, found.count == 1 { return bag.identifier }
        if found.isEmpty {
            throw Failure(
                .incomplete,
                "no bag begins with \(prefix); `luggage list` shows those on record"
            )
        }
        let names = found.prefix(5).map(\.identifier.uuidString).joined(separator: ", ")
        let more = found.count > 5 ? ", …" : ""
        throw Failure(.incomplete, "several bags begin with \(prefix): \(names)\(more)")
    }
}
