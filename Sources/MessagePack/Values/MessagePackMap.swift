/// The pairs of a map, in their order.
///
/// Two maps are equal if they have the same pairs in the same order, as their bytes are.
public struct MessagePackMap: Hashable, Sendable {
    /// A key and its value.
    public struct Pair: Hashable, Sendable {
        /// Any value; most often text or an integer.
        public var key: MessagePackValue

        /// What the key stands for.
        public var value: MessagePackValue

        /// Makes a pair.
        ///
        /// - Parameters:
        ///   - key: Any value.
        ///   - value: What the key stands for.
        public init(_ key: MessagePackValue, _ value: MessagePackValue) {
            self.key = key
            self.value = value
        }
    }

    private var pairs: [Pair]

    /// Makes a map of pairs.
    ///
    /// - Parameter pairs: The pairs in their order; no key should come twice.
    public init(_ pairs: some Sequence<Pair> = []) {
        self.pairs = Array(pairs)
    }

    /// The value of the first pair that has a key; setting nil takes the pair away.
    ///
    /// - Parameter key: The key; looked for from the first pair on.
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
    /// The place of the first pair.
    public var startIndex: Int { pairs.startIndex }

    /// The place behind the last pair.
    public var endIndex: Int { pairs.endIndex }

    /// The pair at a place.
    ///
    /// - Parameter position: The place, counted from 0.
    public subscript(position: Int) -> Pair { pairs[position] }
}

extension MessagePackMap: ExpressibleByDictionaryLiteral {
    /// Makes a map of the pairs of a literal, in their order.
    ///
    /// - Parameter elements: The pairs.
    public init(dictionaryLiteral elements: (MessagePackValue, MessagePackValue)...) {
        self.init(elements.map { Pair($0.0, $0.1) })
    }
}
