internal import LuggageTags
internal import SystemSupport

/// An airport by its three-letter IATA code: `ZRH`.
public struct Airport: Hashable, Sendable, CustomStringConvertible {
    /// Three capital letters.
    public let description: String

    /// Parses a code; lower case becomes upper case.
    ///
    /// - Parameter code: The letters.
    /// - Throws: ``TagPrintingError`` if it is anything else.
    public init(_ code: String) throws {
        let letters = code.utf8.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 }
        guard letters.count == 3, letters.allSatisfy({ 0x41...0x5A ~= $0 }) else {
            throw TagPrintingError(
                .tag,
                "\(code.quoted) is not an airport; write its three letters, like ZRH"
            )
        }
        description = String(decoding: letters, as: UTF8.self)
    }
}
