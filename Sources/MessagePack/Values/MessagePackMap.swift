/// The pairs of a map, in order.
///
/// Two maps are equal if they have the same pairs in the same order, as in their bytes.
public struct MessagePackMap: Hashable, Sendable {
    /// A key and its value.
    public struct Pair: Hashable, Sendable {
        /// Any value; usually text or an integer.
        public var key: MessagePackValue

        /// The value of the key.
        public var value: MessagePackValue

        /// Makes a pair.
        ///
        /// - Parameters:
        ///   - key: Any value.
        ///   - value: The value of the key.
        public init(_ key: MessagePackValue, _ value: MessagePackValue) {
            self.key = key
            self.value = value
        }
    }

    private var pairs: [Pair]

    /// Makes a map from pairs.
    ///
    /// - Parameter pairs: The pairs in order; no key should be repeated.
    public init(_ pairs: some Sequence<Pair> = []) {
        self.pairs = Array(pairs)
    }

    /// The value of the first pair with a key; setting nil removes the pair.
    ///
    /// - Parameter key: The key.
    public subscript(key: MessagePackValue) -> MessagePackValue? {
        get { pairs.first { $0.key == key }?.value }
        set {
            let place = pairs.firstIndex { $0.key == key }
            switch (place, newValue) {
            case (let place?, let value?): pairs[place].value = value
            case (let place?, nil): pairs.remove(at: place)
            case (nil, let value?): pairs.append(Pair(key, value))
            case (nil, nil): break
            }
        }
    }
}

extension MessagePackMap: RandomAccessCollection {
    /// The position of the first pair.
    public var startIndex: Int { pairs.startIndex }

    /// The position after the last pair.
    public var endIndex: Int { pairs.endIndex }

    /// The pair at a position.
    ///
    /// - Parameter position: The position, counted from 0.
    public subscript(position: Int) -> Pair { pairs[position] }
}

extension MessagePackMap: ExpressibleByDictionaryLiteral {
    /// Makes a map from the pairs of a literal, in order.
    ///
    /// - Parameter elements: The pairs.
    public init(dictionaryLiteral elements: (MessagePackValue, MessagePackValue)...) {
        self.init(elements.map { Pair($0.0, $0.1) })
    }
}
