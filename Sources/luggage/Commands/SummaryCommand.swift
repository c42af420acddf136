internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// `luggage summary`: shows the numbers of today, or of another period.
struct SummaryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Tell in figures what happened today, or in another period, and what is missing.",
        discussion: """
            luggage summary
            luggage summary --since yesterday --until yesterday
            luggage summary --since 8h --format json | jq .readRate
            luggage summary --trip LX14 --date 2026-07-01
            luggage summary --by trip

            It counts the scans of the period, without those that were taken back; missing bags are \
            those missing now. Tags typed with `luggage file` count as scans, but not in the read \
            rate, because no reader read them. Purged scans count by quarters of an hour; those that \
            an older version purged count if the period contains the whole day in UTC. 100.0% means \
            all, and 0.0% none: nearly all or nearly none shows as 99.9% or 0.1%.

            With --trip it tells how many bags of a trip have departed and arrived, how many have passed the \
            points where lists expect them, and which have not; with --by trip, the numbers of all trips.
            """
    )

    @OptionGroup var times: PeriodOptions

    @OptionGroup var trip: TripOptions

    @Option(word: "The numbers of each trip, in place of those of stations.")
    var by: SummaryGroup?

    @OptionGroup var unitsOptions: UnitsOptions

    @Option(word: "Lines for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if trip.question != nil || by != nil, !times.period.isUnbounded {
            throw ValidationError(
                "the numbers of a trip are of its whole time: leave out the period"
            )
        }
        if trip.question != nil && by != nil {
            throw ValidationError("--trip is one trip, and --by trip all of them: leave one out")
        }
    }

    func run() throws {
        if trip.question != nil || by != nil { return try runForTrips() }
        let units = try unitsOptions.unit(by: storeOptions.settings.shared)
        var period = times.period
        if period.isUnbounded { period.since = try TimeArgument("today").beginning }
        let summary = try storeOptions.openForReading().read { context in
            try RecordSummary(of: period, in: context)
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(summary)
        case .table:
            do {
                var output = SummaryOutput(summary, in: units)
                try output.write()
            } catch is OutputClosed {
                return
            }
        }
    }

    private func runForTrips() throws {
        let trips = try storeOptions.openForReading().read { context in
            try TripSummary.trips(trip.question, in: context)
        }
        if let question = trip.question, trips.isEmpty {
            throw Failure(
                .incomplete,
                "no tag and no list names the trip \(question.trip.onOneLine)"
                    + (question.date.map { " on \($0)" } ?? "")
                    + "; `luggage summary --by trip` lists them"
            )
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(trips)
        case .table:
            do {
                var output = TripOutput(
                    units: try unitsOptions.unit(by: storeOptions.settings.shared)
                )
                if by == nil { try output.write(each: trips) } else { try output.write(all: trips) }
            } catch is OutputClosed {
                return
            }
        }
    }
}

/// What the numbers of a summary are told by.
enum SummaryGroup: String, CaseIterable {
    case trip
}
