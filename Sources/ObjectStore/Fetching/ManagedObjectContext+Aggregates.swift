internal import Synchronization

// Figures about the objects that a request selects. What a value is missing in does not count.
//
// The store computes them, unless there are changes here that they depend on.

extension ManagedObjectContext {
    /// Whether there is any object that a request selects.
    ///
    /// - Parameter request: Which objects; where it is limited to none, there is none.
    /// - Returns: Whether there is one.
    /// - Throws: ``StoreError`` or ``UnsupportedPredicateError``.
    public func exists<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Bool {
        try whenSaved { state in
            try state.throwFailure()
            var query = try request.query(in: model, state: &state)
            query.limit = min(1, query.limit ?? 1)
            return try state.count(matching: query, source: source) > 0
        }
    }

    /// The values that an attribute has, each once, in the order of what is kept of them.
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
        try groups(by: keyPath, request) { _ in [] }.map { Value(attributeValue: $0.key[0]) }
    }

    /// The smallest value of an attribute, or nil where no object has one.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; texts are compared by their UTF-8.
    ///   - request: Of which objects.
    /// - Returns: The value.
    /// - Throws: ``StoreError``, or ``UnsupportedPredicateError`` where what is kept of the values is
    ///   not in their order, as of a `Decimal`.
    public func minimum<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Value? {
        try figure(request) { .minimum($0.slot(of: keyPath, model)) }.read()
    }

    /// The greatest value of an attribute, or nil where no object has one.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute; texts are compared by their UTF-8.
    ///   - request: Of which objects.
    /// - Returns: The value.
    /// - Throws: As ``minimum(of:_:)``.
    public func maximum<Object: ManagedObject, Value: AttributeConvertible>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Value? {
        try figure(request) { .maximum($0.slot(of: keyPath, model)) }.read()
    }

    /// The exact sum of a number; 0 where no object has one.
    ///
    /// Floating-point numbers are added exactly too, and the sum is rounded once, so that it is the
    /// same in every store.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - request: Of which objects.
    /// - Returns: The sum.
    /// - Throws: ``StoreError``, of the code ``StoreError/Code/outOfRange`` where a sum of whole numbers
    ///   does not fit into 64 bits, or infinities of both signs have no sum.
    public func sum<Object: ManagedObject, Value: SummableAttribute>(
        of keyPath: KeyPath<Object, Value>,
        _ request: FetchRequest<Object> = FetchRequest()
    ) throws -> Value.Sum {
        Value.Sum(attributeValue: try figure(request) { .sum($0.slot(of: keyPath, model)) })
    }

    /// The mean of a number, or nil where no object has one: the exact sum, rounded, divided by the
    /// count.
    ///
    /// - Parameters:
    ///   - keyPath: The attribute.
    ///   - request: Of which objects.
    /// - Returns: The mean.
    /// - Throws: ``StoreError``, of the code ``StoreError/Code/outOfRange`` where infinities of both
    ///   signs have no mean.
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

    /// The groups of objects that have the same value, in the order of what is kept of it.
    func groups<Object: ManagedObject>(
        by keyPath: AnyKeyPath,
        _ request: FetchRequest<Object>,
        _ figures: (inout ContextState) -> [StoreAggregate.Figure]
    ) throws -> [StoreGroup] {
        try groups(by: [keyPath], request, figures)
    }

    /// The groups of objects that have the same values, in the order of what is kept of them.
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
    /// Figures about the objects that a query selects, changes that are not saved included.
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
    /// The value that this one keeps, or nil where it is missing.
    func read<Value: AttributeConvertible>() -> Value? {
        isNull ? nil : Value(attributeValue: self)
    }
}
