extension ValueEncoder {
    /// Writes the value as a single value, once.
    @inline(__always)
    func writeSingle(_ value: @autoclosure () -> Any, _ write: () throws -> Void) throws {
        guard form == .nothing, isActive else {
            throw invalid(value(), "A value can be encoded only once, and only in its turn.")
        }
        let mark = output.mark
        do {
            try write()
        } catch {
            throw takenBack(mark, error, value: value(), at: .here)
        }
        form = .single
    }

    /// Adds an item to the array.
    @inline(__always)
    func writeItem(_ value: @autoclosure () -> Any, _ write: () throws -> Void) throws {
        guard isActive else { throw invalid(value(), Self.notItsTurn, at: .item(count)) }
        let mark = output.mark
        do {
            try write()
        } catch {
            throw takenBack(mark, error, value: value(), at: .item(count))
        }
        count += 1
    }

    /// Adds a pair to the map; it replaces one with the same key.
    @inline(__always)
    func writePair(
        _ key: some CodingKey,
        _ value: @autoclosure () -> Any,
        _ write: () throws -> Void
    ) throws {
        guard isActive else { throw invalid(value(), Self.notItsTurn, at: .key(key)) }
        let mark = output.mark
        let keyEnd: Int
        do {
            try writeKey(key)
            keyEnd = output.writer.bytes.count
            try write()
        } catch {
            throw takenBack(mark, error, value: value(), at: .key(key))
        }
        addPair(key: mark.position..<keyEnd)
    }

    private static var notItsTurn: String {
        "A container can be written to only while no value inside it is, and before it ends."
    }

    /// Restores the state before a value that cannot be encoded.
    private func takenBack(
        _ mark: EncodingOutput.Mark,
        _ error: any Error,
        value: Any,
        at step: Step
    ) -> any Error {
        output.rewind(to: mark)
        output.active = ObjectIdentifier(self)
        guard let error = error as? WritingError else { return error }
        return invalid(value, error.sentence, at: step)
    }
}

// MARK: Containers that are filled later

extension ValueEncoder {
    /// Adds an item whose bytes follow later.
    func laterItem() -> ValueEncoder {
        let child = ValueEncoder(parent: self, step: .item(count), output: nil, type: nil)
        guard isActive else {
            session.fail(child.invalid(child.type as Any, Self.notItsTurn))
            return child
        }
        output.addNested(child)
        count += 1
        return child
    }

    /// Adds a pair whose value follows later, or finds the one with the same key and form.
    func laterPair(_ key: some CodingKey, form: Form) -> ValueEncoder {
        let child = ValueEncoder(parent: self, step: .key(key), output: nil, type: nil)
        let mark = output.mark
        do {
            guard isActive else { throw child.invalid(child.type as Any, Self.notItsTurn) }
            try writeKey(key)
        } catch {
            session.fail(
                error as? EncodingError
                    ?? child.invalid(child.type as Any, "The key cannot be encoded: \(error)")
            )
            return child
        }
        let end = output.writer.bytes.count
        if let earlier = earlierKey(mark.position..<end),
            let begun = output.nested(at: output.keyPositions[earlier] + end - mark.position),
            begun.form == form
        {
            output.rewind(to: mark)
            return begun
        }
        output.addNested(child)
        addPair(key: mark.position..<end)
        return child
    }
}
