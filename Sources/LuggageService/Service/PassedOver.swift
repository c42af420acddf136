/// What was passed over and nobody was told of yet: of each cause there is one line a minute, so that
/// whoever may drop files cannot fill the log.
struct PassedOver {
    /// Why something was passed over.
    enum Cause: Hashable {
        /// It is of a kind that is no picture; the words for one of it, and for more.
        case kind(one: String, many: String)
        /// What was found out about a file; the words complete "NAME …".
        case finding(String)
        /// There are more causes than are told apart.
        case other
    }

    /// As many causes are told apart in a minute.
    private static let mostCauses = 32

    /// How many more there were since the last line about them; a cause is here for as long as there is
    /// more of it from one minute to the next.
    private var more: [Cause: Int] = [:]

    /// Takes note of what was passed over.
    ///
    /// - Returns: The line about it; nil where there was one in this minute.
    mutating func take(_ cause: Cause, _ count: Int = 1, name: String? = nil) -> String? {
        let isKnown = more[cause] != nil || more.count < Self.mostCauses
        let cause = isKnown ? cause : .other
        guard let before = more[cause] else {
            more[cause] = 0
            return cause.words(count, name: name)
        }
        more[cause] = before + count
        return nil
    }

    /// Ends a minute.
    ///
    /// - Returns: The lines about what was passed over in it, and is not told yet.
    mutating func endMinute() -> [String] {
        let told = more.filter { $0.value > 0 }
        // What goes on is told at the end of the next minute.
        more = told.mapValues { _ in 0 }
        return told.map { $0.key.words($0.value) }.sorted()
    }
}

extension PassedOver.Cause {
    fileprivate func words(_ count: Int, name: String? = nil) -> String {
        switch self {
        case .kind(let one, let many): "passed over: \(count) \(count == 1 ? one : many)"
        case .finding(let why):
            if let name, count == 1 {
                "\(name) \(why); it was passed over"
            } else {
                "passed over: \(count) more, of which each \(why)"
            }
        case .other: "passed over: \(count) for other reasons"
        }
    }
}
