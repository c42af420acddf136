/// Bytes that are written from first to last, and edits that are applied at the end.
///
/// A container is written before the number of its items is known. Its header takes one byte at
/// first, which is enough for up to 15 items; more need an edit. A nested container that is filled later
/// has its own output, which another edit inserts.
final class EncodingOutput {
    /// A change at a position, applied when everything is written.
    struct Edit {
        enum Insertion {
            case nothing
            case header(isMap: Bool, count: Int)
            case output(ValueEncoder)
        }

        let position: Int
        let removed: Int
        let insertion: Insertion
    }

    /// A state of an output, to return to.
    struct Mark {
        fileprivate let bytes: Int
        fileprivate let edits: Int
        fileprivate let nested: Int
        fileprivate let keys: Int

        /// The position of the next byte.
        var position: Int { bytes }
    }

    let writer = MessageWriter()
    private var edits: [Edit] = []

    /// The containers that are filled later, in the order of their positions.
    private var nested: [(position: Int, encoder: ValueEncoder)] = []

    /// The number of steps taken to find keys again, or to skip replaced pairs.
    ///
    /// It is proportional to the message, even if keys are replaced often.
    var looks = 0

    /// The start positions of the keys of all open maps; each map has the part from its first key on.
    let keyPositions = GrowingBuffer<Int>(capacity: 16)

    /// The encoder that may write; others wait for the values inside them, or have finished.
    var active: ObjectIdentifier?

    var mark: Mark {
        Mark(
            bytes: writer.bytes.count,
            edits: edits.count,
            nested: nested.count,
            keys: keyPositions.count
        )
    }

    /// Removes everything written since a mark.
    func rewind(to mark: Mark) {
        writer.bytes.truncate(to: mark.bytes)
        if edits.count > mark.edits { edits.removeSubrange(mark.edits...) }
        if nested.count > mark.nested { nested.removeSubrange(mark.nested...) }
        keyPositions.truncate(to: mark.keys)
    }

    /// Replaces the first byte of a container by a header with the number of its items.
    func addHeader(isMap: Bool, count: Int, at position: Int) {
        let header = Edit.Insertion.header(isMap: isMap, count: count)
        edits.append(Edit(position: position, removed: 1, insertion: header))
    }

    /// Inserts a container that is filled later at the present position.
    func addNested(_ encoder: ValueEncoder) {
        let position = writer.bytes.count
        edits.append(Edit(position: position, removed: 0, insertion: .output(encoder)))
        nested.append((position, encoder))
    }

    /// Removes a pair that another one has replaced, with all edits inside it.
    func remove(_ pair: Range<Int>) {
        edits.append(Edit(position: pair.lowerBound, removed: pair.count, insertion: .nothing))
    }

    /// The first nested container at a position.
    func nested(at position: Int) -> ValueEncoder? {
        var (low, high) = (0, nested.count)
        while low < high {
            looks += 1
            let middle = (low + high) / 2
            if nested[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low < nested.count && nested[low].position == position ? nested[low].encoder : nil
    }

    /// Ends writing, and drops the nested containers.
    func end() {
        edits = []
        nested = []
        active = nil
    }

    /// Passes the bytes, with all edits applied, to a function; they are valid while it runs.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) throws -> Result {
        if edits.isEmpty { return try unsafe writer.bytes.withElements(body) }
        let result = MessageWriter(capacity: writer.bytes.count + 4 * edits.count)
        try assemble(into: result)
        return try unsafe result.bytes.withElements(body)
    }

    private func assemble(into result: MessageWriter) throws {
        var done = 0
        var removedEnd = -1
        // At one position, edits keep their order.
        let sorted = edits.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }
        for (_, edit) in sorted {
            looks += 1
            // The edit is inside a removed pair.
            if edit.position < done { continue }
            if edit.position == removedEnd, case .output = edit.insertion {
                // A nested container that is the value of a removed pair is positioned right at its
                // end.
                continue
            }
            copy(done..<edit.position, to: result)
            done = edit.position + edit.removed
            switch edit.insertion {
            case .nothing: removedEnd = done
            case .header(isMap: true, let count): try result.append(mapOf: count)
            case .header(isMap: false, let count): try result.append(arrayOf: count)
            case .output(let encoder):
                encoder.close()
                try encoder.output.assemble(into: result)
            }
        }
        copy(done..<writer.bytes.count, to: result)
    }

    private func copy(_ range: Range<Int>, to result: MessageWriter) {
        // The pointer stays in this closure.
        unsafe writer.bytes.withElements {
            unsafe result.bytes.append(UnsafeBufferPointer(rebasing: $0[range]))
        }
    }
}
