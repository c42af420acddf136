internal import ArgumentParser
internal import Foundation
internal import LuggageTags

// How bags, owners and weights are named on the command line.

/// The beginning of an identifier, brought into the form in which identifiers are kept.
struct IdentifierPrefix {
    /// In upper case, with hyphens where a UUID has them.
    let text: String

    /// Takes an argument, in any case, with hyphens or without.
    ///
    /// - Throws: `ValidationError`.
    init(argument: String) throws {
        let digits = argument.uppercased().filter { $0 != "-" }
        guard (1...32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit })
        else {
            throw ValidationError(
                "an identifier consists of hexadecimal digits and hyphens, as F432BDB8-D84F-…"
            )
        }
        var text = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { text.append("-") }
            text.append(digit)
        }
        self.text = text
    }

    /// The identifier, where it is given as a whole.
    var identifier: UUID? { UUID(uuidString: text) }
}

extension PassengerName {
    /// Takes the name of an owner, as `luggage passengers` prints it.
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

extension MassUnit {
    /// Takes a weight with its unit, in pounds.
    ///
    /// - Throws: `ValidationError`.
    static func pounds(argument: String) throws -> Float {
        // What the sentence about a tag's text says besides is of no use here.
        guard let pounds = try? pounds(in: argument), pounds >= 0 else {
            throw ValidationError(
                "'\(argument.onOneLine)' is no weight; write a number with its unit, as 50lb or 23kg"
            )
        }
        guard pounds <= mostPounds else {
            throw ValidationError(
                "'\(argument.onOneLine)' is more than any bag weighs; 99,999 lb is the most"
            )
        }
        return pounds
    }
}
