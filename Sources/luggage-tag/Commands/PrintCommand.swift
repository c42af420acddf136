internal import ArgumentParser
internal import Foundation
internal import LuggageTags
internal import ProgramSupport
internal import TagPrinting

/// `luggage-tag print`: writes tags to files for a printer.
struct PrintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "print",
        abstract: "Draw a tag, or those of a table, for a printer.",
        discussion: """
            luggage-tag print --owner D/ZMU --from ZRH --to JFK --weight 42lb --out tag.png
            luggage-tag print --owner D/ZMU --from ZRH --to JFK --weight 19kg \\
              --size strip --dpi 203 --out - --format zpl >/dev/usb/lp0
            luggage-tag print --from-csv passengers.csv --out tags.pdf
            luggage-tag print --from-csv passengers.csv --out tags --format svg

            The ending of the file's name tells the format. The first line of a table names its \
            columns: owner (D/ZMU), or given and family; from, to, weight (42lb, 19 kg; a number alone \
            is pounds), trip, date, and id. --from, --to, --trip and --date are for rows that have none, \
            and a row without id gets a new one. The code says where the bag is to go, so that a station \
            whose place is set finds a misrouted one. If anything in a table is wrong, the program prints none of its tags.

            The program writes the identifier of each tag to standard output, unless the tag itself goes \
            there.
            """
    )

    @Option(
        help: ArgumentHelp(
            "Print a tag for each row of a table in comma-separated values; - is standard input.",
            valueName: "path"
        ),
        completion: .file(extensions: ["csv"])
    )
    var fromCSV: String?

    @Option(
        help: ArgumentHelp(
            "Where to: a file that ends in .png, .pdf, .svg or .zpl; - is standard output.",
            discussion: """
                The tags of a table go into one file of pages (.pdf, .zpl), or into a new folder, a file \
                each.
                """,
            valueName: "path"
        ),
        completion: .file(extensions: TagFileFormat.allCases.map(\.rawValue))
    )
    var out: String

    @Option(word: "The format, if the name does not tell it.")
    var format: TagFileFormat?

    @Flag(help: "Replace the file that is there.")
    var force = false

    @OptionGroup(title: "What is on the tag") var tag: TagOptions

    @OptionGroup(title: "How it is printed") var printing: PrintingOptions

    func validate() throws {
        if out.isEmpty { throw ValidationError("--out names no file") }
        if fromCSV == nil { try tag.checkIsComplete() } else { try tag.checkIsForTable() }
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
                "a \(fileFormat.name) file has one tag; for those of a table name a folder, or a file "
                    + "that ends in .pdf or .zpl"
            )
        }
        if fromCSV == nil && format == nil && destination.format == nil {
            throw ValidationError(
                "'\(out)' tells no format; let it end in .png, .pdf, .svg or .zpl, or add --format"
            )
        }
        _ = try printer
    }

    /// The destination of the tags, and their format.
    private var destination: TagDestination {
        TagDestination(out, format, isForTable: fromCSV != nil)
    }

    private var printer: TagPrinter { get throws { try printing.printer(for: destination.format) } }

    func run() throws {
        if out == "-" && StandardOutput.isTerminal {
            throw ValidationError(
                "a terminal cannot show tags; redirect the output to a printer or a file"
            )
        }
        let printer = try printer
        do {
            if let fromCSV {
                let table = try TagTable(path: fromCSV, defaults: tag)
                try TagTableWriter(table, printer, to: destination, replaces: force).write()
            } else {
                let tag = try tag.tag()
                let bytes = try printer.file(of: [tag], as: destination.format ?? .png)
                try destination.write(bytes, replaces: force)
                if out != "-" { try StandardOutput.line(tag.identifier.uuidString) }
            }
        } catch let error as TagPrintingError {
            throw Failure(.incomplete, error.inOptions)
        }
    }
}
