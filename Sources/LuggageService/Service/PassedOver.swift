/// Files that were passed over, with at most one log line a minute for each cause.
///
/// The limit keeps users who may drop files from filling the log.
struct PassedOver {
    /// Why something was passed over.
    enum Cause: Hashable {
        /// It is of a kind that cannot be a picture; the words for one, and for more.
        case kind(one: String, many: String)
        /// What was found about a file; the words complete "NAME …".
        case finding(String)
        /// Any other, if there are more causes than are told apart.
        case other
    }

    /// The most causes that are told apart in a minute.
    private static let mostCauses = 32

    /// How many more there were since the last line about each cause.
    ///
    /// A cause stays here while every minute brings more of it.
    private var more: [Cause: Int] = [:]

    /// Records files that were passed over.
    ///
    /// - Returns: The line about them; nil if there was one in this minute.
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
    /// - Returns: The lines about what was passed over in it and is not yet reported.
    mutating func endMinute() -> [String] {
        let told = more.filter { $0.value > 0 }
        // A cause that goes on gets its next line at the end of the next minute.
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
                "passed over: \(count) more, each of which \(why)"
            }
        case .other: "passed over: \(count) for other reasons"
        }
    }
}
