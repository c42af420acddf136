internal import Foundation
internal import ProgramSupport
internal import TagPrinting

/// The destination of tags: a file, a folder or standard output.
struct TagDestination {
    /// The path as it was given.
    let path: String
    /// The format; nil if nothing tells it.
    let format: TagFileFormat?
    /// The format from the path's ending, if any.
    let told: TagFileFormat?
    /// Whether each tag becomes a file in a folder.
    let isFolder: Bool

    init(_ path: String, _ chosen: TagFileFormat?, isForTable: Bool) {
        self.path = path
        let ending = URL(fileURLWithPath: path).pathExtension.lowercased()
        told = path == "-" ? nil : TagFileFormat(rawValue: ending)
        let hasPages = path == "-" || told?.hasPages == true
        isFolder = isForTable && !hasPages
        format = chosen ?? (isFolder ? .png : told)
    }

    /// Writes a file, whole or not at all.
    func write(_ bytes: [UInt8], replaces: Bool) throws {
        if path == "-" { return try StandardOutput.writeWhole(bytes) }
        var file = try AtomicFile(path: path, replaces: replaces)
        try file.write(bytes)
        try file.finish()
    }
}

/// Writes the tags of a table, all of them or none.
struct TagTableWriter {
    private let table: TagTable
    private let printer: TagPrinter
    private let destination: TagDestination
    private let replaces: Bool

    init(
        _ table: TagTable,
        _ printer: TagPrinter,
        to destination: TagDestination,
        replaces: Bool
    ) {
        self.table = table
        self.printer = printer
        self.destination = destination
        self.replaces = replaces
    }

    func write() throws {
        let format = destination.format ?? .png
        if destination.isFolder {
            var folder = try AtomicFolder(path: destination.path)
            try table.forEach { tag in
                let bytes = try printer.file(of: [tag], as: format)
                try folder.add(bytes, named: "\(tag.identifier.uuidString).\(format.rawValue)")
            }
            try folder.finish()
        } else {
            // Checks each page first, so that errors are reported with their lines.
            try table.forEach { try printer.check($0) }
            let bytes = try printer.file(of: table.entries.map(\.tag), as: format)
            try destination.write(bytes, replaces: replaces)
        }
        if destination.path == "-" { return }
        for entry in table.entries { try StandardOutput.line(entry.tag.identifier.uuidString) }
    }
}
