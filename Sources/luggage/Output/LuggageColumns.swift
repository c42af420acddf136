internal import Foundation
internal import LuggageTags
internal import ObjectStore

/// The columns for lists of bags.
struct LuggageColumns {
    /// The words with which the user chooses columns, in order.
    static let names = ["bag", "id", "plate", "owner", "weight", "departed", "arrived", "missing"]
    static let usual = ["bag", "owner", "weight", "departed", "arrived"]
    /// The default for a list of missing bags.
    static let ofMissing = ["bag", "owner", "weight", "departed", "missing"]

    private let units: MassUnit
    private let now = Date()
    let identifiers = ShortIdentifiers()
    private let times = LocalTimes()
    private let weights: Memo<Float>

    init(units: MassUnit = .pounds) {
        self.units = units
        weights = Memo { $0.text(in: units) }
    }

    /// The columns with some names.
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
                    units == .pounds ? "\($0)" : String(format: "%.2f", units.amount(of: $0))
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
        default: nil
        }
    }
}

extension LuggageReport {
    /// For how many seconds the bag has been missing; nil if it is not.
    func missing(at now: Date) -> TimeInterval? {
        guard arrivedAt == nil, let departedAt else { return nil }
        return max(0, now.timeIntervalSince(departedAt))
    }
}

extension TimeInterval {
    /// The duration in its two largest units: `2d 4h`, `6h 12m`, `5m`.
    var lengthOfTime: String {
        guard isFinite, abs(self) < 1e12 else { return "?" }
        let minutes = Int(self / 60)
        let (days, hours) = (minutes / 1440, minutes / 60 % 24)
        if days > 0 { return hours > 0 ? "\(days)d \(hours)h" : "\(days)d" }
        if hours > 0 { return minutes % 60 > 0 ? "\(hours)h \(minutes % 60)m" : "\(hours)h" }
        return "\(minutes)m"
    }
}
