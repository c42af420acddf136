#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import FoundationEssentials
#endif

extension ValueDecoder {
    /// Reads a value inside this one: directly if its type is known, otherwise by its own decoding.
    ///
    /// Items of arrays are read here too, so types are tested in the order of their frequency.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - index: Its position on the tape.
    ///   - step: The step from this value to it.
    /// - Returns: The value.
    /// - Throws: `DecodingError` if it is not of the type.
    func read<Value: Decodable>(
        _ type: Value.Type,
        at index: Int,
        step: @autoclosure () -> Step
    ) throws -> Value {
        if type == String.self { return try scalar(String.self, at: index, step, as: type) }
        if type == Int.self { return try scalar(Int.self, at: index, step, as: type) }
        if type == Double.self { return try scalar(Double.self, at: index, step, as: type) }
        if type == Float.self { return try scalar(Float.self, at: index, step, as: type) }
        if type == Bool.self { return try scalar(Bool.self, at: index, step, as: type) }
        if type == UInt8.self { return try scalar(UInt8.self, at: index, step, as: type) }
        if type == UUID.self { return named(try uuid(at: index, step: step), type) }
        if type == Date.self, let date = try date(at: index, step: step) {
            return named(date, type)
        }
        if type == Data.self, let data = try data(at: index, step: step) {
            return named(data, type)
        }
        if type == [String].self { return named(try array(of: String.self, at: index, step), type) }
        if type == [Int].self { return named(try array(of: Int.self, at: index, step), type) }
        if type == [Double].self { return named(try array(of: Double.self, at: index, step), type) }
        if type == [Float].self { return named(try array(of: Float.self, at: index, step), type) }
        if type == URL.self { return named(try url(at: index, step: step), type) }
        if type == Decimal.self { return named(try decimal(at: index, step: step), type) }
        if type == MessagePackValue.self { return named(message.tree(at: index), type) }
        if type == MessagePackExtension.self {
            return named(try extensionValue(at: index, step: step), type)
        }
        if type == MessagePackTimestamp.self {
            return named(try timestamp(type, at: index, step: step), type)
        }
        return try Value(
            from: ValueDecoder(parent: self, step: step(), index: index, type: type)
        )
    }

    /// Reads a value that is a scalar of the format.
    @inline(__always)
    func readScalar<Scalar: WireScalar>(
        _ type: Scalar.Type,
        at index: Int,
        step: @autoclosure () -> Step
    ) throws -> Scalar {
        guard let value = Scalar.read(message.tape[index], in: message) else {
            throw unreadable(type, at: index, step())
        }
        return value
    }

    @inline(__always)
    private func scalar<Scalar: WireScalar, Value>(
        _ scalar: Scalar.Type,
        at index: Int,
        _ step: () -> Step,
        as type: Value.Type
    ) throws -> Value {
        named(try readScalar(scalar, at: index, step: step()), type)
    }

    /// Reads an array of scalars without a decoder for it.
    private func array<Scalar: WireScalar>(
        of scalar: Scalar.Type,
        at index: Int,
        _ step: () -> Step
    ) throws -> [Scalar] {
        let array = message.tape[index]
        guard array.kind == .array else { throw mismatch([Any].self, at: index, step()) }
        var items: [Scalar] = []
        items.reserveCapacity(Int(array.count))
        var item = index + 1
        while item < Int(array.end) {
            let entry = message.tape[item]
            guard let value = Scalar.read(entry, in: message) else {
                let decoder = ValueDecoder(parent: self, step: step(), index: index, type: nil)
                throw decoder.unreadable(scalar, at: item, .item(items.count))
            }
            items.append(value)
            item = Int(entry.end)
        }
        return items
    }
}
