internal import ArgumentParser
internal import FoundationEssentials
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import SystemSupport

/// `luggage export`: writes the record, or a part of it, to a file.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the record, or a part of it, to a file.",
        discussion: """
            luggage export --output muc.json
            luggage export --output bags.csv --records bags
            luggage export --format jsonl --point destination \\
              | jq -r 'select(.record == "bag").id'
            luggage export --format messagepack | ssh gate luggage import -
            luggage export --format bpm --airport MUC --point load --output load.bpm

            Bags come with owner, weight (in pounds) and times; scans with the picture's digest and \
            the payload of the tag; facts tell what was typed, corrected, taken back, stated and \
            purged. All are sorted by identifier and time, so equal records give equal files. `luggage \
            import` reads all formats.

            Older versions of the program read only files of version 1, which hold the present state \
            of each bag and the scans that count: --file-version 1 writes them. A record of such a \
            version is exported as version 1 until `luggage check --settle` makes facts of it.

            bpm is for airlines, and no record: a message (IATA RP 1745) for each scan that counts of a \
            bag with a licence plate, in the order of time, with station and point.

            In CSV, a field that begins with = + - @ or a tab gets an apostrophe in front, because a \
            spreadsheet would take it for a formula. `luggage import` removes the apostrophe.
            """
    )

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to write; without it, standard output.",
            discussion: "It appears when it is complete; an export that fails leaves no file.",
            valueName: "path"
        ),
        completion: .file()
    )
    var output: String?

    @Option(word: "The format; without it, the one that the file's name tells, else json.")
    var format: ExportWord?

    @Option(
        help: ArgumentHelp(
            "With --format bpm, the airport of the stations, as MUC.",
            valueName: "letters"
        )
    )
    var airport: String?

    @Option(word: "Which kinds of records to write; a csv file has one kind.")
    var records: ExportSelection.Records = .all

    @Option(
        help: ArgumentHelp(
            "1 for older versions of the program, 2 for every fact.",
            valueName: "number"
        ),
        transform: { text in
            guard let version = Int(text).flatMap(ExportSelection.Version.init) else {
                throw ValidationError("expected 1 or 2")
            }
            return version
        }
    )
    var fileVersion: ExportSelection.Version = .facts

    @Option(
        parsing: .upToNextOption,
        help: "Only bags with this beginning of the identifier, or else this end, and their scans.",
        transform: { try IdentifierDigits(argument: $0) }
    )
    var identifier: [IdentifierDigits] = []

    @Option(help: "Only scans of this station, and the bags that were scanned there.")
    var station: String?

    @Option(
        help: ArgumentHelp(
            "Only scans at this point, and the bags that were scanned there: \(PointArgument.words).",
            valueName: PointArgument.valueName
        ),
        completion: PointArgument.completion
    )
    var point: String?

    @OptionGroup(title: "Which messages, with --format bpm") var times: PeriodOptions

    @Flag(help: "Replace the file that is there.")
    var force = false

    @Option(word: "Tell how many records went to the file: a line on a terminal, or a JSON object.")
    var report: OutputFormat?

    @OptionGroup var storeOptions: StoreOptions

    private var chosenFormat: ExchangeFormat {
        let name = output.map { URL(fileURLWithPath: $0).pathExtension } ?? ""
        return format?.format ?? ExchangeFormat(fileExtension: name) ?? .json
    }

    func validate() throws {
        try checkMessages()
        if chosenFormat == .csv && records == .all && !writesMessages {
            throw ValidationError(
                "a CSV file has one kind of records: add --records bags, scans or facts"
            )
        }
        if output == "" { throw ValidationError("--output names no file") }
        if output == nil && (force || report != nil) {
            throw ValidationError(
                "--force and --report need a file to write: add --output"
            )
        }
    }

    func run() throws {
        let container = try storeOptions.openForReading()
        if let station {
            try container.read { try RecordNames.check(station: station, in: $0) }
        }
        if let output {
            try storeOptions.record().protect(from: output)
            var file = try AtomicFile(path: output, replaces: force)
            let counts = try export(container) { try file.write($0) }
            try file.finish()
            try tell(counts)
        } else {
            let isShown = StandardOutput.isTerminal
            var lines = ShownLines()
            // Holds back the last part until it is known that there is anything: an empty export fits in one.
            var part: [UInt8] = []
            let counts = try export(container, isQuiet: isShown) { bytes in
                try StandardOutput.writeWhole(part)
                part = isShown ? lines.whole(bytes) : bytes
            }
            try StandardOutput.writeWhole(isShown ? part + lines.rest() : part)
            if StandardError.isTerminal && !isShown { StandardError.line(sentence(counts)) }
        }
    }

    private func export(
        _ container: PersistentContainer,
        isQuiet: Bool = false,
        to write: ([UInt8]) throws -> Void
    ) throws -> RecordCounts {
        if writesMessages { return try exportMessages(container, to: write) }
        let settings = storeOptions.settings.shared
        let beginnings = try container.read { context in
            try identifier.map { try BagSearch(context: context).beginning($0) }
        }
        let point = try container.read { try settings.point(asked: self.point, in: $0) }
        let selection = ExportSelection(
            records: records,
            identifierPrefixes: beginnings,
            station: station,
            point: point,
            version: fileVersion
        )
        var progress: Progress?
        defer { progress?.hide() }
        do {
            let exporter = StoreExporter(container: container, selection: selection)
            if fileVersion == .facts, records == .all || records == .scans, try !exporter.isSettled
            {
                StandardError.line(
                    "the record is of an older version of the program, so the file has version 1; "
                        + "`luggage check --settle` makes facts of it"
                )
            }
            let counts = try exporter.export(
                as: chosenFormat,
                progress: { done, total in
                    if progress == nil && !isQuiet { progress = Progress(total: total) }
                    progress?.show(done)
                },
                to: write
            )
            if counts.total == 0 && !selection.isWhole {
                throw Failure(
                    .incomplete,
                    "nothing on record fits these options; `luggage list` shows the bags"
                )
            }
            return counts
        } catch let error as ExportError {
            throw Failure(.ioFailed, error.description)
        }
    }

    private func tell(_ counts: RecordCounts) throws {
        if report == .json {
            try StandardOutput.jsonDocument(counts)
        } else if StandardError.isTerminal {
            StandardError.line(sentence(counts))
        }
    }

    private func sentence(_ counts: RecordCounts) -> String {
        let parts = [
            (counts.bags, "bag"), (counts.passengers, "passenger"), (counts.scans, "scan"),
            (counts.facts, "fact"),
        ].filter { $0.0 > 0 }.map { $0.0.counted($0.1) }
        return "exported " + (parts.isEmpty ? "nothing" : parts.joined(separator: ", "))
    }
}

/// Makes output for programs safe to show on a terminal, line by line.
private struct ShownLines {
    /// The beginning of a line whose end has not come yet.
    private var begun: [UInt8] = []

    /// Returns the lines that are complete now.
    mutating func whole(_ bytes: [UInt8]) -> [UInt8] {
        begun += bytes
        guard let end = begun.lastIndex(of: 0x0A) else { return [] }
        defer { begun.removeSubrange(...end) }
        return Self.shown(begun[...end])
    }

    /// Returns the last line, if it has no end.
    mutating func rest() -> [UInt8] {
        defer { begun = [] }
        return Self.shown(begun[...])
    }

    private static func shown(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            // CSV lines end with a carriage return too.
            let hasReturn = line.last == 0x0D
            let text = Array(hasReturn ? line.dropLast() : line).escapedText
            // Tabs indent the lines of a property list.
            return text.split(separator: "\t", omittingEmptySubsequences: false)
                .map { String($0).onOneLine }.joined(separator: "\t") + (hasReturn ? "\r" : "")
        }
        return Array(lines.joined(separator: "\n").utf8)
    }
}
