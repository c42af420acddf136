internal import FoundationEssentials
internal import ProgramSupport
internal import TagPrinting

/// Writes tags, all of them or none.
struct TagWriter {
    let tags: TagSource
    let printer: TagPrinter
    let format: TagFileFormat

    /// Writes them into a file, a folder or standard output.
    func write(to destination: TagDestination, replaces: Bool) throws {
        if destination.isFolder {
            var folder = try AtomicFolder(path: destination.path)
            try tags.forEachPage(of: printer.layout.tagsPerPage) { page in
                let name = page.first?.identifier.uuidString ?? ""
                try folder.add(
                    printer.file(of: page, as: format),
                    named: "\(name).\(format.rawValue)"
                )
            }
            try folder.finish()
        } else {
            try destination.write(file(), replaces: replaces)
        }
    }

    func send(to address: PrinterAddress) throws {
        if case .queue(let name) = address {
            let environment = ProcessInfo.processInfo.environment
            let queue = try PrinterQueue(name, path: environment["PATH"] ?? "/usr/bin:/bin")
            return try queue.print(
                file(),
                as: format,
                on: printer.paper,
                environment: environment
            )
        }
        var labels: [(file: [UInt8], tags: [PrintedTag])] = []
        try tags.forEachPage(of: printer.layout.tagsPerPage) { page in
            labels.append((try printer.file(of: page, as: format), page))
        }
        let stream = try PrinterStream(address)
        var sent = 0
        do {
            for label in labels {
                try stream.write(label.file)
                sent += 1
            }
            try stream.finish()
        } catch let error as TagPrintingError {
            // What went before is on paper, or on its way there: printed again, it would get other identifiers.
            let done = labels.prefix(sent).flatMap(\.tags)
            for tag in done { try StandardOutput.line(tag.identifier.uuidString) }
            let next =
                tags.line(of: done.count).map { "; go on with line \($0) of the table" } ?? ""
            throw Failure(
                .ioFailed,
                "\(error.inOptions); of \(labels.count) labels, \(sent) were sent before: see which of them "
                    + "are printed\(next)"
            )
        }
    }

    /// The whole file, once all pages could be drawn.
    private func file() throws -> [UInt8] {
        var file = TagFile(format, printer)
        try tags.forEachPage(of: printer.layout.tagsPerPage) { try file.add($0) }
        return try file.bytes()
    }
}

/// The tags that are written.
enum TagSource {
    case one(PrintedTag)
    case table(TagTable)

    var identifiers: [UUID] {
        switch self {
        case .one(let tag): [tag.identifier]
        case .table(let table): table.entries.map(\.tag.identifier)
        }
    }

    /// The table again, with the identifiers; nil if there is none.
    var completedTable: [UInt8]? {
        guard case .table(let table) = self else { return nil }
        return table.completed
    }

    /// The line of a table that describes a tag; nil if there is none.
    func line(of place: Int) -> Int? {
        guard case .table(let table) = self, table.entries.indices.contains(place) else {
            return nil
        }
        return table.entries[place].line
    }

    /// Runs a closure for the tags of each page; those of a table that cannot be drawn are named by line.
    func forEachPage(of count: Int, _ body: ([PrintedTag]) throws -> Void) throws {
        switch self {
        case .one(let tag): try body([tag])
        case .table(let table): try table.forEachPage(of: count, body)
        }
    }
}
