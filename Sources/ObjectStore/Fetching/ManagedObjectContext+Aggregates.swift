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
            var query = try request.query(in: model, state: &state)
            query.limit = min(1, query.limit ?? 1)
            return try state.count(matching: query, source: source) > 0
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
        try groups(by: keyPath, request) { _ in [] }.map { Value(attributeValue: $0.key[0]) }
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
        try figure(request) { .minimum($0.slot(of: keyPath, model)) }.read()
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
        try figure(request) { .maximum($0.slot(of: keyPath, model)) }.read()
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
        Value.Sum(attributeValue: try figure(request) { .sum($0.slot(of: keyPath, model)) })
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
        try figure(request) { .average($0.slot(of: keyPath, model)) }.read()
    }

    private func figure<Object: ManagedObject>(
        _ request: FetchRequest<Object>,
        _ figure: (inout ContextState) -> StoreAggregate.Figure
    ) throws -> AttributeValue {
        try whenSaved { state in
            try state.throwFailure()
            let query = try request.query(in: model, state: &state)
            let aggregate = StoreAggregate(query: query, figures: [figure(&state)])
            return try state.groups(of: aggregate, source: source).first?.figures.first ?? .null
        }
    }

    /// The groups of objects with the same value, in the order of its stored form.
    func groups<Object: ManagedObject>(
        by keyPath: AnyKeyPath,
        _ request: FetchRequest<Object>,
        _ figures: (inout ContextState) -> [StoreAggregate.Figure]
    ) throws -> [StoreGroup] {
        try groups(by: [keyPath], request, figures)
    }

    /// The groups of objects with the same values, in the order of their stored form.
    func groups<Object: ManagedObject>(
        by keyPaths: [AnyKeyPath],
        _ request: FetchRequest<Object>,
        _ figures: (inout ContextState) -> [StoreAggregate.Figure]
    ) throws -> [StoreGroup] {
        try whenSaved { state in
            try state.throwFailure()
            let aggregate = StoreAggregate(
                query: try request.query(in: model, state: &state),
                grouping: keyPaths.map { state.slot(of: $0, model) },
                figures: figures(&state)
            )
            return try state.groups(of: aggregate, source: source)
        }
    }
}

extension ContextState {
    /// Aggregates of the objects that a query selects, unsaved changes included.
    mutating func groups(
        of aggregate: StoreAggregate,
        source: any RowSource
    ) throws -> [StoreGroup] {
        guard graph.hasChanges(concerning: aggregate.query) else {
            return try source.read { try $0.groups(of: aggregate) }
        }
        try aggregate.check()
        let rows = try rows(matching: aggregate.query, source: source, isKept: false)
        return try aggregate.groups(of: rows)
    }
}

extension AttributeValue {
    /// The value in its Swift type, or nil if it is missing.
    func read<Value: AttributeConvertible>() -> Value? {
        isNull ? nil : Value(attributeValue: self)
    }
}
