internal import ArgumentParser
internal import Foundation
internal import LuggageService
internal import LuggageTags
internal import ProgramSupport
internal import SQLiteStore
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
            dropped folder. If the record has joined a hub, one line says how the exchange with it \
            stands; `luggage sync status` says more.
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
        let standing = hubStanding
        switch format {
        case .json: try StandardOutput.jsonDocument(Document(report: report, hub: standing))
        case .table: try write(report, standing)
        }
        let isWorking = report.watchedBy != nil && report.pause == nil && report.left.isEmpty
        if !report.failed.isEmpty || !isWorking { throw ExitStatus.incomplete.code }
    }

    /// How the exchange with a hub stands; nil if there is none, or nothing can be known of it now.
    private var hubStanding: HubStanding? {
        guard let record = try? RecordFile(named: nil, watched.settings.shared),
            !SQLiteStore.isMissing(at: record.path)
        else { return nil }
        do {
            try record.refuseReadingOfOthers()
            try record.refuseFilesOfOthers()
            try RecordMark(of: record.path).refuseStrayLog()
            // The folder can be told of while somebody keeps the record locked.
            let store = try SQLiteStore(path: record.path, access: .read, lockTimeout: .seconds(1))
            defer { try? store.close() }
            return try HubStanding(RecordFile.container(store), at: record.path)
        } catch {
            return nil
        }
    }

    private func write(_ report: FolderReport, _ standing: HubStanding?) throws {
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
        if let standing { try line(standing.line) }
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

/// The output of `--format json`.
private struct Document: Encodable {
    var report: FolderReport
    var hub: HubStanding?

    enum Key: CodingKey {
        case hub
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(hub, forKey: .hub)
    }
}
