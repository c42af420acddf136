internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport

/// `luggage status`: what waits, what is done and what has failed in a watched folder.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tell what waits, what is done and what has failed in a watched folder.",
        discussion: """
            luggage status --folder /srv/luggage

            A failed picture is tried again with `luggage retry`, typed with `luggage file --picture`, or \
            closed with `luggage dismiss`. The exit status is 1 where pictures have failed, nobody watches the folder, or filing has
            paused.
            """
    )

    @OptionGroup var watched: WatchedFolder

    @Option(word: "Lines for people, or one JSON object for programs.")
    var format: OutputFormat = .table

    func run() throws {
        let report: FolderReport
        do {
            report = try FolderReport(watched.layout())
        } catch let error as FilingError {
            throw Failure(error)
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(report)
        case .table: try write(report)
        }
        let isWorking = report.watchedBy != nil && report.pause == nil
        if !report.failed.isEmpty || !isWorking { throw ExitStatus.incomplete.code }
    }

    private func write(_ report: FolderReport) throws {
        let owner = report.watchedBy.map { "watched by \($0)" } ?? "nobody watches it"
        let pending = report.pending.sorted { $0.key < $1.key }.map { "\($0.value) at \($0.key)" }
        try StandardOutput.line("\(report.folder.onOneLine): \(owner)")
        if let pause = report.pause {
            try StandardOutput.line(
                "filing has paused since \(pause.since.local): \(pause.message.onOneLine)"
            )
        }
        try StandardOutput.line(
            "waiting: \(pending.joined(separator: ", ")); processed: \(report.processed); "
                + "duplicates: \(report.duplicates); failed: \(report.failed.count)"
        )
        guard !report.failed.isEmpty else { return }
        let cells = report.failed.map { picture in
            [
                picture.displayName, picture.note?.reason ?? "-",
                picture.note?.message ?? "nothing beside it says why",
            ].map { FittedTable.Cell($0) }
        }
        // What is wrong is never cut, and stands last.
        let table = FittedTable(
            [.init(heading: "FAILED"), .init(heading: "REASON"), .init(heading: "WHAT IS WRONG")],
            rows: cells,
            on: .none
        )
        try StandardOutput.line("\n" + table.heading)
        for row in cells { try StandardOutput.line(table.line(row)) }
    }
}
