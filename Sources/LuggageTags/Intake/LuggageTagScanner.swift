public import FoundationEssentials
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
    /// - Parameter reader: Reads the pictures.
    public init(reader: any TagReader) {
        self.reader = reader
    }

    /// Inserts the bags whose tags a picture shows into a context, as seen at a point.
    ///
    /// Saving the context merges them with the bags on record. Each tag has a result of its own, so one bad
    /// tag does not affect the others. Of a tag that could not be read beside others, only
    /// `Reading.unread` and ``ScanReport/unread`` tell.
    ///
    /// - Parameters:
    ///   - image: The picture.
    ///   - point: The point at which the bags are.
    ///   - role: The role of the point if the point is not built in.
    ///   - context: The context into which the bags and their owners are inserted.
    ///   - date: The time at which the bags are there.
    /// - Returns: A result for each tag, from top to bottom.
    /// - Throws: ``TagError`` if the picture cannot be read or shows no code. A tag whose decoding
    ///   failed leaves nothing in the context.
    public func scan(
        image: TagImage,
        at point: Point,
        as role: Point.Role? = nil,
        in context: ManagedObjectContext,
        date: Date = Date()
    ) async throws(TagError) -> [Result<Luggage, TagError>] {
        let reading: Reading
        do throws(ReadError) {
            reading = try await PictureIntake(reader: reader).read(image).reading.get()
        } catch {
            throw TagError(error)
        }
        let tags = Tag.tags(in: reading, at: date)
        if tags.isEmpty { throw .noCode(in: reading) }
        return tags.map { tag in
            Result { () throws(TagError) in
                let luggage = try tag.decode(in: context)
                luggage.see(point, role, date)
                return luggage
            }
        }
    }
}
