public import Foundation
public import ObjectStore
public import TagReading

/// Reads the tags in a picture into a context, for programs that save by themselves.
///
/// To keep a chain of custody, in which every picture counts once and the order of filing does not
/// matter, use ``ScanRecorder``.
public struct LuggageTagScanner: Sendable {
    private let reader: any TagReader

    /// Makes a scanner.
    ///
    /// - Parameter reader: What reads the pictures.
    public init(reader: any TagReader) {
        self.reader = reader
    }

    /// Inserts the bags whose tags a picture shows into a context, as seen at a point.
    ///
    /// Saving the context merges them with the bags on record. One bad tag does not spoil the others:
    /// each has a result of its own.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - point: Where the bags are.
    ///   - role: What that point is, where it is not built in.
    ///   - context: The context into which the bags and their owners are inserted.
    ///   - date: When the bags are there.
    /// - Returns: A result for each tag, from top to bottom.
    /// - Throws: ``TagError`` where the picture cannot be read or shows no code. Of a tag whose
    ///   decoding failed, nothing is left in the context.
    public func scan(
        image: TagImage,
        at point: Point,
        as role: Point.Role? = nil,
        in context: ManagedObjectContext,
        date: Date = Date()
    ) async throws(TagError) -> [Result<Luggage, TagError>] {
        let reading: Reading
        do throws(ReadError) {
            reading = try await RepeatedReading(of: image, by: reader).reading.get()
        } catch {
            throw TagError(error)
        }
        let tags = Tag.tags(in: reading)
        if tags.isEmpty { throw .noCode }
        return tags.map { tag in
            Result { () throws(TagError) in
                try tag.decode(as: point.role(told: role), date: date, in: context)
            }
        }
    }
}

/// A symbol that may describe a bag.
struct Tag {
    let symbol: Symbol

    /// The symbols of a picture, each payload once: a tag has several copies of its code.
    static func tags(in reading: Reading) -> [Tag] {
        var seen: Set<[UInt8]> = []
        return reading.symbols.filter { seen.insert($0.payload).inserted }.map(Tag.init)
    }

    /// Inserts the bag as seen at a point of a role.
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
