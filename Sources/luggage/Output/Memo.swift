internal import FoundationEssentials
internal import LuggageTags

/// Caches the texts of values that recur in a list.
final class Memo<Value: Hashable> {
    private static var limit: Int { 4096 }

    private var texts: [Value: String] = [:]
    /// The latest value: in a list that is sorted by it, often also the next one.
    private var last: (value: Value, text: String)?
    private let make: (Value) -> String

    init(_ make: @escaping (Value) -> String) {
        self.make = make
    }

    func callAsFunction(_ value: Value) -> String {
        if let last, last.value == value { return last.text }
        if texts.count >= Self.limit { texts = [:] }
        let text = texts[value] ?? make(value)
        texts[value] = text
        last = (value, text)
        return text
    }
}

/// Times in the local zone, cached by the minute.
struct LocalTimes {
    private let minutes = Memo<Int> { Date(timeIntervalSince1970: Double($0) * 60).local }

    /// The time to the minute.
    func text(_ date: Date) -> String {
        let minute = (date.timeIntervalSince1970 / 60).rounded(.down)
        return abs(minute) < 1e12 ? minutes(Int(minute)) : date.local
    }
}
