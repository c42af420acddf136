internal import Foundation
internal import ObjectStore
internal import TagReading

/// A symbol that may describe a bag.
struct Tag {
    let symbol: Symbol

    /// The symbols of a picture, each payload once, because a tag has several copies of its code.
    static func tags(in reading: Reading) -> [Tag] {
        var seen: Set<Symbol> = []
        return reading.symbols.filter { symbol in
            seen.insert(Symbol(payload: symbol.payload, refusal: symbol.refusal)).inserted
        }.map(Tag.init)
    }

    /// Inserts the bag that it describes.
    func decode(
        bounds: TagBounds = .none,
        in context: ManagedObjectContext
    ) throws(TagError) -> Luggage {
        if symbol.isPartial { throw .partialCode }
        if let refusal = symbol.refusal { throw TagError(refusal) }
        return try TagDecoder(bounds: bounds).decode(symbol.payload, in: context)
    }
}
