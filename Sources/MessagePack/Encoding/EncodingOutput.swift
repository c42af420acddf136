/// Bytes that are written from first to last, and what is to be changed in them at the end.
///
/// A container is written before the number of its items is known. Its header takes one byte at
/// first, which does up to 15 items; more need an edit. A nested container that is filled later has
/// an output of its own and comes in by an edit, too.
final class EncodingOutput {
    /// A change at a position, made when all is written.
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

    /// How far an output is, to go back there.
    struct Mark {
        fileprivate let bytes: Int
        fileprivate let edits: Int
        fileprivate let nested: Int
        fileprivate let keys: Int

        /// Where the next byte comes.
        var position: Int { bytes }
    }

    let writer = MessageWriter()
    private var edits: [Edit] = []

    /// The containers that are filled later, each at a position that is not before the one in front.
    private var nested: [(position: Int, encoder: ValueEncoder)] = []

    /// How often something was looked at to find a key again, or to leave out what it had before: in
    /// proportion to the message, however often keys are replaced.
    var looks = 0

    /// Where the keys of all open maps begin; each map has those from its own first on.
    let keyPositions = GrowingBuffer<Int>(capacity: 16)

    /// The encoder that may write: others wait for the values inside them, or are done.
    var active: ObjectIdentifier?

    var mark: Mark {
        Mark(
            bytes: writer.bytes.count,
            edits: edits.count,
            nested: nested.count,
            keys: keyPositions.count
        )
    }

    /// Takes back all that was written since a mark.
    func rewind(to mark: Mark) {
        writer.bytes.truncate(to: mark.bytes)
        if edits.count > mark.edits { edits.removeSubrange(mark.edits...) }
        if nested.count > mark.nested { nested.removeSubrange(mark.nested...) }
        keyPositions.truncate(to: mark.keys)
    }

    /// Puts the number of a container's items in place of its first byte.
    func addHeader(isMap: Bool, count: Int, at position: Int) {
        let header = Edit.Insertion.header(isMap: isMap, count: count)
        edits.append(Edit(position: position, removed: 1, insertion: header))
    }

    /// Lets a container that is filled later stand where the next byte comes.
    func addNested(_ encoder: ValueEncoder) {
        let position = writer.bytes.count
        edits.append(Edit(position: position, removed: 0, insertion: .output(encoder)))
        nested.append((position, encoder))
    }

    /// Leaves out a pair of a map that another one has replaced, with all edits inside it.
    func remove(_ pair: Range<Int>) {
        edits.append(Edit(position: pair.lowerBound, removed: pair.count, insertion: .nothing))
    }

    /// The first of the nested containers that stand at a position.
    func nested(at position: Int) -> ValueEncoder? {
        var (low, high) = (0, nested.count)
        while low < high {
            looks += 1
            let middle = (low + high) / 2
            if nested[middle].position < position { low = middle + 1 } else { high = middle }
        }
        return low < nested.count && nested[low].position == position ? nested[low].encoder : nil
    }

    /// Lets nothing more be written, and drops the containers that were nested.
    func end() {
        edits = []
        nested = []
        active = nil
    }

    /// Gives the bytes with all edits made to a function, as long as it runs.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) throws -> Result {
        if edits.isEmpty { return try unsafe writer.bytes.withElements(body) }
        let result = MessageWriter(capacity: writer.bytes.count + 4 * edits.count)
        try assemble(into: result)
        return try unsafe result.bytes.withElements(body)
    }

    private func assemble(into result: MessageWriter) throws {
        var done = 0
        var removedEnd = -1
        // At one position, what came first stays first.
        let sorted = edits.enumerated().sorted {
            ($0.element.position, $0.offset) < ($1.element.position, $1.offset)
        }
        for (_, edit) in sorted {
            looks += 1
            // Inside a pair that is left out.
            if edit.position < done { continue }
            if edit.position == removedEnd, case .output = edit.insertion {
                // A nested container that is such a pair's value stands right at its end.
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
