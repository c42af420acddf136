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
        try context.transaction { () throws(TagError) in
            let luggage = try decode(Luggage.self, from: payload) { decoder in
                decoder.userInfo[.context] = context
            }
            let failures = luggage.validationFailures + (luggage.owner?.validationFailures ?? [])
            if !failures.isEmpty { throw TagError(failures) }
            return luggage
        }
    }

    /// What a payload says, without making a record of it.
    ///
    /// - Parameter payload: The payload of a symbol, byte for byte.
    /// - Returns: The values, which may break rules of the model.
    /// - Throws: ``TagError``.
    public func contents(of payload: [UInt8]) throws(TagError) -> TagContents {
        try decode(TagContents.self, from: payload) { _ in }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        from payload: [UInt8],
        _ configure: (JSONDecoder) -> Void
    ) throws(TagError) -> Value {
        do throws(StrictJSON.Flaw) {
            try StrictJSON.check(payload)
        } catch {
            throw TagError(
                .structured,
                .notJSON,
                "the payload is not JSON: at byte \(error.position + 1), \(error.reason)"
            )
        }
        let decoder = JSONDecoder()
        configure(decoder)
        do {
            return try decoder.decode(type, from: Data(payload))
        } catch let error as DecodingError {
            throw TagError(error)
        } catch {
            throw TagError(.structured, .notDecodable, "\(error)")
        }
    }
}
