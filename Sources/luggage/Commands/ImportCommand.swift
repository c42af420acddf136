internal import ArgumentParser
internal import LuggageTags
internal import ObjectStore
internal import ProgramSupport
internal import Synchronization

/// `luggage import`: merges another station's export into the record.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Merge an exported file with the record.",
        discussion: """
            luggage import muc.json
            luggage import --partial --merge-policy store-trump bags.csv
            ssh gate luggage export --format messagepack | luggage import -

            The program finds the format by the content. Stations that import from one another what they \
            export have the same on record in the end, in whatever order and however often. A file \
            may also be written by hand: JSON lines or a JSON list of bags as tags have them, or CSV \
            with the columns of `luggage export`.

            new: was not on record; updated: has added something; changed: contradicts the record \
            about owner or weight; repeated: was on record; refused: is wrong, with the reason. Records \
            of which not even that can be told are counted as unknown. If anything is refused, nothing of the file is kept, unless --partial is given.

            Which side counts where bags differ: object-trump, the file; store-trump, the record; \
            overwrite, the file's bag as a whole; rollback, the record as a whole; error, such a bag \
            is refused. What the scans of a bag say about its weight and owner counts under all of \
            them.

            `luggage undo` takes an import back as a whole: what it has brought stays on record, marked, \
            and counts no more, here and wherever that is imported.
            """
    )

    @Argument(
        help: ArgumentHelp("The file, or - for standard input.", valueName: "path"),
        completion: .file()
    )
    var file: String

    @Option(word: "The format of the file, if its content does not tell it.")
    var format: ExchangeFormat?

    @Option(word: "Which side counts where bags differ.")
    var mergePolicy: ImportPolicy = .objectTrump

    @Flag(help: "Keep what is right, although something else is refused.")
    var partial = false

    @Option(word: "What came of it: a table for people, or a JSON object for programs.")
    var report: OutputFormat = .table

    @OptionGroup var person: PersonOptions

    @OptionGroup var storeOptions: StoreOptions

    func validate() throws {
        if file == "" { throw ValidationError("name the file to import, or - for standard input") }
    }

    func run() throws {
        let input = try InputFile(path: file)
        // Opens the record only for a file of a known format: a refused file must not make a record.
        let record = try storeOptions.record()
        let bounds = try storeOptions.settings.shared.bounds
        let first = Mutex<FirstRecord?>(nil)
        let importer = StoreImporter(
            policy: mergePolicy,
            isPartial: partial,
            bounds: bounds,
            by: person.with(reason: nil),
            named: input.name
        ) {
            try record.refuseWritingToOthers()
            // What a partial import has merged stays, however it ends.
            guard !partial, FirstRecord.isNeeded(for: record) else {
                return try record.openForFiling()
            }
            return try first.withLock {
                let made = try FirstRecord(for: record)
                $0 = made
                return made.container
            }
        }
        defer { first.withLock { $0 = nil } }
        var progress = Progress(total: (input.byteCount ?? 0) >> 10, unit: " KiB")
        let result: ImportReport
        do {
            defer { progress.hide() }
            result = try importer.run(format: format) {
                progress.show(input.position >> 10)
                return try input.read()
            }.inCommands
            if result.isKept { try first.withLock { try $0?.putInPlace() } }
        }
        switch report {
        case .json: try StandardOutput.jsonDocument(result)
        case .table: try ImportOutput(file: input.name).write(result)
        }
        if !result.isClean { throw ExitStatus.incomplete.code }
    }
}
