internal import ArgumentParser
internal import LuggageService
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SQLiteStore
internal import SystemSupport

/// `luggage check`: compares the record, its history and the filed pictures.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check whether the record, its history and the filed pictures agree.",
        discussion: """
            luggage check
            luggage check --folder /srv/luggage --format json

            It says what is wrong and what to do about it. It changes nothing without --settle, and \
            other programs may file meanwhile. With --folder, it also reads every picture in \
            processed, duplicates and failed. The exit status is 1 if something is wrong.
            """
    )

    @Option(
        help: ArgumentHelp(
            "A watched folder; if several file into this record, name each with --folder.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var folder: [String] = []

    @Flag(
        help: """
            First derive each bag anew from its scans and corrections, and spell names as the record \
            keeps them, as after an older version.
            """
    )
    var settle = false

    @Option(word: "Sentences for people, or a JSON object for programs.")
    var format: OutputFormat = .table

    @OptionGroup var storeOptions: StoreOptions

    func run() async throws {
        var findings: [RecordFinding] = []
        if settle {
            let record = try storeOptions.openForCorrecting()
            let count = try RecordCheckup(container: record).settle()
            StandardError.line("\(count.counted("bag")) settled")
        }
        do {
            findings = try await look().map(\.inCommands)
        } catch let error as StoreError where error.code == .damaged {
            findings.append(
                RecordFinding(.damaged, error.message, remedy: Self.restoring)
            )
        }
        switch format {
        case .json: try StandardOutput.jsonDocument(CheckReport(findings: findings))
        case .table: try write(findings)
        }
        if !findings.isEmpty { throw ExitStatus.incomplete.code }
    }

    private static let restoring: Remedy = "put the last copy in its place with `luggage restore`"

    private func look() async throws -> [RecordFinding] {
        let container = try storeOptions.openForReading(tellsLosses: false)
        let layouts = try layouts()
        let store = try storeOptions.record().open(.read, tellsLosses: false)
        let damage = try store.checkIntegrity().map {
            RecordFinding(.damaged, $0, remedy: Self.restoring)
        }
        // Content read from a damaged file proves little.
        if !damage.isEmpty { return damage }
        var findings = try RecordCheckup(container: container).findings()
        do {
            try storeOptions.record().losses(of: store)
        } catch let error as StoreError {
            findings.append(RecordFinding(.savesLost, error.message, remedy: Self.restoring))
        }
        return try await findings + FolderCheckup(layouts, container).findings()
    }

    /// The folders that the command line names.
    ///
    /// - Throws: ``Failure`` if one was never watched.
    private func layouts() throws -> [FolderLayout] {
        let settings = storeOptions.settings.shared
        let layouts = try folder.map { FolderLayout(path: $0, points: try settings.points) }
        for layout in layouts where !layout.hasDestinations {
            do {
                _ = try FolderReport(layout)
            } catch {
                throw Failure(error, in: layout)
            }
        }
        return layouts
    }

    private func write(_ findings: [RecordFinding]) throws {
        let terminal = Terminal.current
        if findings.isEmpty {
            let pictures = folder.isEmpty ? "" : ", and the pictures agree with it"
            return try StandardOutput.line(terminal.wrap("the record is well\(pictures)"))
        }
        for finding in findings {
            try StandardOutput.line(terminal.wrap(finding.message.onOneLine))
            try StandardOutput.line(terminal.wrap("what to do: \(finding.remedy)", indent: 2))
        }
        try StandardOutput.line("\n" + findings.count.counted("finding"))
    }
}

/// The output of `--format json`.
private struct CheckReport: Encodable {
    var findings: [RecordFinding]
}
