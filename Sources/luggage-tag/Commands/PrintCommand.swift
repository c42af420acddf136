internal import ArgumentParser
internal import FoundationEssentials
internal import ProgramSupport
internal import TagPrinting

/// `luggage-tag print`: writes tags to files for a printer.
struct PrintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Draw a tag, or those of a table, for a printer.",
        discussion: """
            luggage-tag print --owner D/ZMU --from ZRH --to JFK --weight 42lb --out tag.png
            luggage-tag print --owner D/ZMU --to "Hotel Bellevue" --layout loop --stub --out tag.pdf
            luggage-tag print --from-csv passengers.csv --to JFK --out tags.pdf
            luggage-tag print --from-csv passengers.csv --printer socket://10.0.0.7:9100
            luggage-tag print --from-csv passengers.csv --out tags --format svg
            luggage-tag print --from-csv passengers.csv --out lx14.pdf --list tagged.csv

            The ending of the file's name tells the format. The first line of a table names its \
            columns: owner (D/ZMU), or given and family with whole names; from, to, trip, date, weight \
            (42lb, 19 kg; a number alone is pounds), id, and cancelled (yes for a bag that gets no tag). \
            Commas, semicolons or tabs separate them. \
            --from, --to, --trip, --date and --weight are for rows that have none, and a row without id \
            gets a new one. The code says where the bag is to go, so that a station whose place is set \
            finds a misrouted one. If anything in a table is wrong, the program prints none of its tags.

            --printer takes the name of a printer that CUPS knows; socket://HOST or socket://HOST:PORT, \
            or a device such as /dev/usb/lp0, for thermal printers that know ZPL.

            The program writes the identifier of each tag to standard output, unless the tag itself goes \
            there.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Print a tag for each row of a table, such as a list of passengers; - is standard input.",
            valueName: "path"
        ),
        completion: .file(extensions: ["csv"])
    )
    var fromCSV: String?

    @Option(
        help: ArgumentHelp(
            "Where to: a file that ends in .png, .pdf, .svg or .zpl; - is standard output.",
            discussion: """
                The pages of a table go into one file (.pdf, .zpl), or into a new folder, a file each.
                """,
            valueName: "path"
        ),
        completion: .file(extensions: TagFileFormat.allCases.map(\.rawValue))
    )
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Write the table again, with the identifier of each bag, for `luggage expect`.",
            valueName: "path"
        ),
        completion: .file(extensions: ["csv"])
    )
    var list: String?

    @Option(
        help: ArgumentHelp(
            "Which printer: a name that CUPS knows, or where ZPL goes, unaltered.",
            valueName: "name|socket://host:port|device"
        ),
        transform: TagText.option(PrinterAddress.init)
    )
    var printer: PrinterAddress?

    @Option(word: "The format, if the name does not tell it.")
    var format: TagFileFormat?

    @Flag(help: "Replace the files that are there.")
    var force = false

    @OptionGroup(title: "What is on the tag") var tag: TagOptions

    @OptionGroup(title: "How it is printed") var printing: PrintingOptions

    func validate() throws {
        if fromCSV == nil { try tag.checkIsComplete() } else { try tag.checkIsForTable() }
        if let list, fromCSV == nil || list.isEmpty || list == "-" || list == out {
            throw ValidationError(
                "--list names another file, in which the table of --from-csv is written again"
            )
        }
        switch (destination, printer) {
        case (let destination?, nil): try check(destination)
        case (nil, let printer?): try check(printer)
        case (nil, nil):
            throw ValidationError("say where the tags go: --out names a file, --printer a printer")
        default:
            throw ValidationError(
                "--out and --printer contradict each other; leave one of them out"
            )
        }
        _ = try tagPrinter
    }

    private func check(_ destination: TagDestination) throws {
        let out = destination.path
        if out.isEmpty { throw ValidationError("--out names no file") }
        if out == "-" && format == nil {
            throw ValidationError("standard output has no name that tells a format: add --format")
        }
        if let told = destination.told, let format, told != format {
            throw ValidationError(
                "--format \(format.rawValue) contradicts the ending of '\(out)'; leave --format out, or "
                    + "name another file"
            )
        }
        let fileFormat = destination.told ?? (out == "-" ? format : nil)
        if fromCSV != nil, let fileFormat, !fileFormat.hasPages {
            throw ValidationError(
                "a \(fileFormat.name) file has one page; for those of a table name a folder, or a file "
                    + "that ends in .pdf or .zpl"
            )
        }
        if fromCSV == nil && format == nil && destination.format == nil {
            throw ValidationError(
                "'\(out)' tells no format; let it end in .png, .pdf, .svg or .zpl, or add --format"
            )
        }
    }

    private func check(_ printer: PrinterAddress) throws {
        if force && list == nil {
            throw ValidationError("--force is for files; a printer replaces none")
        }
        guard let format, format != .zpl else { return }
        if case .queue = printer, format == .pdf { return }
        throw ValidationError(
            "--format \(format.rawValue) is for files; \(printer) gets ZPL, or through CUPS PDF"
        )
    }

    /// The file or folder of the tags, and their format.
    private var destination: TagDestination? {
        out.map { TagDestination($0, format, isForTable: fromCSV != nil) }
    }

    /// The format in which they are drawn.
    private var drawnFormat: TagFileFormat {
        if case .queue? = printer { return format ?? .pdf }
        return printer == nil ? destination?.format ?? .png : .zpl
    }

    private var tagPrinter: TagPrinter { get throws { try printing.printer(for: drawnFormat) } }

    func run() throws {
        if out == "-" && StandardOutput.isTerminal {
            throw ValidationError(
                "a terminal cannot show tags; redirect the output to a printer or a file"
            )
        }
        let tags: TagSource =
            try fromCSV.map { .table(try TagTable(path: $0, defaults: tag)) } ?? .one(tag.tag())
        guard let list, let table = tags.completedTable else { return try print(tags) }
        let file = TagDestination(list, nil, isForTable: false)
        if printer != nil {
            // If only some come out, the rest is printed from this list with the same identifiers.
            try file.write(table, replaces: force)
            try print(tags)
        } else {
            // What cannot be written is found out before anything is.
            _ = try AtomicFile(path: list, replaces: force)
            try print(tags)
            try file.write(table, replaces: force)
        }
    }

    private func print(_ tags: TagSource) throws {
        do {
            let writer = TagWriter(tags: tags, printer: try tagPrinter, format: drawnFormat)
            if let printer {
                try writer.send(to: printer)
            } else if let destination {
                try writer.write(to: destination, replaces: force)
            }
            if out == "-" { return }
            for identifier in tags.identifiers { try StandardOutput.line(identifier.uuidString) }
        } catch let error as TagPrintingError {
            throw Failure(error.code == .printer ? .ioFailed : .incomplete, error.inOptions)
        }
    }
}
