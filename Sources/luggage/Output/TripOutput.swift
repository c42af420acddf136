internal import FoundationEssentials
internal import LuggageTags
internal import SystemSupport

/// Writes the numbers of trips for a person.
struct TripOutput {
    let units: MassUnit
    private let terminal = Terminal.current
    private var output = OutputBuffer()

    init(units: MassUnit) {
        self.units = units
    }

    /// Writes a table with a line for each trip.
    mutating func write(all trips: [TripSummary]) throws {
        let numbers = [
            "BAGS", "DEPARTED", "ARRIVED", "MISSING", "MISROUTED", "EXPECTED", "AWAITED",
        ]
        let rows = trips.map { trip in
            [
                trip.trip, trip.date ?? "-", "\(trip.bags)", "\(trip.departed)", "\(trip.arrived)",
                "\(trip.missing)", "\(trip.misrouted)", "\(trip.expected)", "\(trip.awaited)",
            ].map { FittedTable.Cell($0) }
        }
        let columns =
            [
                FittedTable.Column(heading: "TRIP", leastWidth: 6),
                FittedTable.Column(heading: "DATE", leastWidth: 10),
            ] + numbers.map { FittedTable.Column(heading: $0, isRightAligned: true) }
        let table = FittedTable(columns, rows: rows, on: terminal)
        try output.line(table.heading)
        for row in rows { try output.line(row, of: table) }
        try output.line("")
        try output.line(trips.count.counted("trip"))
        try output.flush()
    }

    /// Writes each trip with its points, and the bags that are not where they should be.
    mutating func write(each trips: [TripSummary]) throws {
        for (place, trip) in trips.enumerated() {
            if place > 0 { try output.line("") }
            try write(trip)
        }
        try output.flush()
    }

    private mutating func write(_ trip: TripSummary) throws {
        let day = trip.date.map { " on \($0)" } ?? ""
        try line(
            "Trip \(trip.trip.onOneLine)\(day): \(trip.bags.counted("bag")), \(trip.departed) departed, "
                + "\(trip.arrived) arrived, \(trip.missing) missing, \(trip.misrouted) misrouted"
        )
        for stop in trip.stops {
            let place = stop.place.map { " in \($0.onOneLine)" } ?? ""
            let lack = stop.awaited.count
            let rest =
                lack == 0 ? "" : lack == 1 ? "; this one has not:" : "; these \(lack) have not:"
            try line(
                "\(stop.passed) of \(stop.expected) have passed \(stop.point)\(place), "
                    + "due \(stop.due.local)\(rest)"
            )
            if lack > 0 { try write(stop.awaited) }
        }
        if !trip.unexpected.isEmpty {
            try line("\(trip.unexpected.count.counted("bag")) on no list:")
            try write(trip.unexpected)
        }
    }

    private mutating func write(_ bags: [LuggageReport]) throws {
        let columns = LuggageColumns(units: units)
        columns.identifiers.prepare(bags.map(\.id))
        let chosen = columns.columns(["bag", "owner", "weight", "departed", "arrived"])
        let cells = bags.map { bag in chosen.map { $0.cell(bag) } }
        let table = FittedTable(chosen.map(\.column), rows: cells, on: terminal)
        try output.line(table.heading)
        for row in cells { try output.line(row, of: table) }
    }

    private mutating func line(_ text: String) throws {
        try output.line(terminal.wrap(text))
    }
}
