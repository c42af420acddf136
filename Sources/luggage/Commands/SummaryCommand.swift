internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

/// `luggage summary`: shows the numbers of today, or of another period.
struct SummaryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Tell in figures what happened today, or in another period, and what is missing.",
        discussion: """
            luggage summary
            luggage summary --since yesterday --until yesterday
            luggage summary --since 8h --format json | jq .readRate

            It counts the scans of the period, without those that were taken back; missing bags are \
            those missing now. Tags typed with `luggage file` count as scans, but not in the read \
            rate, because no reader read them. Purged scans count by quarters of an hour; those that \
            an older version purged count if the period contains the whole day in UTC. 100.0% means \
            all, and 0.0% none: nearly all or nearly none shows as 99.9% or 0.1%.
            """
    )

    @OptionGroup var times: PeriodOptions

    @OptionGroup var unitsOptions: UnitsOptions

    @Option(word: "Lines for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func run() throws {
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
}
