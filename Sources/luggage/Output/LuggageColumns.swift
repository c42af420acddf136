internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore
internal import SystemSupport

/// The columns for lists of bags.
struct LuggageColumns {
    /// The words with which the user chooses columns, in order.
    static let names = [
        "bag", "id", "plate", "owner", "weight", "departed", "arrived", "missing", "from", "to",
        "trip",
        "date",
        "misrouted", "seen",
    ]
    static let usual = ["bag", "owner", "weight", "departed", "arrived"]
    /// The default for a list of missing bags.
    static let ofMissing = ["bag", "owner", "weight", "departed", "missing"]

    /// The default for a list of bags of a trip.
    static let ofTrip = ["bag", "owner", "trip", "date", "from", "to", "departed", "arrived"]
    /// The default for a list of misrouted bags.
    static let ofMisrouted = ["bag", "owner", "trip", "from", "to", "seen", "misrouted"]

    private let units: MassUnit
    private let now = Date()
    let identifiers = ShortIdentifiers()
    private let times = LocalTimes()
    private let weights: Memo<Float>

    init(units: MassUnit = .pounds) {
        self.units = units
        weights = Memo { $0.text(in: units) }
    }

    func columns(_ names: [String]) -> [ListColumn<LuggageReport>] {
        names.compactMap(column)
    }

    private func column(_ name: String) -> ListColumn<LuggageReport>? {
        switch name {
        case "bag":
            ListColumn(name, usualWidth: 8, field: "id", value: \.id.text) { [identifiers] in
                .init(identifiers.text($0.id))
            }
        case "id":
            ListColumn(name, leastWidth: 13, value: \.id.text) { .init($0.id.text) }
        case "plate":
            ListColumn(name, usualWidth: 10) {
                LicencePlate($0.id)?.description ?? ""
            } cell: {
                .init(LicencePlate($0.id)?.description ?? "-")
            }
        case "owner":
            ListColumn(name, leastWidth: 8, usualWidth: 5) {
                $0.owner?.name.description ?? ""
            } cell: {
                .init($0.owner?.name.description ?? "-")
            }
        case "weight":
            // Cut if it is long, so that an absurd weight leaves room for the other columns.
            ListColumn(
                name,
                isRightAligned: true,
                leastWidth: 10,
                usualWidth: 8,
                field: "weight_\(units.rawValue)"
            ) {
                [units] report in
                report.weight.map {
                    units == .pounds ? "\($0)" : units.amount(of: $0).text(decimals: 2)
                } ?? ""
            } cell: { [weights] in
                .init($0.weight.map { weights($0) } ?? "-")
            }
        case "departed":
            ListColumn(name, leastWidth: 16, usualWidth: 20, field: "departedAt") {
                $0.departedAt?.reportText ?? ""
            } cell: { [times] in
                .init($0.departedAt.map(times.text) ?? "-", isTime: true)
            }
        case "arrived":
            ListColumn(name, leastWidth: 16, usualWidth: 20, field: "arrivedAt") {
                $0.arrivedAt?.reportText ?? ""
            } cell: { [times] in
                .init(
                    $0.arrivedAt.map(times.text) ?? "-",
                    $0.arrivedAt == nil ? .warning : nil,
                    isTime: true
                )
            }
        case "missing":
            ListColumn(name, "MISSING FOR", isRightAligned: true, field: "missingSeconds") {
                [now] in
                $0.missing(at: now).map { "\(Int($0))" } ?? ""
            } cell: { [now] in
                .init($0.missing(at: now)?.lengthOfTime ?? "-")
            }
        case "from": text(name) { $0.route?.from }
        case "to": text(name) { $0.route?.to }
        case "trip": text(name) { $0.route?.trip }
        case "date": text(name, leastWidth: 10) { $0.route?.date }
        case "seen": text(name, "SEEN IN", field: "misroutedTo") { $0.misroutedTo }
        case "misrouted":
            ListColumn(name, "AT", leastWidth: 16, usualWidth: 20, field: "misroutedAt") {
                $0.misroutedAt?.reportText ?? ""
            } cell: { [times] in
                .init($0.misroutedAt.map(times.text) ?? "-", isTime: true)
            }
        default: nil
        }
    }

    private func text(
        _ name: String,
        _ heading: String? = nil,
        leastWidth: Int = 6,
        field: String? = nil,
        _ value: @escaping (LuggageReport) -> String?
    ) -> ListColumn<LuggageReport> {
        ListColumn(name, heading, leastWidth: leastWidth, field: field) {
            value($0) ?? ""
        } cell: {
            .init(value($0) ?? "-")
        }
    }
}
