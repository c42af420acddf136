internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import System

// How bags, owners and weights are named on the command line.

/// The first or the last digits of an identifier, brought into the form in which identifiers are kept.
struct IdentifierDigits {
    /// In upper case, with hyphens where a UUID that begins so has them.
    let beginning: String
    /// The same where a UUID ends so.
    let end: String

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

    /// The identifier, where it is given as a whole.
    var identifier: UUID? { UUID(uuidString: beginning) }
}

extension PassengerName {
    /// Takes the name that an owner is given, as `luggage passengers` prints it.
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
    /// Takes the name of an owner who is asked for.
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
    /// Takes a weight with its unit, in pounds.
    ///
    /// - Throws: `ValidationError`.
    static func pounds(argument: String) throws -> Float {
        Float(try exactPounds(argument: argument)) + 0
    }

    /// The same, before it is rounded to what is kept.
    ///
    /// - Throws: `ValidationError`.
    static func exactPounds(argument: String) throws -> Double {
        // What is printed on a tag may be in the other unit than what a scale here shows.
        if Double(argument) != nil {
            throw ValidationError(
                "'\(argument)' has no unit; write \(argument)lb or \(argument)kg, whichever it is"
            )
        }
        // What the sentence about a tag's text says besides is of no use here.
        guard let pounds = try? exactPounds(in: argument), pounds >= 0 else {
            throw ValidationError(
                "'\(argument.onOneLine)' is no weight; write a number with its unit, as 50lb or 23kg"
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
