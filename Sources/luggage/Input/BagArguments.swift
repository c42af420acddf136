internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

// How bags, owners and weights are named on the command line.

/// What the user says about a bag.
struct BagOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Initial and family name as on tags.", valueName: "D/ZMU"),
        transform: { try PassengerName(argument: $0) }
    )
    var owner: PassengerName?

    @Option(
        name: .customLong("weight"),
        help: ArgumentHelp("The weight with its unit.", valueName: "50lb|23kg"),
        transform: { try MassUnit.exactPounds(argument: $0) }
    )
    var exactWeight: Double?

    /// The weight in pounds, as the record keeps it.
    var weight: Float? { exactWeight.map { Float($0) + 0 } }

    /// Refuses a weight that no bag has.
    ///
    /// - Throws: `TagError`.
    func check(_ bounds: TagBounds) throws {
        // If the rounded weight is too heavy too, a later check reports it, in fewer digits.
        if let exactWeight, let weight, weight <= bounds.heaviest {
            try bounds.check(exactPounds: exactWeight)
        }
    }
}

/// The first or last digits of an identifier, in the form in which the record keeps identifiers.
struct IdentifierDigits {
    /// The digits as the beginning of a UUID: in upper case, with its hyphens.
    let beginning: String
    /// The digits as the end of a UUID.
    let end: String

    /// Parses an argument, in any case, with or without hyphens.
    ///
    /// - Throws: `ValidationError`.
    init(argument: String) throws {
        // Ten digits of a plate are the first ones of its identifier.
        let label = argument.utf8.count > 10 ? UUID(label: argument)?.uuidString : nil
        let digits = (label ?? argument).uppercased().filter { $0 != "-" }
        guard (1...32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else {
            throw ValidationError(
                "an identifier consists of hexadecimal digits and hyphens, as F432BDB8-D84F-…; a licence "
                    + "plate of ten digits, an SSCC or a link of GS1 will do too"
            )
        }
        func hyphenated(from start: Int) -> String {
            var text = ""
            for (position, digit) in zip(start..., digits) {
                if !text.isEmpty && [8, 12, 16, 20].contains(position) { text.append("-") }
                text.append(digit)
            }
            return text
        }
        beginning = hyphenated(from: 0)
        end = hyphenated(from: 32 - digits.count)
    }

    /// The identifier, if it is complete.
    var identifier: UUID? { UUID(uuidString: beginning) }
}

extension PassengerName {
    /// Parses an owner's name, as `luggage passengers` prints it.
    ///
    /// - Throws: `ValidationError`.
    init(argument: String) throws {
        guard let name = PassengerName(printed: argument) else {
            throw ValidationError(
                "'\(argument.onOneLine)' names no passenger; write the initial, a slash, and the "
                    + "beginning of the family name, as D/ZMU"
            )
        }
        self = name
    }
}

extension OwnerQuestion {
    /// Parses the name of an owner to search for.
    ///
    /// - Throws: `ValidationError`.
    init(argument: String) throws {
        guard let question = OwnerQuestion(argument) else {
            throw ValidationError(
                "'\(argument.onOneLine)' names no passenger; write the initial, a slash, and the "
                    + "beginning of the family name, as D/ZMU, or the family name alone"
            )
        }
        self = question
    }
}

extension MassUnit {
    /// Parses a weight with its unit, and returns it in pounds.
    ///
    /// - Throws: `ValidationError`.
    static func pounds(argument: String) throws -> Float {
        Float(try exactPounds(argument: argument)) + 0
    }

    /// The same, before it is rounded to the precision of the record.
    ///
    /// - Throws: `ValidationError`.
    static func exactPounds(argument: String) throws -> Double {
        // A tag may use another unit than a scale here.
        if Double(argument) != nil {
            throw ValidationError(
                "'\(argument)' has no unit; write \(argument)lb or \(argument)kg, whichever it is"
            )
        }
        // Its own error speaks of a tag's text, which is of no use here.
        guard let pounds = try? exactPounds(in: argument), pounds >= 0 else {
            throw ValidationError(
                "'\(argument.onOneLine)' is not a weight; write a number with its unit, as 50lb or 23kg"
            )
        }
        guard pounds <= Double(mostPounds) else {
            throw ValidationError(
                "'\(argument.onOneLine)' is more than any bag weighs; 99,999 lb is the most"
            )
        }
        return pounds
    }
}
