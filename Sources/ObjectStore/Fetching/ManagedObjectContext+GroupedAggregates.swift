// Aggregates of groups of objects with the same value of an attribute. Groups come in the order of
// the stored form of their keys; texts are the same if their UTF-8 is the same.

extension ManagedObjectContext {
    /// The number of objects with each value of an attribute.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - request: The objects.
    /// - Returns: The number for each value; objects without a value count under the missing value.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func counts<Object: ManagedObject, Key: AttributeConvertible & Hashable>(
        by keyPath: KeyPath<Object, Key>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [Key: Int] {
        let groups = try groups(by: keyPath, request) { _ in [.count] }
        // Texts with different UTF-8 may be equal in Swift.
        return Dictionary(
            groups.map { (Key(attributeValue: $0.key[0]), $0.figures[0].read() ?? 0) },
            uniquingKeysWith: +
        )
    }

    /// The number of objects with each combination of values of several attributes.
    ///
    /// - Parameters:
    ///   - request: The objects.
    ///   - keyPaths: The attributes.
    /// - Returns: Each combination that occurs, with its number, in the order of the stored form.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func counts<Object: ManagedObject, each Key: AttributeConvertible>(
        of request: FetchRequest<Object>,
        by keyPaths: repeat KeyPath<Object, each Key>
    ) throws -> [(key: (repeat each Key), count: Int)] {
        var paths: [AnyKeyPath] = []
        repeat paths.append(each keyPaths)
        let groups = try groups(by: paths, request) { _ in [.count] }
        return groups.map { group in
            var values = group.key.makeIterator()
            func next<Value: AttributeConvertible>(_ type: Value.Type) -> Value {
                Value(attributeValue: values.next() ?? .null)
            }
            return ((repeat next((each Key).self)), group.figures[0].read() ?? 0)
        }
    }

    /// The sum of a numeric attribute for each value of another attribute.
    ///
    /// - Parameters:
    ///   - keyPath: The numeric attribute.
    ///   - key: The attribute that makes the groups.
    ///   - request: The objects.
    /// - Returns: Each value with its sum; 0 if no object of the group has a number.
    /// - Throws: As ``sum(of:_:)``.
    public func sums<Object: ManagedObject, Value: SummableAttribute, Key: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        by key: KeyPath<Object, Key>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [(key: Key, sum: Value.Sum)] {
        try groups(by: key, request) { [.sum($0.slot(of: keyPath, model))] }.map {
            (Key(attributeValue: $0.key[0]), Value.Sum(attributeValue: $0.figures[0]))
        }
    }

    /// The mean of a numeric attribute for each value of another attribute.
    ///
    /// - Parameters:
    ///   - keyPath: The numeric attribute.
    ///   - key: The attribute that makes the groups.
    ///   - request: The objects.
    /// - Returns: Each value with its mean, or nil if no object of the group has a number.
    /// - Throws: As ``average(of:_:)``.
    public func averages<
        Object: ManagedObject,
        Value: SummableAttribute,
        Key: AttributeConvertible
    >(
        of keyPath: KeyPath<Object, Value>,
        by key: KeyPath<Object, Key>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [(key: Key, average: Double?)] {
        try groups(by: key, request) { [.average($0.slot(of: keyPath, model))] }.map {
            (Key(attributeValue: $0.key[0]), $0.figures[0].read())
        }
    }

    /// The smallest and the greatest value of an attribute for each value of another attribute.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; texts are compared by their UTF-8.
    ///   - key: The attribute that makes the groups.
    ///   - request: The objects.
    /// - Returns: Each value with both, or nil if no object of the group has the attribute.
    /// - Throws: As ``minimum(of:_:)``.
    public func extremes<
        Object: ManagedObject,
        Value: AttributeConvertible,
        Key: AttributeConvertible
    >(
        of keyPath: KeyPath<Object, Value>,
        by key: KeyPath<Object, Key>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [(key: Key, extremes: (minimum: Value, maximum: Value)?)] {
        let groups = try groups(by: key, request) { state in
            let slot = state.slot(of: keyPath, model)
            return [.minimum(slot), .maximum(slot)]
        }
        return groups.map { group in
            let key = Key(attributeValue: group.key[0])
            guard let minimum: Value = group.figures[0].read(),
                let maximum: Value = group.figures[1].read()
            else { return (key, nil) }
            return (key, (minimum, maximum))
        }
    }
}
