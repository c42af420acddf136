internal import FoundationEssentials
internal import LuggageTags

/// The columns for lists of a bag's journeys.
enum JourneyColumns {
    static var all: [ListColumn<Journey>] {
        let times = LocalTimes()
        func column(_ name: String, _ time: @escaping (Journey) -> Date?) -> ListColumn<Journey> {
            ListColumn(name, leastWidth: 16, usualWidth: 20, field: "\(name)At") {
                time($0)?.reportText ?? ""
            } cell: { journey in
                time(journey).map { .init(times.text($0), isTime: true) } ?? .init("-")
            }
        }
        let underWay = ListColumn<Journey>("under way", leastWidth: 16, field: "underWay") {
            journey in
            journey.underWay.map { "\($0.point) \($0.date.reportText)" }.joined(separator: ", ")
        } cell: { journey in
            let places = journey.underWay.map { "\($0.point) \(times.text($0.date))" }
            return .init(places.isEmpty ? "-" : places.joined(separator: ", "))
        }
        return [column("departed", \.departedAt), underWay, column("arrived", \.arrivedAt)]
    }
}
