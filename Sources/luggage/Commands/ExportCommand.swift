internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport

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

            Bags come with owner, weight (in pounds) and times, scans with the picture's digest and the \
            payload of the tag; facts are what was typed, corrected, taken back, stated and purged. They \
            are in the order of identifiers and times, so that equal records give equal files. `luggage \
            import` reads all of the formats.

            Older versions of the program read files of version 1 only, which tell what bags have come \
            to, and the scans that count: --file-version 1 writes them. The record of such a program is \
            written so until `luggage check --settle` has made facts of it.

            In CSV, a field that a spreadsheet would take for a formula, since it begins with = + - @ \
            or a tab, has an apostrophe in front, which `luggage import` takes off again.
            """
    )

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The file to write; without it, standard output.",
            discussion: "It appears when it is complete; an export that fails leaves none.",
            valueName: "path"
        ),
        completion: .file()
    )
    var output: String?

    @Option(word: "The format of the records; without it, that of the file's name, else json.")
    var format: ExchangeFormat?

    @Option(word: "Which kinds of records: csv has one kind a file.")
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
        help: "Only bags whose identifiers begin so, else the one that ends so, with their scans.",
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

    @Flag(help: "Replace the file that is there.")
    var force = false

    @Option(word: "How many records went to a file: a line for who watches, or a JSON object.")
    var report: OutputFormat?

    @OptionGroup var storeOptions: StoreOptions

    private var chosenFormat: ExchangeFormat {
        let name = output.map { URL(fileURLWithPath: $0).pathExtension } ?? ""
        return format ?? ExchangeFormat(fileExtension: name) ?? .json
    }

    func validate() throws {
        if chosenFormat == .csv && records == .all {
            throw ValidationError(
                "a CSV file has one kind of records: add --records bags, scans or facts"
            )
        }
        if output == "" { throw ValidationError("--output names no file") }
        if output == nil && (force || report != nil) {
            throw ValidationError(
                "--force and --report are for records that go to a file: --output"
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
                    "nothing on record is selected; `luggage list` shows the bags"
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
