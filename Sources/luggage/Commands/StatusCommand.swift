internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport
internal import SystemSupport

/// `luggage status`: shows what waits, is done and has failed in a watched folder.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show what waits, what is done and what has failed in a watched folder.",
        discussion: """
            luggage status --folder /srv/luggage

            `luggage retry` tries a failed picture again, `luggage file --picture` files the tag that \
            you type from it, and `luggage dismiss` closes it. The exit status is 1 if pictures have \
            failed, nobody watches the folder, filing has paused, or the service cannot empty a \
            dropped folder.
            """
    )

    @OptionGroup var watched: WatchedFolder

    @Option(word: "Lines for people, or one JSON object for programs.")
    var format: OutputFormat = .table

    func run() throws {
        let report: FolderReport
        let layout = try watched.layout()
        do {
            report = try FolderReport(layout)
        } catch {
            throw Failure(error, in: layout)
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(report)
        case .table: try write(report)
        }
        let isWorking = report.watchedBy != nil && report.pause == nil && report.left.isEmpty
        if !report.failed.isEmpty || !isWorking { throw ExitStatus.incomplete.code }
    }

    private func write(_ report: FolderReport) throws {
        let owner = report.watchedBy.map { "watched by \($0)" } ?? "nobody watches it"
        let pending = report.pending.sorted { $0.key < $1.key }.map { "\($0.value) at \($0.key)" }
        let terminal = Terminal.current
        func line(_ text: String) throws { try StandardOutput.line(terminal.wrap(text)) }
        try line("\(report.folder.onOneLine): \(owner)")
        if let pause = report.pause {
            try line("filing has paused since \(pause.since.local): \(pause.message.onOneLine)")
        }
        try line(
            "waiting: \(pending.joined(separator: ", ")); processed: \(report.processed); "
                + "duplicates: \(report.duplicates); failed: \(report.failed.count)"
        )
        for words in report.left { try StandardOutput.line("left: \(words)") }
        guard !report.failed.isEmpty else { return }
        let cells = report.failed.map { picture in
            [
                picture.displayName, picture.note?.reason ?? "-",
                picture.note?.message ?? "no note beside it says why",
            ].map { FittedTable.Cell($0) }
        }
        let table = FittedTable(
            [
                .init(heading: "FAILED", leastWidth: 16, hasFileNames: true),
                .init(heading: "REASON"), .init(heading: "WHAT IS WRONG", isSentence: true),
            ],
            rows: cells,
            on: terminal
        )
        try StandardOutput.line("\n" + table.heading)
        for row in cells { try StandardOutput.line(table.line(row)) }
    }
}
