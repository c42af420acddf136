internal import Foundation
internal import ObjectStore
internal import TagReading

/// A symbol that may describe a bag.
struct Tag {
    let symbol: Symbol

    /// The symbols of a picture, each payload once, because a tag has several copies of its code.
    static func tags(in reading: Reading) -> [Tag] {
        var seen: Set<[UInt8]> = []
        return reading.symbols.filter { seen.insert($0.payload).inserted }.map(Tag.init)
    }

    /// Inserts the bag as seen at a point with a role.
    func decode(
        as role: Point.Role,
        date: Date,
        bounds: TagBounds = .none,
        in context: ManagedObjectContext
    ) throws(TagError) -> Luggage {
        if symbol.isPartial { throw .partialCode }
        let luggage = try TagDecoder(bounds: bounds).decode(symbol.payload, in: context)
        luggage.see(role, date)
        return luggage
    }
}
