internal import Synchronization

// Aggregates of the objects that a request selects. Missing values do not count.
//
// The store computes them, unless unsaved changes affect them.

extension ManagedObjectContext {
    /// Whether a request selects any object.
    ///
    /// - Parameter request: The objects; with a limit of 0 it selects none.
    /// - Returns: Whether there is an object.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Bool {
        try whenSaved { state in
            try state.throwFailure()
            var query = try request.query(in: &state)
            query.limit = min(1, query.limit ?? 1)
            return try state.count(matching: query) > 0
        }
    }

    /// The distinct values of an attribute, in the order of their stored form.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - request: The objects.
    /// - Returns: The values.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func distinctValues<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [Value] {
        try groups(by: [keyPath], request) { _ in [] }.map { Value(attributeValue: $0.key[0]) }
    }

    /// The smallest value of an attribute, or nil if no object has one.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; texts are compared by their UTF-8.
    ///   - request: The objects.
    /// - Returns: The value.
    /// - Throws: ``StoreError``, or ``UnsupportedPredicateError`` if the stored form has another
    ///   order than the values, as for `Decimal`.
    public func minimum<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Value? {
        try figure(request) { .minimum(try $0.slot(of: keyPath)) }.read()
    }

    /// The greatest value of an attribute, or nil if no object has one.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; texts are compared by their UTF-8.
    ///   - request: The objects.
    /// - Returns: The value.
    /// - Throws: As ``minimum(of:_:)``.
    public func maximum<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Value? {
        try figure(request) { .maximum(try $0.slot(of: keyPath)) }.read()
    }

    /// The exact sum of a numeric attribute; 0 if no object has a value.
    ///
    /// Floating-point numbers are added exactly too, and the sum is rounded once, so it is the same
    /// in every store.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - request: The objects.
    /// - Returns: The sum.
    /// - Throws: ``StoreError``, with the code ``StoreError/Code/outOfRange`` if an integer sum
    ///   does not fit into 64 bits, or if there are infinities of both signs, which have no sum.
    public func sum<Object: ManagedObject, Value: SummableAttribute>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Value.Sum {
        Value.Sum(attributeValue: try figure(request) { .sum(try $0.slot(of: keyPath)) })
    }

    /// The mean of a numeric attribute, or nil if no object has a value.
    ///
    /// It is the exact sum, rounded, divided by the count.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - request: The objects.
    /// - Returns: The mean.
    /// - Throws: ``StoreError``, with the code ``StoreError/Code/outOfRange`` if there are
    ///   infinities of both signs, which have no mean.
    public func average<Object: ManagedObject, Value: SummableAttribute>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Double? {
        try figure(request) { .average(try $0.slot(of: keyPath)) }.read()
    }

    private func figure<Object: ManagedObject>(
        _ request: FetchRequest<Object>,
        _ figure: (inout ContextState) throws -> StoreAggregate.Figure
    ) throws -> AttributeValue {
        try whenSaved { state in
            try state.throwFailure()
            let query = try request.query(in: &state)
            let aggregate = StoreAggregate(query: query, figures: [try figure(&state)])
            return try state.groups(of: aggregate).first?.figures.first ?? .null
        }
    }

    /// The groups of objects with the same values, in the order of their stored form.
    func groups<Object: ManagedObject>(
        by keyPaths: [AnyKeyPath],
        _ request: FetchRequest<Object>,
        _ figures: (inout ContextState) throws -> [StoreAggregate.Figure]
    ) throws -> [StoreGroup] {
        try whenSaved { state in
            try state.throwFailure()
            let aggregate = StoreAggregate(
                query: try request.query(in: &state),
                grouping: try keyPaths.map { try state.slot(of: $0) },
                figures: try figures(&state)
            )
            return try state.groups(of: aggregate)
        }
    }
}

extension ContextState {
    /// Aggregates of the objects that a query selects, unsaved changes included.
    mutating func groups(of aggregate: StoreAggregate) throws -> [StoreGroup] {
        guard graph.hasChanges(concerning: aggregate.query) else {
            return try source.read { try $0.groups(of: aggregate) }
        }
        try aggregate.check()
        let rows = try rows(matching: aggregate.query, isKept: false)
        return try aggregate.groups(of: rows)
    }
}

extension AttributeValue {
    /// The value in its Swift type, or nil if it is missing.
    func read<Value: AttributeConvertible>() -> Value? {
        isNull ? nil : Value(attributeValue: self)
    }
}

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
        let groups = try groups(by: [keyPath], request) { _ in [.count] }
        // Texts with different UTF-8 may be equal in Swift.
        return Dictionary(
            groups.map { (Key(attributeValue: $0.key[0]), $0.figures[0].read() ?? 0) },
            uniquingKeysWith: +
        )
    }

    /// The number of objects that lead to each target of a to-one relationship.
    ///
    /// - Parameters:
    ///   - keyPath: The relationship.
    ///   - request: The objects.
    /// - Returns: The number for each target that occurs; nil counts the objects without a target.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func counts<Object: ManagedObject, Target: ManagedObject>(
        by keyPath: KeyPath<Object, Target?>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> [ObjectID?: Int] {
        let groups = try groups(by: [keyPath], request) { _ in [.count] }
        return Dictionary(
            groups.map { ($0.key[0].reference, $0.figures[0].read() ?? 0) },
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
        try groups(by: [key], request) { [.sum(try $0.slot(of: keyPath))] }.map {
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
        try groups(by: [key], request) { [.average(try $0.slot(of: keyPath))] }.map {
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
        let groups = try groups(by: [key], request) { state in
            let slot = try state.slot(of: keyPath)
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
