internal import FoundationEssentials
internal import ObjectStore
internal import TagReading

/// A symbol that may describe a bag.
struct Tag {
    let symbol: Symbol
    /// Why the symbol describes no bag, if that was found out already.
    private var error: TagError?

    private init(_ symbol: Symbol, _ error: TagError? = nil) {
        (self.symbol, self.error) = (symbol, error)
    }

    /// The tags in a picture, each payload once, because a tag has several copies of its code.
    ///
    /// A boarding pass is a tag for each of its bags, with what may be kept of the pass as its payload. No
    /// other byte of a pass goes on, and none of one that is malformed.
    ///
    /// - Parameters:
    ///   - reading: What was read.
    ///   - date: When the bags were there.
    /// - Returns: The tags, from top to bottom.
    static func tags(in reading: Reading, at date: Date) -> [Tag] {
        var seen: Set<Symbol> = []
        return reading.symbols.flatMap { tags(in: $0, at: date) }.filter { tag in
            let symbol = Symbol(payload: tag.symbol.payload, refusal: tag.symbol.refusal)
            return seen.insert(symbol).inserted
        }
    }

    private static func tags(in symbol: Symbol, at date: Date) -> [Tag] {
        guard BoardingPass.recognises(symbol.payload) else { return [Tag(symbol)] }
        func tag(_ payload: [UInt8], _ error: TagError? = nil) -> Tag {
            var kept = symbol
            kept.payload = payload
            return Tag(kept, error)
        }
        do {
            let pass = try BoardingPass(symbol.payload)
            if let error = pass.error { return [tag([], error)] }
            return try pass.bags(scannedAt: date).map { tag(try $0.tag) }
        } catch let flaw as PayloadFlaw {
            return [tag([], TagError(flaw, in: BoardingPassFormat()))]
        } catch {
            return [tag([], TagError(.typed, .notDecodable, "\(error)"))]
        }
    }

    /// Inserts the bag that it describes.
    func decode(
        bounds: TagBounds = .none,
        in context: ManagedObjectContext
    ) throws(TagError) -> Luggage {
        if symbol.isPartial { throw .partialCode }
        if let refusal = symbol.refusal { throw TagError(refusal) }
        if let error { throw error }
        return try TagDecoder(bounds: bounds).decode(symbol.payload, in: context)
    }
}
