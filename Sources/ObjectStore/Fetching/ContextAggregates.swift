internal import Synchronization

// Figures about the objects that a request selects. What a value is missing in does not count.

extension ManagedObjectContext {
    /// Whether there is any object that a request selects.
    ///
    /// - Parameter request: Which objects.
    /// - Returns: Whether there is one.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Bool {
        try !fetchIDs(request.limited(to: 1)).isEmpty
    }

    /// The values that an attribute has, each once, in their order.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - request: Of which objects.
    /// - Returns: The values.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func distinctValues<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [Value] {
        Set(try values(of: keyPath, request)).sorted().map { Value(attributeValue: $0) }
    }

    /// How many objects have each value of an attribute.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - request: Which objects.
    /// - Returns: The number for each value; those without a value are counted under the absent one.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func counts<Object: ManagedObject, Value: AttributeConvertible & Hashable>(
        by keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [Value: Int] {
        let groups = Dictionary(grouping: try values(of: keyPath, request)) { $0 }
        return Dictionary(
            groups.map { (Value(attributeValue: $0), $1.count) },
            uniquingKeysWith: +
        )
    }

    /// The smallest value of an attribute, or nil where no object has one.
    public func minimum<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Value? {
        try presentValues(of: keyPath, request).min().map { Value(attributeValue: $0) }
    }

    /// The greatest value of an attribute, or nil where no object has one.
    public func maximum<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Value? {
        try presentValues(of: keyPath, request).max().map { Value(attributeValue: $0) }
    }

    /// The sum of a number, in double precision and in the order of identity, so that every store
    /// gives the same; 0 where no object has one.
    public func sum<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Double {
        try presentValues(of: keyPath, request).compactMap(\.number).reduce(0, +)
    }

    /// The mean of a number, or nil where no object has one.
    public func average<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Double? {
        let numbers = try presentValues(of: keyPath, request).compactMap(\.number)
        return numbers.isEmpty ? nil : numbers.reduce(0, +) / Double(numbers.count)
    }

    private func presentValues<Object: ManagedObject>(
        of keyPath: AnyKeyPath,
        _ request: FetchRequest<Object>
    ) throws -> [AttributeValue] {
        try values(of: keyPath, request).filter { !$0.isNull }
    }

    /// The values of an attribute, in the order of identity.
    private func values<Object: ManagedObject>(
        of keyPath: AnyKeyPath,
        _ request: FetchRequest<Object>
    ) throws -> [AttributeValue] {
        try state.withLock { state in
            try state.throwFailure()
            let slot = state.slot(of: keyPath, model)
            let query = try request.query(in: model, state: &state)
            return try state.rows(matching: query, source: source).sorted { $0.id < $1.id }
                .map { $0.values[slot] }
        }
    }
}
