internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport

/// Parses what people write for the fields of a tag.
enum TagText {
    /// Parses the value of an option; a wrong value is a usage error.
    static func option<Value>(
        _ read: @escaping @Sendable (String) throws -> Value
    ) -> @Sendable (String) throws -> Value {
        { text in try usage { try read(text) } }
    }

    /// Runs code that uses option values; a wrong value is a usage error.
    static func usage<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw ValidationError(words(error))
        }
    }

    /// The error as a sentence.
    static func words(_ error: any Error) -> String {
        (error as? Failure)?.message ?? "\(error)"
    }

    /// Parses a name as tags show it: `D/ZMU`.
    static func owner(_ text: String) throws -> PassengerName {
        let names = text.split(separator: "/", omittingEmptySubsequences: false)
        guard names.count == 2 else {
            throw Failure(
                .incomplete,
                "the owner \(text.quoted) needs one slash between initial and family name; write "
                    + "it like D/ZMU"
            )
        }
        return PassengerName(givenName: String(names[0]), familyName: String(names[1]))
    }

    /// Parses a weight with its unit, and returns it in pounds.
    static func pounds(_ text: String) throws -> Float {
        let number = text.trimmed
        if DecimalNumber.isNumber(number.utf8, isPadded: true) {
            throw Failure(
                .incomplete,
                "the weight \(text.quoted) has no unit; write \(number)lb or \(number)kg"
            )
        }
        do throws(TagError) {
            return try MassUnit.pounds(in: text)
        } catch {
            throw Failure(.incomplete, "the weight is wrong: \(error.message)")
        }
    }

    /// Parses an identifier as tags show it.
    static func identifier(_ text: String) throws -> UUID {
        guard let identifier = UUID(strictly: text) else {
            throw Failure(
                .incomplete,
                "\(text.quoted) is not an identifier; `luggage-tag new` makes one"
            )
        }
        return identifier
    }
}
