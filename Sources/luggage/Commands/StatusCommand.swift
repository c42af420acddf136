internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// `luggage status`: shows what waits, is done and has failed in a watched folder.
struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract:
            "Show what waits, what is done and what has failed in a watched folder, and alarms.",
        discussion: """
            luggage status --folder /srv/luggage

            `luggage retry` tries a failed picture again, `luggage file --picture` files the tag that \
            you type from it, and `luggage dismiss` closes it. Alarms that nobody has taken note of are \
            shown until somebody does, with `luggage note`. The exit status is 1 if pictures have \
            failed, nobody watches the folder, filing has paused, the service cannot empty a \
            dropped folder, or an alarm is open. If the record has joined a hub, one line says how the exchange with it \
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
        let bounds = try watched.settings.shared.alarmBounds
        let known = known(within: bounds)
        switch format {
        case .json:
            try StandardOutput.jsonDocument(
                Document(report: report, hub: known?.hub, alarms: known?.alarms)
            )
        case .table: try write(report, known)
        }
        let isWorking = report.watchedBy != nil && report.pause == nil && report.left.isEmpty
        let hasAlarms = !(known?.alarms.isEmpty ?? true)
        if !report.failed.isEmpty || !isWorking || hasAlarms { throw ExitStatus.incomplete.code }
    }

    /// What the record knows.
    private struct Known {
        /// How the exchange with a hub stands; nil if there is none.
        var hub: HubStanding?
        /// The alarms that nobody has taken note of.
        var alarms: [Alarm]
    }

    /// Asks the record; nil if there is none, or it cannot be read now.
    private func known(within bounds: AlarmBounds) -> Known? {
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
            let container = try RecordFile.container(store)
            let open = try container.read { try Alarm.open(at: Date(), within: bounds, in: $0) }
            return Known(
                hub: try HubStanding(container, at: record.path),
                alarms: open.filter { $0.note == nil }
            )
        } catch {
            return nil
        }
    }

    private func write(_ report: FolderReport, _ known: Known?) throws {
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
        if let standing = known?.hub { try line(standing.line) }
        for words in report.left { try StandardOutput.line("left: \(words)") }
        try write(known?.alarms ?? [])
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

    /// The most alarms that are shown.
    private static let mostAlarms = 20

    private func write(_ alarms: [Alarm]) throws {
        if alarms.isEmpty { return }
        try StandardOutput.line("")
        do {
            var output = AlarmOutput()
            try output.write(Array(alarms.prefix(Self.mostAlarms)))
            let more = alarms.count - Self.mostAlarms
            try output.end(
                (more > 0 ? "and \(more) more; " : "")
                    + "`luggage note` lists alarms and takes note of them"
            )
        } catch is OutputClosed {
            return
        }
    }
}

/// The output of `--format json`.
private struct Document: Encodable {
    var report: FolderReport
    var hub: HubStanding?
    var alarms: [Alarm]?

    enum Key: CodingKey {
        case hub, alarms
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var values = encoder.container(keyedBy: Key.self)
        try values.encodeIfPresent(hub, forKey: .hub)
        try values.encodeIfPresent(alarms, forKey: .alarms)
    }
}
