extension MessagePackValue: ExpressibleByNilLiteral {
    /// The value nil.
    ///
    /// - Parameter nilLiteral: Nothing.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension MessagePackValue: ExpressibleByBooleanLiteral {
    /// True or false.
    ///
    /// - Parameter value: The value.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension MessagePackValue: ExpressibleByIntegerLiteral {
    /// An integer; write those above the greatest `Int64` as `.uint(…)`.
    ///
    /// - Parameter value: The number.
    public init(integerLiteral value: Int64) {
        self = .int(value)
    }
}

extension MessagePackValue: ExpressibleByFloatLiteral {
    /// A 64-bit number.
    ///
    /// - Parameter value: The number.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }
}

extension MessagePackValue: ExpressibleByStringLiteral {
    /// Text.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension MessagePackValue: ExpressibleByArrayLiteral {
    /// An array of values.
    ///
    /// - Parameter elements: The values.
    public init(arrayLiteral elements: MessagePackValue...) {
        self = .array(elements)
    }
}

extension MessagePackValue: ExpressibleByDictionaryLiteral {
    /// A map of keys and values, in order.
    ///
    /// - Parameter elements: The pairs.
    public init(dictionaryLiteral elements: (MessagePackValue, MessagePackValue)...) {
        self = .map(MessagePackMap(elements.map { MessagePackMap.Pair($0.0, $0.1) }))
    }
}
