internal import Foundation
public import ObjectStore

/// Makes a bag of a payload.
public struct TagDecoder: Sendable {
    /// Makes a decoder.
    public init() {}

    /// Inserts the bag that a payload describes into a context.
    ///
    /// - Parameters:
    ///   - payload: The payload of a symbol, byte for byte.
    ///   - context: The context into which the bag and its owner are inserted; its next save merges
    ///     them with what is on record.
    /// - Returns: The bag, valid and not saved.
    /// - Throws: ``TagError``; the context is then as it was.
    public func decode(
        _ payload: [UInt8],
        in context: ManagedObjectContext
    ) throws(TagError) -> Luggage {
        do {
            return try context.transaction {
                let decoder = JSONDecoder()
                decoder.userInfo[.context] = context
                let luggage = try decoder.decode(Luggage.self, from: Data(payload))
                try context.validate()
                return luggage
            }
        } catch let error as DecodingError {
            throw Self.isWellFormed(payload) ? TagError(error) : .notJSON
        } catch let error as ValidationError {
            throw TagError(error)
        } catch {
            throw TagError(.structured, "not-decodable", "\(error)")
        }
    }

    /// Whether the payload is JSON at all, whatever it says.
    private static func isWellFormed(_ payload: [UInt8]) -> Bool {
        struct Anything: Decodable {
            init(from decoder: any Decoder) {}
        }
        return (try? JSONDecoder().decode(Anything.self, from: Data(payload))) != nil
    }
}
