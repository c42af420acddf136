import Foundation
import LuggageTags
import ObjectStore

/// A suite about lists of expected bags.
protocol ListSuite: OneBagSuite {}

extension ListSuite {
    /// An hour of a day.
    static func date(_ hour: Double) -> Date {
        Date(timeIntervalSince1970: 1_000_000 + hour * 3600)
    }

    /// What holds for the bags of a list that does not say it.
    var defaults: ExpectationDefaults {
        var defaults = ExpectationDefaults()
        (defaults.point, defaults.place, defaults.due) = (.load, "ZRH", Self.date(10))
        defaults.route = Route(trip: "LX14", date: "2026-07-01")
        return defaults
    }

    /// Files a list at an hour.
    @discardableResult
    func file(
        _ text: String,
        _ defaults: ExpectationDefaults? = nil,
        hour: Double = 100
    ) throws -> ImportReport {
        let list = ExpectationList(Array(text.utf8), defaults ?? self.defaults)
        let now = Self.date(hour)
        return try ExpectationRecorder(
            container: container,
            bounds: TagBounds(earliest: Self.date(-1000), heaviest: 1000),
            by: Self.anna,
            named: "lx14.csv",
            now: { now }
        ).file(list)
    }

    /// How many bags are expected where nobody has seen them.
    func awaited(_ container: PersistentContainer? = nil) throws -> Int {
        var question = LuggageQuestion()
        question.isAwaited = true
        return try (container ?? self.container).read { try question.count(in: $0) }
    }
}
