internal import ArgumentParser
internal import LuggageTags
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

            The program recognises the format by the content. Stations that import each other's \
            exports end with equal records, in any order and any number of times. You can also write a \
            file by hand: JSON lines or a JSON list of bags as on tags, or CSV with the columns of \
            `luggage export`.

            new: was not on record; updated: added something; changed: contradicts the record about \
            owner or weight; repeated: was on record; refused: is wrong, with the reason. A refused \
            record whose kind cannot be told counts as unknown. If the program refuses anything, it \
            keeps nothing of the file, unless you give --partial.

            --merge-policy says which side counts if bags differ: object-trump, the file; store-trump, \
            the record; overwrite, the file's bag as a whole; rollback, the record's bag as a whole; \
            error refuses such a bag. With each of them, what the scans of a bag say about its weight \
            and owner counts.

            `luggage undo` takes an import back as a whole: what it brought stays on record, marked, \
            but no longer counts, here and in every record that imports from this one.
            """
    )

    @Argument(
        help: ArgumentHelp("The file, or - for standard input.", valueName: "path"),
        completion: .file()
    )
    var file: String

    @Option(word: "The format of the file, if its content does not tell it.")
    var format: ExchangeFormat?

    @Option(word: "Which side counts if bags differ.")
    var mergePolicy: ImportPolicy = .objectTrump

    @Flag(help: "Keep the correct records, even if others are refused.")
    var partial = false

    @Option(word: "How to report: a table for people, or a JSON object for programs.")
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
